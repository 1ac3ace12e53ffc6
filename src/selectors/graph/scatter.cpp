// src/selectors/graph/scatter.cpp: see scatter.h.
#include "selectors/graph/scatter.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "kernels/cholesky.h"
#include "kernels/gemm.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

// Dense products on a team, cut into blocks of fixed size, so that rounding does not depend on the
// number of threads.

constexpr long kProductBlock = 128;

/// body(begin, length) for every block of [0, n).
void for_each_block(Team& team, long n, const auto& body) {
  const long blocks = (n + kProductBlock - 1) / kProductBlock;
  team.for_each(static_cast<std::size_t>(blocks), [&](std::size_t block) {
    const long begin = static_cast<long>(block) * kProductBlock;
    body(begin, std::min(kProductBlock, n - begin));
  });
}

/// a b
Eigen::MatrixXd multiply(Team& team, const DenseView& a, const DenseView& b) {
  Eigen::MatrixXd out(a.rows(), b.cols());
  for_each_block(team, a.rows(), [&](long begin, long length) {
    multiply_add({a.middleRows(begin, length)}, {b}, out.middleRows(begin, length), false);
  });
  return out;
}

/// a' b
Eigen::MatrixXd multiply_transposed(Team& team, const DenseView& a, const DenseView& b) {
  Eigen::MatrixXd out(a.cols(), b.cols());
  for_each_block(team, a.cols(), [&](long begin, long length) {
    multiply_add({a.middleCols(begin, length), true}, {b}, out.middleRows(begin, length), false);
  });
  return out;
}

void factorise(Eigen::MatrixXd& matrix, const char* option) {
  if (!kernels::cholesky(matrix.data(), static_cast<std::size_t>(matrix.rows())))
    throw Error("the equations of udfs have no solution in 64-bit numbers",
                fmt::format("raise ‹{}›", option));
}

/// H (A + ridge I)^-1 H, A being the Gram matrix of the centred columns.
Eigen::MatrixXd local_weights(Eigen::MatrixXd& columns, double ridge) {
  const long n = columns.cols();
  const Eigen::VectorXd mean = columns.rowwise().mean();
  columns.colwise() -= mean;
  Eigen::MatrixXd gram(n, n);
  multiply_add({columns, true}, {columns}, gram, false);
  gram.diagonal().array() += ridge;
  factorise(gram, "lambda");
  Eigen::MatrixXd inverse = Eigen::MatrixXd::Identity(n, n);
  const auto size = static_cast<std::size_t>(n);
  kernels::cholesky_solve(gram.data(), size, inverse.data(), size);
  // H takes the mean off every row and column.
  const Eigen::VectorXd of_columns = inverse.colwise().mean();
  inverse.rowwise() -= of_columns.transpose();
  const Eigen::VectorXd of_rows = inverse.rowwise().mean();
  inverse.colwise() -= of_rows;
  return (inverse + inverse.transpose()) / 2;
}

}  // namespace

void multiply_add(const Side& a, const Side& b, Eigen::Ref<Eigen::MatrixXd> out, bool add) {
  // DenseView are rows to gemm(), so it computes out' = b' a'.
  const auto size = [](long value) { return static_cast<std::size_t>(value); };
  const auto factor = [&](const Side& side) {
    return kernels::FactorOf<double>{side.matrix.data(), size(side.matrix.outerStride()),
                                     side.transposed};
  };
  const long inner = a.transposed ? a.matrix.rows() : a.matrix.cols();
  kernels::gemm(size(out.cols()), size(out.rows()), size(inner), 1.0, factor(b), factor(a),
                out.data(), size(out.outerStride()), add);
}

