// src/selectors/graph/scatter.h: the matrix of UDFS: M = X' L X, where L gathers how each row lies
// among its neighbours (Yang et al., 2011), and equations with M + diag(a).
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include "core/pace.h"
#include "core/team.h"
#include "data/scaling/row_reader.h"
#include "selectors/graph/neighbours.h"

namespace quickselection {

using SparseMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

/// The columns of a matrix, or some of them, or some of their rows.
using DenseView = Eigen::Ref<const Eigen::MatrixXd>;

/// out = a b, plus what is in `out` when `add` is set. By OpenBLAS on the calling thread, and not
/// by Eigen, which compiles its product for every pair of expressions.
struct Side {
  DenseView matrix;
  bool transposed = false;
};
void multiply_add(const Side& a, const Side& b, Eigen::Ref<Eigen::MatrixXd> out, bool add);

/// L = sum over rows i of S_i H (X_i H)'(X_i H) + ridge I)^-1 H S_i', X_i being row i and its
/// neighbours as columns, H the centring matrix: (rows, rows).
SparseMatrix local_scatter(const RowReader& data, const Neighbours& neighbours, double ridge,
                           Team& team, const Pace& pace);

/// M + diag(a) for changing a > 0. With far more features than rows M itself is never formed:
/// M = Z'Z with one row of Z for each row of the data (Woodbury).
class Scatter {
 public:
  /// Only the columns of `data` take part.
  Scatter(const RowReader& data, const SparseMatrix& l, bool narrow, Team& team, const Pace& pace);

  static std::size_t bytes(std::size_t rows, std::size_t features, bool narrow);

  long size() const { return size_; }
  /// diag(M) of what the rows leave open: 1 minus the share of each feature in the range of M.
  Eigen::VectorXd freedom() const;
  void set_diagonal(const Eigen::VectorXd& a);
  Eigen::MatrixXd multiply(const Eigen::MatrixXd& v) const;    // (M + diag(a)) v
  Eigen::MatrixXd multiply_m(const Eigen::MatrixXd& v) const;  // M v
  Eigen::MatrixXd solve(const Eigen::MatrixXd& v) const;       // (M + diag(a))^-1 v
  /// All of M + diag(a), for small problems.
  Eigen::MatrixXd dense() const;

 private:
  void form_m(const RowReader& data, const SparseMatrix& l, const Pace& pace);
  void form_z(const RowReader& data, const SparseMatrix& l, const Pace& pace);
  Eigen::MatrixXd weighted_gram(const Eigen::VectorXd& weights) const;

  Team& team_;
  const bool narrow_;
  long size_;
  Eigen::MatrixXd matrix_;  // M, or Z
  Eigen::VectorXd diagonal_;
  Eigen::MatrixXd factor_;  // in its lower triangle, of M + diag(a), or of I + Z diag(a)^-1 Z'
};

}  // namespace quickselection
