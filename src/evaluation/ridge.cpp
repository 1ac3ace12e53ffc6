// src/evaluation/ridge.cpp: see ridge.h.
#include "evaluation/ridge.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/pace.h"
#include "kernels/distances.h"
#include "kernels/gemm.h"

namespace quickselection {
namespace {

using kernels::kTileRows;
using kernels::tile_products;

constexpr std::size_t kLanes = kTileRows;  // features in a tile
constexpr std::size_t kGroup = 32;         // tiles worked on together
constexpr std::size_t kBlock = 256;        // rows read together: a block of a group fits the L2

// Penalties tried, as multiples of the chosen features' mean squared length. Below the least, the
// rounding of the sums would count; above the most, nothing is left of the regression.
constexpr double kLeastPenalty = 1e-6, kMostPenalty = 1e2, kPenaltyStep = 3.1622776601683795;

std::size_t blocks_of(std::size_t rows) { return (rows + kBlock - 1) / kBlock; }

}  // namespace

/// Calls body(tiles, first_row, rows) for each block of rows with the group's features, feature
/// tiles one after the other: (tiles of the group, kBlock, 16). Rows and lanes beyond the data
/// are 0; from all others the training mean is subtracted.
void Ridge::for_each_block(const RowReader& from, std::size_t group, const auto& body) const {
  const std::size_t first = group * kGroup * kLanes;
  const std::size_t count = std::min(kGroup * kLanes, features_ - first);
  std::vector<float> row(count);
  AlignedArray<float> tiles(kGroup * kBlock * kLanes);
  for (std::size_t begin = 0; begin < from.rows(); begin += kBlock) {
    const std::size_t end = std::min(from.rows(), begin + kBlock);
    if (end - begin < kBlock) std::fill(tiles.begin(), tiles.end(), 0.0f);
    for (std::size_t r = 0; r < end - begin; ++r) {
      from.read_checked(begin + r, {first, first + count}, row.data());
      for (std::size_t j = 0; j < count; ++j)
        tiles[(j / kLanes * kBlock + r) * kLanes + j % kLanes] =
            static_cast<float>(row[j] - mean_[first + j]);
    }
    body(tiles.data(), begin, end - begin);
  }
}

Ridge::Ridge(const RowsView& train, const RowsView& test, Team& team)
    : train_(train),
      test_(test),
      team_(team),
      features_(train_.columns()),
      tiles_((features_ + kLanes - 1) / kLanes),
      groups_((tiles_ + kGroup - 1) / kGroup),
      mean_(features_) {
  // Twice: about 0 for the mean, then about the mean for the squares, which keeps their digits.
  const auto sums = [&](const RowReader& from, bool want_mean) {
    std::vector<double> squares(groups_);
    team_.for_each(groups_, [&](std::size_t group) {
      const std::size_t width = kGroup * kLanes, first = group * width;
      std::vector<double> sum(width), square(width);
      for_each_block(from, group, [&](const float* tiles, std::size_t, std::size_t rows) {
        for (std::size_t t = 0; t < kGroup; ++t)
          for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t lane = 0; lane < kLanes; ++lane) {
              const double value = tiles[(t * kBlock + r) * kLanes + lane];
              sum[t * kLanes + lane] += value;
              square[t * kLanes + lane] += value * value;
            }
      });
      const auto n = static_cast<double>(from.rows());
      for (std::size_t j = 0; j < std::min(width, features_ - first); ++j) {
        squares[group] += std::max(0.0, square[j] - sum[j] * sum[j] / n);
        if (want_mean) mean_[first + j] += sum[j] / n;
      }
    });
    double total = 0;
    for (const double part : squares) total += part;
    return total;
  };
  sums(train_, true);
  train_squares_ = sums(train_, true);
  test_squares_ = sums(test_, false);
}

void Ridge::accumulate(std::span<const std::uint32_t> columns, const std::atomic<bool>* stop) {
  width_ = columns.size();
  const std::size_t blocks = blocks_of(train_.rows());
  const RowReader reader(train_.from(), columns);
  AlignedArray<float> chosen(blocks * width_ * kBlock);  // (blocks, width, kBlock), centred
  team_.for_each(blocks, [&](std::size_t block) {
    const std::size_t begin = block * kBlock, end = std::min(train_.rows(), begin + kBlock);
    std::vector<float> row(width_);
    for (std::size_t r = 0; r < end - begin; ++r) {
      reader.read_checked(begin + r, row.data());
      for (std::size_t j = 0; j < width_; ++j)
        chosen[(block * width_ + j) * kBlock + r] = static_cast<float>(row[j] - mean_[columns[j]]);
    }
  });

  cross_ = AlignedArray<double>(tiles_ * width_ * kLanes);
  team_.for_each(groups_, [&](std::size_t group) {
    check_stop(stop, "stopped while reconstructing");
    const std::size_t first = group * kGroup, last = std::min(tiles_, first + kGroup);
    std::vector<float> products(width_ * kLanes);
    for_each_block(train_, group, [&](const float* tiles, std::size_t begin, std::size_t) {
      for (std::size_t t = first; t < last; ++t) {
        tile_products(tiles + (t - first) * kBlock * kLanes, kBlock,
                      chosen.data() + begin / kBlock * width_ * kBlock, kBlock, width_,
                      products.data());
        double* sum = cross_.data() + t * width_ * kLanes;
        for (std::size_t i = 0; i < products.size(); ++i) sum[i] += products[i];
      }
    });
  });
}