SparseMatrix local_scatter(const RowReader& data, const Neighbours& neighbours, double ridge,
                           Team& team, const Pace& pace) {
  const std::size_t rows = data.rows();
  const auto features = static_cast<long>(data.columns());
  const auto members = static_cast<long>(neighbours.count + 1);
  const auto id_of = [&](std::size_t row, long member) {
    return member == 0
               ? row
               : neighbours.ids[row * neighbours.count + static_cast<std::size_t>(member) - 1];
  };
  std::vector<Eigen::Triplet<double>> entries(rows * static_cast<std::size_t>(members * members));
  team.run([&](int member) {
    const Range mine = share(rows, member, team.size());
    Eigen::MatrixXd local(features, members);
    Eigen::VectorXf row(features);
    for (std::size_t r = mine.begin; r < mine.end && !pace.stopping(); ++r) {
      for (long m = 0; m < members; ++m) {
        data.read(id_of(r, m), row.data());
        local.col(m) = row.cast<double>();
      }
      const Eigen::MatrixXd weights = local_weights(local, ridge);
      auto entry = entries.begin() + static_cast<long>(r) * members * members;
      for (long a = 0; a < members; ++a)
        for (long b = 0; b < members; ++b)
          *entry++ = {static_cast<int>(id_of(r, a)), static_cast<int>(id_of(r, b)), weights(a, b)};
    }
  });
  pace.check_stop();
  SparseMatrix l(static_cast<long>(rows), static_cast<long>(rows));
  l.setFromTriplets(entries.begin(), entries.end());
  return l;
}

Scatter::Scatter(const RowReader& data, const SparseMatrix& l, bool narrow, Team& team,
                 const Pace& pace)
    : team_(team), narrow_(narrow), size_(static_cast<long>(data.columns())) {
  if (narrow)
    form_z(data, l, pace);
  else
    form_m(data, l, pace);
}

std::size_t Scatter::bytes(std::size_t rows, std::size_t features, bool narrow) {
  // M and its factor; or Z, and four matrices of rows x rows while Z is formed.
  return 8 * (narrow ? rows * features + 4 * rows * rows : 2 * features * features);
}

void Scatter::form_m(const RowReader& data, const SparseMatrix& l, const Pace& pace) {
  // X'(LX), block of rows by block of rows; the lower triangle is enough.
  const auto rows = static_cast<long>(data.rows());
  const long block = std::clamp<long>((1 << 22) / std::max<long>(size_, 1), 16, 512);
  matrix_ = Eigen::MatrixXd::Zero(size_, size_);
  Eigen::MatrixXd x(size_, block), lx(size_, block);
  for (long begin = 0; begin < rows; begin += block) {
    pace.check_stop();
    const long length = std::min(block, rows - begin);
    team_.run([&](int member) {
      Eigen::VectorXf row(size_);
      const Range mine = share(static_cast<std::size_t>(length), member, team_.size());
      for (std::size_t i = mine.begin; i < mine.end; ++i) {
        const auto at = static_cast<long>(i);
        data.read(static_cast<std::size_t>(begin + at), row.data());
        x.col(at) = row.cast<double>();
        lx.col(at).setZero();
        for (SparseMatrix::InnerIterator entry(l, begin + at); entry; ++entry) {
          data.read(static_cast<std::size_t>(entry.col()), row.data());
          lx.col(at) += entry.value() * row.cast<double>();
        }
      }
    });
    for_each_block(team_, size_, [&](long first, long width) {
      multiply_add({x.block(first, 0, size_ - first, length)},
                   {lx.block(first, 0, width, length), true},
                   matrix_.block(first, first, size_ - first, width), true);
    });
  }
  matrix_.triangularView<Eigen::StrictlyUpper>() = matrix_.transpose();
}

void Scatter::form_z(const RowReader& data, const SparseMatrix& l, const Pace& pace) {
  // L = F F', F from the pivoted Cholesky factor: L is positive, but not strictly. Z = F'X.
  const auto rows = static_cast<long>(data.rows());
  std::vector<double> dense(static_cast<std::size_t>(rows * rows));
  for (long r = 0; r < rows; ++r)
    for (SparseMatrix::InnerIterator entry(l, r); entry; ++entry)
      dense[static_cast<std::size_t>(r * rows + entry.col())] = entry.value();
  const std::vector<double> factor =
      kernels::semidefinite_factor(std::move(dense), static_cast<std::size_t>(rows));
  const Eigen::Map<const Eigen::MatrixXd> f(factor.data(), rows, rows);
  matrix_.resize(rows, size_);
  for_each_block(team_, size_, [&](long first, long width) {
    if (pace.stopping()) return;
    const Range mine{static_cast<std::size_t>(first), static_cast<std::size_t>(first + width)};
    Eigen::RowVectorXf row(width);
    Eigen::MatrixXd x(rows, width);
    for (long r = 0; r < rows; ++r) {
      data.read(static_cast<std::size_t>(r), mine, row.data());
      x.row(r) = row.cast<double>();
    }
    multiply_add({f, true}, {x}, matrix_.middleCols(first, width), false);
  });
  pace.check_stop();
}

