// src/selectors/cover/honest_r2.cpp: see honest_r2.h.
//
// With G = (ZZ' + l I)^-1, a_j = G z_j and D_j = 1 - z_j'a_j, leaving feature j out of Z turns a_j
// into a_j / D_j and G_ii into G_ii + a_ij^2 / D_j. The error at a row that is left out is the
// quotient of the two. The mean of each column is fitted as well, which takes 1 / (n l) from G_ii.
#include "selectors/cover/honest_r2.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/symmetric_eigen.h"

namespace quickselection {
namespace {

constexpr double kRidges[] = {0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300};
// Features on which the ridge is chosen: all where that is cheap, otherwise every so many by their
// variance; where variances are equal, their places decide. When only those count that can be
// predicted at all, they may be few among many.
std::size_t sample_for(RidgeRule rule, std::size_t rows) {
  constexpr std::size_t kCheap = 100'000'000, kMost = 20'000;  // multiplications; features
  const std::size_t least = rule == RidgeRule::least_error ? 250 : 1000;
  return std::clamp(kCheap / (rows * rows), least, kMost);
}
// Smaller eigenvalues, relative to the largest, are rounding of 32-bit products.
constexpr double kRank = 1e-6;

/// Z = U S V': eigenvalues S^2 and U as floats.
struct Spectrum {
  std::vector<double> values;  // (rank)
  AlignedArray<float> u;       // (rows, rank)
  std::size_t rank() const { return values.size(); }
};

void keep_largest(const kernels::SymmetricEigen& eigen, std::size_t& first) {
  const double most = eigen.values.empty() ? 0 : eigen.values.back();
  first = 0;
  while (first < eigen.values.size() && !(eigen.values[first] > kRank * most)) ++first;
}

Spectrum by_rows(Columns& z, const Pace& pace) {
  const std::size_t n = z.rows();
  std::vector<double> gram(n * n);
  for (std::size_t b = 0; b < z.count(); ++b) {
    pace.check_stop();
    add_products(z.block(b), n, z.range(b).size(), {}, gram, z.team());
  }
  mirror(gram, n);
  const auto eigen = kernels::symmetric_eigen(std::move(gram), n);
  std::size_t first = 0;
  keep_largest(eigen, first);
  Spectrum spectrum{{eigen.values.begin() + static_cast<long>(first), eigen.values.end()},
                    AlignedArray<float>(n * (n - first))};
  const std::size_t rank = spectrum.rank();
  for (std::size_t k = 0; k < rank; ++k)
    for (std::size_t i = 0; i < n; ++i)
      spectrum.u[i * rank + k] = static_cast<float>(eigen.vectors[(first + k) * n + i]);
  return spectrum;
}

Spectrum by_columns(Columns& z, const Pace& pace, ColumnMatrix* basis) {
  constexpr std::size_t kPiece = 1024;
  const std::size_t n = z.rows(), d = z.columns();
  const float* const values = z.block(0);
  std::vector<double> gram(d * d);
  AlignedArray<float> product(d * d);
  for (std::size_t begin = 0; begin < n; begin += kPiece) {
    pace.check_stop();
    multiply(d, d, std::min(kPiece, n - begin), {values + begin * d, d, true},
             {values + begin * d, d}, product.data(), z.team());
    for (std::size_t i = 0; i < gram.size(); ++i) gram[i] += product[i];
  }
  const auto eigen = kernels::symmetric_eigen(std::move(gram), d);
  std::size_t first = 0;
  keep_largest(eigen, first);
  Spectrum spectrum{{eigen.values.begin() + static_cast<long>(first), eigen.values.end()},
                    AlignedArray<float>(n * (d - first))};
  const std::size_t rank = spectrum.rank();
  AlignedArray<float> directions(d * rank);  // V / S
  for (std::size_t k = 0; k < rank; ++k)
    for (std::size_t j = 0; j < d; ++j)
      directions[j * rank + k] =
          static_cast<float>(eigen.vectors[(first + k) * d + j] / std::sqrt(spectrum.values[k]));
  multiply(n, rank, d, {values, d}, {directions.data(), rank}, spectrum.u.data(), z.team());
  if (basis != nullptr) {
    *basis = ColumnMatrix(rank, d);
    for (std::size_t k = 0; k < rank; ++k)
      for (std::size_t j = 0; j < d; ++j)
        basis->set(
            k, j,
            static_cast<float>(eigen.vectors[(first + k) * d + j] * std::sqrt(spectrum.values[k])));
  }
  return spectrum;
}

/// Squared errors of some columns from a = G z.
class LeftOut {
 public:
  LeftOut(const Spectrum& spectrum, std::size_t rows, double ridge)
      : rows_(rows), penalty_(ridge * static_cast<double>(rows)), diagonal_(rows) {
    const std::size_t rank = spectrum.rank();
    for (std::size_t i = 0; i < rows; ++i) {
      double inside = 0;
      for (std::size_t k = 0; k < rank; ++k) {
        const double u = spectrum.u[i * rank + k];
        inside += u * u * spectrum.values[k] / (spectrum.values[k] + penalty_);
      }
      const double left = (1 - inside - 1 / static_cast<double>(rows)) / penalty_;
      diagonal_[i] = static_cast<float>(std::max(left, 1e-6 / penalty_));
    }
  }

  double penalty() const { return penalty_; }

