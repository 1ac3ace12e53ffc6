// tests/evaluation/clustering/hungarian_test.cpp
#include "evaluation/clustering/metrics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "kernels/random/random.h"

namespace quickselection {
namespace {

double gain_of(const std::vector<double>& gain, std::size_t columns,
               const std::vector<std::size_t>& match) {
  double sum = 0;
  for (std::size_t r = 0; r < match.size(); ++r)
    if (match[r] != kUnmatched) sum += gain[r * columns + match[r]];
  return sum;
}

/// Tries every way to give the rows distinct columns (or none).
double best_by_trying(const std::vector<double>& gain, std::size_t rows, std::size_t columns) {
  std::vector<std::size_t> order(std::max(rows, columns));
  std::iota(order.begin(), order.end(), std::size_t{0});
  double best = -INFINITY;
  do {
    double sum = 0;
    for (std::size_t r = 0; r < rows; ++r)
      if (order[r] < columns) sum += gain[r * columns + order[r]];
    best = std::max(best, sum);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

TEST(BestMatching, IsAsGoodAsTryingEverything) {
  kernels::RandomStream random(1, kernels::Purpose::evaluation);
  for (std::size_t rows = 1; rows <= 6; ++rows)
    for (std::size_t columns = 1; columns <= 6; ++columns)
      for (int round = 0; round < 8; ++round) {
        std::vector<double> gain(rows * columns);
        for (double& g : gain)  // few distinct values, so that there are ties
          g = round < 4 ? static_cast<double>(random.below(4)) : random.normal();
        const auto match = best_matching(gain, rows, columns);
        std::multiset<std::size_t> used;
        for (const std::size_t column : match)
          if (column != kUnmatched) used.insert(column);
        EXPECT_EQ(used.size(), std::min(rows, columns));
        for (const std::size_t column : used) EXPECT_EQ(used.count(column), 1u);
        EXPECT_NEAR(gain_of(gain, columns, match), best_by_trying(gain, rows, columns), 1e-9);
      }
}

TEST(BestMatching, FindsAHiddenPermutation) {
  constexpr std::size_t kSize = 200;
  const auto order =
      kernels::random_permutation(kSize, kernels::RandomStream(2, kernels::Purpose::evaluation));
  std::vector<double> gain(kSize * kSize, 1);
  for (std::size_t r = 0; r < kSize; ++r) gain[r * kSize + order[r]] = 2;
  const auto match = best_matching(gain, kSize, kSize);
  for (std::size_t r = 0; r < kSize; ++r) EXPECT_EQ(match[r], order[r]);
}

}  // namespace
}  // namespace quickselection