/// Z diag(weights) Z', of which only the lower triangle is filled.
Eigen::MatrixXd Scatter::weighted_gram(const Eigen::VectorXd& weights) const {
  const long rows = matrix_.rows(), run = 512;
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(rows, rows);
  for_each_block(team_, rows, [&](long first, long width) {
    for (long f = 0; f < size_; f += run) {
      const long length = std::min(run, size_ - f);
      Eigen::MatrixXd left = matrix_.block(first, f, width, length);
      for (long i = 0; i < length; ++i) left.col(i) *= weights(f + i);
      multiply_add({matrix_.block(first, f, rows - first, length)}, {left, true},
                   gram.block(first, first, rows - first, width), true);
    }
  });
  return gram;
}

Eigen::VectorXd Scatter::freedom() const {
  if (!narrow_) return Eigen::VectorXd::Zero(size_);
  Eigen::MatrixXd gram = weighted_gram(Eigen::VectorXd::Ones(size_));
  gram.diagonal().array() += 1e-10 * gram.diagonal().sum() / static_cast<double>(gram.rows());
  factorise(gram, "lambda");
  Eigen::VectorXd free(size_);
  for_each_block(team_, size_, [&](long first, long width) {
    Eigen::MatrixXd part = matrix_.middleCols(first, width);
    kernels::cholesky_forward(gram.data(), static_cast<std::size_t>(gram.rows()), part.data(),
                              static_cast<std::size_t>(width));
    for (long i = 0; i < width; ++i) free(first + i) = std::max(1 - part.col(i).squaredNorm(), 0.0);
  });
  return free;
}

void Scatter::set_diagonal(const Eigen::VectorXd& a) {
  diagonal_ = a;
  if (narrow_) {
    factor_ = weighted_gram(a.cwiseInverse());
    factor_.diagonal().array() += 1;
  } else {
    factor_ = matrix_;
    factor_.diagonal() += a;
  }
  factorise(factor_, "gamma");
}

Eigen::MatrixXd Scatter::multiply_m(const Eigen::MatrixXd& v) const {
  if (!narrow_) return quickselection::multiply(team_, matrix_, v);
  return multiply_transposed(team_, matrix_, quickselection::multiply(team_, matrix_, v));
}

Eigen::MatrixXd Scatter::multiply(const Eigen::MatrixXd& v) const {
  Eigen::MatrixXd out = multiply_m(v);
  for (long i = 0; i < v.cols(); ++i) out.col(i) += diagonal_.cwiseProduct(v.col(i));
  return out;
}

Eigen::MatrixXd Scatter::solve(const Eigen::MatrixXd& v) const {
  // DenseView in groups of fixed size, one group a thread.
  const auto solve_columns = [&](Eigen::MatrixXd columns) {
    constexpr long kColumns = 8;
    team_.for_each(static_cast<std::size_t>((columns.cols() + kColumns - 1) / kColumns),
                   [&](std::size_t group) {
                     const long begin = static_cast<long>(group) * kColumns;
                     const long width = std::min(kColumns, columns.cols() - begin);
                     kernels::cholesky_solve(
                         factor_.data(), static_cast<std::size_t>(factor_.rows()),
                         columns.col(begin).data(), static_cast<std::size_t>(width));
                   });
    return columns;
  };
  if (!narrow_) return solve_columns(v);
  Eigen::MatrixXd divided = v;
  divided.array().colwise() /= diagonal_.array();
  const Eigen::MatrixXd inner = solve_columns(quickselection::multiply(team_, matrix_, divided));
  Eigen::MatrixXd back = multiply_transposed(team_, matrix_, inner);
  back.array().colwise() /= diagonal_.array();
  return divided - back;
}

Eigen::MatrixXd Scatter::dense() const { return multiply(Eigen::MatrixXd::Identity(size_, size_)); }

}  // namespace quickselection
