// src/selectors/graph/embedding.cpp: see embedding.h.
#include "selectors/graph/embedding.h"

#include <Spectra/SymEigsSolver.h>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "core/pace.h"
#include "kernels/gemm.h"
#include "kernels/symmetric_eigen.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

using Vectors = Eigen::MatrixXd;  // one eigenvector in each column

// Below this a dense solver is quicker and cannot fail.
constexpr std::size_t kDense = 200;
// Known eigenvectors are moved to 1 - kShift, below all others, which lie in [-1, 1].
constexpr double kShift = 4;

/// N = D^-1/2 S D^-1/2, whose greatest eigenvalues 1 - lambda belong to the least lambda, minus
/// kShift times the projection on known eigenvectors.
class Normalised {
 public:
  using Scalar = double;

  Normalised(const Graph& graph, Team& team, const RunContext& context, std::size_t most)
      : graph_(graph),
        team_(team),
        pace_("embed", static_cast<double>(most), context),
        roots_(graph.rows()) {
    for (std::size_t r = 0; r < roots_.size(); ++r)
      roots_[r] = graph.degrees[r] > 0 ? 1 / std::sqrt(graph.degrees[r]) : 0;
  }

  double root(std::size_t row) const { return roots_[row]; }
  Eigen::Index rows() const { return static_cast<Eigen::Index>(roots_.size()); }
  Eigen::Index cols() const { return rows(); }

  /// Vectors of length 1, orthogonal to those before.
  void hide(const Eigen::VectorXd& vector) {
    hidden_.conservativeResize(rows(), hidden_.cols() + 1);
    hidden_.col(hidden_.cols() - 1) = vector;
  }
  void hide_parts(std::vector<std::uint32_t> parts, std::size_t count) {
    parts_ = std::move(parts);
    sums_.resize(count);
    volumes_.assign(count, 0.0);
    for (std::size_t r = 0; r < parts_.size(); ++r) volumes_[parts_[r]] += graph_.degrees[r];
  }

  void perform_op(const double* x, double* y) const {
    pace_.check_stop();
    pace_.reach(static_cast<double>(calls_));
    ++calls_;
    // The hidden indicator of a part is, in these coordinates, D^1/2 on its rows.
    std::fill(sums_.begin(), sums_.end(), 0.0);
    for (std::size_t r = 0; r < parts_.size(); ++r)
      if (roots_[r] > 0) sums_[parts_[r]] += x[r] / roots_[r];
    team_.run([&](int member) {
      const Range mine = share(graph_.rows(), member, team_.size());
      for (std::size_t r = mine.begin; r < mine.end; ++r) {
        if (roots_[r] == 0) {
          y[r] = (1 - kShift) * x[r];
          continue;
        }
        double sum = 0;
        for (std::uint64_t e = graph_.offsets[r]; e < graph_.offsets[r + 1]; ++e)
          sum += graph_.weights[e] * roots_[graph_.ids[e]] * x[graph_.ids[e]];
        y[r] = roots_[r] * sum - kShift * sums_[parts_[r]] / (volumes_[parts_[r]] * roots_[r]);
      }
    });
    const Eigen::Map<const Eigen::VectorXd> from(x, rows());
    Eigen::Map<Eigen::VectorXd> to(y, rows());
    for (long i = 0; i < hidden_.cols(); ++i)
      to -= kShift * hidden_.col(i).dot(from) * hidden_.col(i);
  }

 private:
  const Graph& graph_;
  Team& team_;
  mutable Pace pace_;
  mutable std::size_t calls_ = 0;
  std::vector<double> roots_;  // degree^-1/2
  std::vector<std::uint32_t> parts_;
  std::vector<double> volumes_;
  mutable std::vector<double> sums_;
  Eigen::MatrixXd hidden_;
};

struct Pairs {
  Vectors vectors;
  std::vector<double> values;  // descending
};

Pairs dense_pairs(const Normalised& matrix, std::size_t count) {
  const auto n = static_cast<std::size_t>(matrix.rows());
  std::vector<double> full(n * n), unit(n);
  for (std::size_t j = 0; j < n; ++j) {
    unit[j] = 1;
    matrix.perform_op(unit.data(), full.data() + j * n);
    unit[j] = 0;
  }
  const auto eigen = kernels::symmetric_eigen(std::move(full), n);
  const Eigen::Map<const Vectors> vectors(eigen.vectors.data(), matrix.rows(), matrix.rows());
  const auto wanted = static_cast<long>(count);
  return {vectors.rightCols(wanted).rowwise().reverse(),
          {eigen.values.rbegin(), eigen.values.rbegin() + wanted}};
}