  void errors(const float* z, const float* a, std::size_t columns, double* out, Team& team) const {
    constexpr std::size_t kAtOnce = 64;
    team.for_each((columns + kAtOnce - 1) / kAtOnce, [&](std::size_t part) {
      const std::size_t begin = part * kAtOnce, count = std::min(kAtOnce, columns - begin);
      double inside[kAtOnce] = {}, sum[kAtOnce] = {};
      float inverse[kAtOnce];
      for (std::size_t i = 0; i < rows_; ++i)
        for (std::size_t j = 0; j < count; ++j)
          inside[j] += double{z[i * columns + begin + j]} * a[i * columns + begin + j];
      for (std::size_t j = 0; j < count; ++j)
        inverse[j] = static_cast<float>(1 / std::max(1 - inside[j], 1e-6));
      for (std::size_t i = 0; i < rows_; ++i)
        for (std::size_t j = 0; j < count; ++j) {
          const float value = a[i * columns + begin + j], turned = value * inverse[j];
          const float error = turned / (diagonal_[i] + value * turned);
          sum[j] += double{error} * error;
        }
      std::copy_n(sum, count, out + begin);
    });
  }

 private:
  std::size_t rows_;
  double penalty_;
  std::vector<float> diagonal_;  // (n): of G, the mean left out
};

/// U diag(1 / (S^2 + penalty)): (rows, rank)
AlignedArray<float> shrunk(const Spectrum& spectrum, std::size_t rows, double penalty) {
  const std::size_t rank = spectrum.rank();
  AlignedArray<float> result(rows * rank);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < rank; ++k)
      result[i * rank + k] =
          static_cast<float>(spectrum.u[i * rank + k] / (spectrum.values[k] + penalty));
  return result;
}

double choose_ridge(Columns& z, const Spectrum& spectrum, RidgeRule rule, const Pace& pace) {
  const std::size_t n = z.rows(), d = z.columns(), rank = spectrum.rank();
  std::vector<std::uint32_t> order(d), some;
  std::iota(order.begin(), order.end(), 0u);
  const auto squares = z.squares();
  const std::size_t count = std::min(d, sample_for(rule, n));
  if (count < d)
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return squares[a] < squares[b]; });
  for (std::size_t i = 0; i < count; ++i)
    some.push_back(order[count == 1 ? 0 : i * (d - 1) / (count - 1)]);
  std::sort(some.begin(), some.end());
  AlignedArray<float> sample(n * count), inside(rank * count), a(n * count);
  {
    const ColumnMatrix gathered = z.gather(some);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < count; ++j) sample[i * count + j] = gathered.at(i, j);
  }
  multiply(rank, count, n, {spectrum.u.data(), rank, true}, {sample.data(), count}, inside.data(),
           z.team());
  double best = kRidges[0], most = -1e300;
  std::vector<double> errors(count);
  for (const double ridge : kRidges) {
    pace.check_stop();
    const LeftOut left(spectrum, n, ridge);
    const AlignedArray<float> factor = shrunk(spectrum, n, left.penalty());
    multiply(n, count, rank, {factor.data(), rank}, {inside.data(), count}, a.data(), z.team());
    left.errors(sample.data(), a.data(), count, errors.data(), z.team());
    double value = 0;
    for (std::size_t j = 0; j < count; ++j) {
      const double predicted = squares[some[j]] - errors[j];
      value += rule == RidgeRule::least_error ? predicted : std::max(predicted, 0.0);
    }
    if (value > most) {
      most = value;
      best = ridge;
    }
  }
  return best;
}

}  // namespace

HonestR2 honest_r2(Columns& z, RidgeRule rule, const Pace& pace, ColumnMatrix* basis) {
  const std::size_t n = z.rows(), d = z.columns();
  HonestR2 result{std::vector<double>(d), 0};
  if (basis != nullptr) *basis = {};
  const Spectrum spectrum = n > d ? by_columns(z, pace, basis) : by_rows(z, pace);
  const std::size_t rank = spectrum.rank();
  if (rank == 0 || n < 2) return result;
  result.ridge = choose_ridge(z, spectrum, rule, pace);
  const LeftOut left(spectrum, n, result.ridge);
  const AlignedArray<float> factor = shrunk(spectrum, n, left.penalty());
  // With fewer rows than features G is the smaller matrix, and one product for each block is
  // enough.
  const bool by_g = n <= d;
  AlignedArray<float> g(by_g ? n * n : 0);
  if (by_g)
    multiply(n, n, rank, {factor.data(), rank}, {spectrum.u.data(), rank, true}, g.data(),
             z.team());
  AlignedArray<float> a(n * (by_g ? std::min(d, ColumnMatrix::width_of(n)) : d));
  AlignedArray<float> inside(by_g ? 0 : rank * d);
  std::vector<double> errors(d);
  for (std::size_t b = 0; b < z.count(); ++b) {
    pace.check_stop();
    const Range in = z.range(b);
    const float* const values = z.block(b);
    if (by_g) {
      multiply(n, in.size(), n, {g.data(), n}, {values, in.size()}, a.data(), z.team());
    } else {
      multiply(rank, d, n, {spectrum.u.data(), rank, true}, {values, d}, inside.data(), z.team());
      multiply(n, d, rank, {factor.data(), rank}, {inside.data(), d}, a.data(), z.team());
    }
    left.errors(values, a.data(), in.size(), errors.data() + in.begin, z.team());
  }
  const auto squares = z.squares();
  for (std::size_t j = 0; j < d; ++j)
    if (squares[j] > 0) result.r2[j] = 1 - errors[j] / squares[j];
  return result;
}

}  // namespace quickselection