/// chosen^T x chosen is a part of chosen^T x all.
void Ridge::decompose(std::size_t k, std::span<const std::uint32_t> columns) {
  std::vector<double> gram(k * k);
  const auto at = [&](std::size_t a, std::size_t b) {
    return cross_[(columns[b] / kLanes * width_ + a) * kLanes + columns[b] % kLanes];
  };
  for (std::size_t a = 0; a < k; ++a)
    for (std::size_t b = 0; b < k; ++b) gram[a * k + b] = (at(a, b) + at(b, a)) / 2;
  eigen_ = kernels::symmetric_eigen(std::move(gram), k);
  for (double& value : eigen_.values) value = std::max(0.0, value);
}

/// Generalised cross-validation (Golub, Heath and Wahba 1979): the least squared training error
/// over the squared number of degrees of freedom that the fit leaves. Both follow for every
/// penalty from one eigendecomposition.
double Ridge::choose_penalty() const {
  const std::size_t k = eigen_.values.size();
  const double unit =
      std::accumulate(eigen_.values.begin(), eigen_.values.end(), 0.0) / static_cast<double>(k);
  if (!(unit > 0)) return 0;

  std::vector<double> outer(k * k);  // cross x cross^T
  constexpr std::size_t kRows = 16;
  team_.for_each((k + kRows - 1) / kRows, [&](std::size_t part) {
    const std::size_t begin = part * kRows;
    for (std::size_t t = 0; t < tiles_; ++t) {
      const double* tile = cross_.data() + t * width_ * kLanes;
      kernels::gemm(std::min(kRows, k - begin), k, kLanes, 1, {tile + begin * kLanes, kLanes},
                    {tile, kLanes, true}, outer.data() + begin * k, k, true);
    }
  });
  std::vector<double> turned(k * k), explained(k);
  kernels::gemm(k, k, k, 1, {eigen_.vectors.data(), k}, {outer.data(), k}, turned.data(), k, false);
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = 0; j < k; ++j)
      explained[i] += turned[i * k + j] * eigen_.vectors[i * k + j];

  const double freedom = static_cast<double>(train_.rows()) - 1;
  double best = kMostPenalty * unit, least = std::numeric_limits<double>::infinity();
  for (double factor = kMostPenalty; factor > kLeastPenalty * 0.99; factor /= kPenaltyStep) {
    const double penalty = factor * unit;
    double error = train_squares_, left = freedom;
    for (std::size_t i = 0; i < k; ++i) {
      const double sum = eigen_.values[i] + penalty;
      error -= explained[i] * (eigen_.values[i] + 2 * penalty) / (sum * sum);
      left -= eigen_.values[i] / sum;
    }
    // With hardly any freedom left the error is all rounding, and its quotient means nothing.
    if (left < 0.02 * freedom || left <= 0) break;
    const double criterion = std::max(0.0, error) / (left * left);
    if (criterion < least) {
      least = criterion;
      best = penalty;
    }
  }
  return best;
}

void Ridge::solve(double penalty) {
  const std::size_t k = eigen_.values.size();
  solution_ = AlignedArray<float>(tiles_ * k * kLanes);
  if (!(penalty > 0)) return;  // constant columns predict the mean
  std::vector<double> divided = eigen_.vectors, inverse(k * k);
  for (std::size_t i = 0; i < k * k; ++i) divided[i] /= eigen_.values[i / k] + penalty;
  kernels::gemm(k, k, k, 1, {divided.data(), k, true}, {eigen_.vectors.data(), k}, inverse.data(),
                k, false);
  team_.for_each(groups_, [&](std::size_t group) {
    std::vector<double> coefficients(k * kLanes);
    for (std::size_t t = group * kGroup; t < std::min(tiles_, (group + 1) * kGroup); ++t) {
      kernels::gemm(k, kLanes, k, 1, {inverse.data(), k},
                    {cross_.data() + t * width_ * kLanes, kLanes}, coefficients.data(), kLanes,
                    false);
      std::copy(coefficients.begin(), coefficients.end(),
                solution_.begin() + static_cast<long>(t * k * kLanes));
    }
  });
}

double Ridge::test_error(std::size_t k, std::span<const float> chosen, std::size_t width) const {
  std::vector<double> errors(groups_);
  team_.for_each(groups_, [&](std::size_t group) {
    const std::size_t first = group * kGroup, last = std::min(tiles_, first + kGroup);
    std::vector<float> predicted(kBlock * kLanes);
    for_each_block(test_, group, [&](const float* tiles, std::size_t begin, std::size_t rows) {
      for (std::size_t t = first; t < last; ++t) {
        tile_products(solution_.data() + t * k * kLanes, k, chosen.data() + begin * width, width,
                      rows, predicted.data());
        const float* actual = tiles + (t - first) * kBlock * kLanes;
        for (std::size_t i = 0; i < rows * kLanes; ++i) {
          const double error = actual[i] - predicted[i];
          errors[group] += error * error;
        }
      }
    });
  });
  double total = 0;
  for (const double part : errors) total += part;
  return total;
}

std::vector<RidgeScore> Ridge::score(std::span<const std::uint32_t> columns,
                                     std::span<const std::size_t> ks,
                                     const std::atomic<bool>* stop) {
  const kernels::SerialBlas serial;
  accumulate(columns, stop);
  // (test rows, width), centred
  std::vector<float> chosen = RowReader(test_.from(), columns).gather(team_);
  for (std::size_t i = 0; i < chosen.size(); ++i)
    chosen[i] = static_cast<float>(chosen[i] - mean_[columns[i % width_]]);
  std::vector<RidgeScore> scores;
  for (const std::size_t k : ks) {
    check_stop(stop, "stopped while reconstructing");
    decompose(k, columns);
    const double penalty = choose_penalty();
    solve(penalty);
    scores.push_back({k, 1 - test_error(k, chosen, width_) / test_squares_, penalty});
  }
  return scores;
}

}  // namespace quickselection
