// src/selectors/graph/scatter.cpp: see scatter.h.
#include "selectors/graph/scatter.h"

#include <algorithm>
#include <vector>

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
Eigen::MatrixXd multiply(Team& team, const Eigen::Ref<const Eigen::MatrixXd>& a,
                         const Eigen::Ref<const Eigen::MatrixXd>& b) {
  Eigen::MatrixXd out(a.rows(), b.cols());
  for_each_block(team, a.rows(), [&](long begin, long length) {
    out.middleRows(begin, length).noalias() = a.middleRows(begin, length) * b;
  });
  return out;
}

/// a' b
Eigen::MatrixXd multiply_transposed(Team& team, const Eigen::Ref<const Eigen::MatrixXd>& a,
                                    const Eigen::Ref<const Eigen::MatrixXd>& b) {
  Eigen::MatrixXd out(a.cols(), b.cols());
  for_each_block(team, a.cols(), [&](long begin, long length) {
    out.middleRows(begin, length).noalias() = a.middleCols(begin, length).transpose() * b;
  });
  return out;
}

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// H (A + ridge I)^-1 H, A being the Gram matrix of the centred rows.
Eigen::MatrixXd local_weights(const RowMajor& rows, double ridge) {
  const long n = rows.rows();
  const RowMajor centered = rows.rowwise() - rows.colwise().mean();
  Eigen::MatrixXd gram = centered * centered.transpose();
  gram.diagonal().array() += ridge;
  Eigen::MatrixXd inverse = gram.llt().solve(Eigen::MatrixXd::Identity(n, n));
  const Eigen::MatrixXd center = Eigen::MatrixXd::Identity(n, n) -
                                 Eigen::MatrixXd::Constant(n, n, 1.0 / static_cast<double>(n));
  inverse = center * inverse * center;
  return (inverse + inverse.transpose()) / 2;
}

}  // namespace

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
    RowMajor local(members, features);
    Eigen::RowVectorXf row(features);
    for (std::size_t r = mine.begin; r < mine.end && !pace.stopping(); ++r) {
      for (long m = 0; m < members; ++m) {
        data.read(id_of(r, m), row.data());
        local.row(m) = row.cast<double>();
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
  RowMajor x(block, size_), lx(block, size_);
  for (long begin = 0; begin < rows; begin += block) {
    pace.check_stop();
    const long length = std::min(block, rows - begin);
    team_.run([&](int member) {
      Eigen::RowVectorXf row(size_);
      const Range mine = share(static_cast<std::size_t>(length), member, team_.size());
      for (std::size_t i = mine.begin; i < mine.end; ++i) {
        const auto at = static_cast<long>(i);
        data.read(static_cast<std::size_t>(begin + at), row.data());
        x.row(at) = row.cast<double>();
        lx.row(at).setZero();
        for (SparseMatrix::InnerIterator entry(l, begin + at); entry; ++entry) {
          data.read(static_cast<std::size_t>(entry.col()), row.data());
          lx.row(at) += entry.value() * row.cast<double>();
        }
      }
    });
    for_each_block(team_, size_, [&](long first, long width) {
      matrix_.block(first, first, size_ - first, width).noalias() +=
          x.block(0, first, length, size_ - first).transpose() * lx.block(0, first, length, width);
    });
  }
  matrix_.triangularView<Eigen::StrictlyUpper>() = matrix_.transpose();
}

void Scatter::form_z(const RowReader& data, const SparseMatrix& l, const Pace& pace) {
  // L = F F', F from the pivoted Cholesky factor: L is positive, but not strictly. Z = F'X.
  const auto rows = static_cast<long>(data.rows());
  Eigen::MatrixXd f(rows, rows);
  {
    const Eigen::LDLT<Eigen::MatrixXd> factor{Eigen::MatrixXd(l)};
    f = factor.matrixL();
    f = factor.transpositionsP().transpose() * f;
    f *= factor.vectorD().cwiseMax(0).cwiseSqrt().asDiagonal();
  }
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
    matrix_.middleCols(first, width).noalias() = f.transpose() * x;
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
      const Eigen::MatrixXd right = weights.segment(f, length).asDiagonal() *
                                    matrix_.block(first, f, width, length).transpose();
      gram.block(first, first, rows - first, width).noalias() +=
          matrix_.block(first, f, rows - first, length) * right;
    }
  });
  return gram;
}

Eigen::VectorXd Scatter::freedom() const {
  if (!narrow_) return Eigen::VectorXd::Zero(size_);
  Eigen::MatrixXd gram = weighted_gram(Eigen::VectorXd::Ones(size_));
  gram.diagonal().array() += 1e-10 * gram.diagonal().sum() / static_cast<double>(gram.rows());
  const Eigen::LLT<Eigen::MatrixXd> factor(gram);
  Eigen::VectorXd free(size_);
  for_each_block(team_, size_, [&](long first, long width) {
    const Eigen::MatrixXd part = factor.matrixL().solve(matrix_.middleCols(first, width));
    free.segment(first, width) = (1 - part.colwise().squaredNorm().transpose().array()).cwiseMax(0);
  });
  return free;
}

void Scatter::set_diagonal(const Eigen::VectorXd& a) {
  diagonal_ = a;
  if (narrow_) {
    Eigen::MatrixXd inner = weighted_gram(a.cwiseInverse());
    inner.diagonal().array() += 1;
    factor_.compute(inner);
  } else {
    Eigen::MatrixXd sum = matrix_;
    sum.diagonal() += a;
    factor_.compute(sum);
  }
}

Eigen::MatrixXd Scatter::multiply_m(const Eigen::MatrixXd& v) const {
  if (!narrow_) return quickselection::multiply(team_, matrix_, v);
  return multiply_transposed(team_, matrix_, quickselection::multiply(team_, matrix_, v));
}

Eigen::MatrixXd Scatter::multiply(const Eigen::MatrixXd& v) const {
  return multiply_m(v) + diagonal_.asDiagonal() * v;
}

Eigen::MatrixXd Scatter::solve(const Eigen::MatrixXd& v) const {
  // Columns in groups of fixed size, one group a thread.
  const auto solve_columns = [&](const Eigen::MatrixXd& right) {
    constexpr long kColumns = 8;
    Eigen::MatrixXd out(right.rows(), right.cols());
    team_.for_each(static_cast<std::size_t>((right.cols() + kColumns - 1) / kColumns),
                   [&](std::size_t group) {
                     const long begin = static_cast<long>(group) * kColumns;
                     const long width = std::min(kColumns, right.cols() - begin);
                     out.middleCols(begin, width) = factor_.solve(right.middleCols(begin, width));
                   });
    return out;
  };
  if (!narrow_) return solve_columns(v);
  const Eigen::MatrixXd divided = diagonal_.cwiseInverse().asDiagonal() * v;
  const Eigen::MatrixXd inner = solve_columns(quickselection::multiply(team_, matrix_, divided));
  return divided -
         diagonal_.cwiseInverse().asDiagonal() * multiply_transposed(team_, matrix_, inner);
}

Eigen::MatrixXd Scatter::dense() const { return multiply(Eigen::MatrixXd::Identity(size_, size_)); }

}  // namespace quickselection