constexpr long kRestarts = 2000;

Pairs sparse_pairs(Normalised& matrix, std::size_t count, double tolerance) {
  const auto wanted = static_cast<long>(count);
  const long space = std::min<long>(matrix.rows(), std::max<long>(2 * wanted + 20, 40));
  Spectra::SymEigsSolver<Normalised> solver(matrix, wanted, space);
  solver.init();
  solver.compute(Spectra::SortRule::LargestAlge, kRestarts, tolerance);
  if (solver.info() != Spectra::CompInfo::Successful)
    throw Error(fmt::format("the spectral embedding did not converge: {} of {} eigenvectors after "
                            "{} restarts",
                            solver.eigenvalues().size(), count, kRestarts),
                "ask for fewer ‹clusters› or more ‹neighbors›");
  Pairs pairs;
  pairs.vectors = solver.eigenvectors();
  const Eigen::VectorXd values = solver.eigenvalues();
  pairs.values.assign(values.begin(), values.end());
  return pairs;
}

/// A Krylov space sees one vector of a multiple eigenvalue. So what was found is hidden, and the
/// search goes on until nothing greater than the least of them is left.
Pairs complete_pairs(Normalised& matrix, std::size_t count) {
  Pairs found = sparse_pairs(matrix, count, 1e-12);
  for (std::size_t i = 0; i < count; ++i) matrix.hide(found.vectors.col(static_cast<long>(i)));
  for (std::size_t round = 0; round < count; ++round) {
    if (static_cast<std::size_t>(matrix.rows()) < 2 * count + 40) break;
    const Pairs more = sparse_pairs(matrix, 1, 1e-7);
    if (more.values[0] <= found.values.back() + 1e-7) break;
    const Pairs exact = sparse_pairs(matrix, 1, 1e-12);
    matrix.hide(exact.vectors.col(0));
    const auto above = std::upper_bound(found.values.begin(), found.values.end(), exact.values[0],
                                        [](double a, double b) { return a > b; });
    const long place = above - found.values.begin();
    found.values.insert(above, exact.values[0]);
    found.values.pop_back();
    for (long i = static_cast<long>(count) - 1; i > place; --i)
      found.vectors.col(i) = found.vectors.col(i - 1).eval();
    found.vectors.col(place) = exact.vectors.col(0);
  }
  return found;
}

}  // namespace

Embedding spectral_embedding(const Graph& graph, std::size_t dimensions, Team& team,
                             const RunContext& context) {
  const kernels::SerialBlas serial;
  const std::size_t rows = graph.rows();
  std::vector<std::uint32_t> parts = connected_parts(graph);
  const std::size_t all_parts = 1 + *std::max_element(parts.begin(), parts.end());
  const auto lonely =
      static_cast<std::size_t>(std::count(graph.degrees.begin(), graph.degrees.end(), 0.0));

  Embedding out;
  out.parts = all_parts - lonely;  // rows without edges are parts of one row, numbered last
  dimensions = std::min(dimensions, rows - lonely - 1);
  const std::size_t indicators = std::min(dimensions, out.parts - 1);
  std::vector<double> volumes(all_parts);
  for (std::size_t r = 0; r < rows; ++r) volumes[parts[r]] += graph.degrees[r];
  for (std::size_t part = 1; part <= indicators; ++part) {
    for (std::size_t r = 0; r < rows; ++r)
      out.vectors.push_back(parts[r] == part ? 1 / std::sqrt(volumes[part]) : 0.0);
    out.eigenvalues.push_back(0);
  }
  out.dimensions = dimensions;
  const std::size_t count = dimensions - indicators;
  if (count == 0) return out;

  Normalised matrix(graph, team, context, static_cast<std::size_t>(kRestarts));
  matrix.hide_parts(std::move(parts), all_parts);
  const bool dense = rows <= kDense || 3 * count + 40 > rows;
  const Pairs pairs = dense ? dense_pairs(matrix, count) : complete_pairs(matrix, count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t r = 0; r < rows; ++r)
      out.vectors.push_back(matrix.root(r) *
                            pairs.vectors(static_cast<long>(r), static_cast<long>(i)));
    out.eigenvalues.push_back(1 - pairs.values[i]);
  }
  return out;
}

}  // namespace quickselection
