// tests/evaluation/stability/stability_test.cpp
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <tuple>

#include "kernels/random/random.h"
#include "quickselection/error.h"
#include "quickselection/stability.h"

namespace quickselection {
namespace {

using Rankings = std::vector<std::vector<std::uint32_t>>;

Rankings random_rankings(std::size_t runs, std::size_t features, std::uint64_t seed) {
  Rankings rankings;
  for (std::uint32_t run = 0; run < runs; ++run)
    rankings.push_back(kernels::random_permutation(
        features, kernels::RandomStream(seed, kernels::Purpose::evaluation, run)));
  return rankings;
}

TEST(StabilityOfRankings, AgreesWithValuesWorkedOutByHand) {
  // Frequencies 1, 1/2, 1/2, 0: variances 0, 1/2, 1/2, 0, mean 1/4; by chance 1/2 * 1/2.
  const Stability half = stability(Rankings{{0, 1, 2, 3}, {2, 0, 3, 1}}, 4, 2);
  EXPECT_DOUBLE_EQ(half.index, 0);
  EXPECT_DOUBLE_EQ(half.overlap, 0.5);
  EXPECT_DOUBLE_EQ(half.overlap_by_chance, 0.5);
  EXPECT_EQ(half.frequency, (std::vector<double>{1, 0.5, 0.5, 0}));
}

TEST(StabilityOfRankings, IsOneWhenAllRunsAgreeInAnyOrder) {
  const Stability same = stability(Rankings{{0, 1, 2}, {1, 0, 4}, {1, 0, 3}}, 10, 2);
  EXPECT_DOUBLE_EQ(same.index, 1);
  EXPECT_DOUBLE_EQ(same.overlap, 1);
  EXPECT_DOUBLE_EQ(same.variance, 0);
  EXPECT_DOUBLE_EQ(same.lower, 1);
  EXPECT_DOUBLE_EQ(same.upper, 1);
}

TEST(StabilityOfRankings, IsNegativeWhenRunsAvoidEachOther) {
  EXPECT_DOUBLE_EQ(stability(Rankings{{0, 1}, {2, 3}}, 4, 2).index, -1);
}

TEST(StabilityOfRankings, IsTheOverlapCorrectedForChance) {
  // With equal k the index is (overlap - chance) / (1 - chance): Kuncheva's index.
  const Rankings rankings = random_rankings(6, 30, 1);
  const Stability found = stability(rankings, 30, 12);
  double overlap = 0;
  for (std::size_t a = 0; a < 6; ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const std::set<std::uint32_t> top(rankings[a].begin(), rankings[a].begin() + 12);
      for (std::size_t i = 0; i < 12; ++i) overlap += top.count(rankings[b][i]) / 12.0 / 15.0;
    }
  EXPECT_NEAR(found.overlap, overlap, 1e-12);
  EXPECT_NEAR(found.index, (overlap - 0.4) / 0.6, 1e-12);
}

TEST(StabilityOfRankings, HasTheVarianceOfThePapersFormula) {
  const std::size_t runs = 7, d = 40, k = 9;
  const Rankings rankings = random_rankings(runs, d, 2);
  const Stability found = stability(rankings, d, k);
  const double n = d, m = runs, size = k;
  const double denominator = size / n * (1 - size / n);
  std::vector<double> own;
  double mean = 0;
  for (const auto& ranking : rankings) {
    double sum = 0;
    for (std::size_t f = 0; f < k; ++f) sum += found.frequency[ranking[f]];
    own.push_back((sum / n - size * size / (n * n) -
                   found.index / 2 * (2 * size * size / (n * n) - size / n - size / n + 1)) /
                  denominator);
    mean += own.back() / m;
  }
  double variance = 0;
  for (const double value : own) variance += 4 / (m * m) * (value - mean) * (value - mean);
  EXPECT_NEAR(found.variance, variance, 1e-12);
  EXPECT_NEAR(found.lower, found.index - 1.96 * std::sqrt(variance), 1e-4);
  EXPECT_NEAR(found.upper, found.index + 1.96 * std::sqrt(variance), 1e-4);
}

TEST(StabilityOfRankings, IsNearZeroForRandomSelectionsAndItsIntervalCoversZero) {
  int covered = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Stability found = stability(random_rankings(20, 100, 100 + seed), 100, 10);
    EXPECT_NEAR(found.index, 0, 0.06);
    covered += found.lower <= 0 && found.upper >= 0;
  }
  EXPECT_GT(covered, 170);  // 95 % holds for many runs; 20 are not many
}

TEST(StabilityOfRankings, RefusesWhatItCannotMeasure) {
  EXPECT_THROW(stability(Rankings{{0, 1}}, 4, 2), InvalidArgument);          // one run
  EXPECT_THROW(stability(Rankings{{0, 1}, {0, 1}}, 2, 2), InvalidArgument);  // all features
  EXPECT_THROW(stability(Rankings{{0, 1}, {0, 1}}, 4, 0), InvalidArgument);  // none
  EXPECT_THROW(stability(Rankings{{0, 1}, {0}}, 4, 2), InvalidArgument);     // too short
  EXPECT_THROW(stability(Rankings{{0, 1}, {0, 4}}, 4, 2), InvalidArgument);  // not a feature
  EXPECT_THROW(stability(Rankings{{0, 1}, {3, 3}}, 4, 2), InvalidArgument);  // twice
}

TEST(StabilityInWords, IsPlainAboutChance) {
  const auto judged = [](double index, double lower) {
    Stability found;
    found.runs = 10;
    found.k = 50;
    found.index = index;
    found.lower = lower;
    found.runs_are = "runs";
    return describe(found);
  };
  for (const auto& [index, lower, word] : {std::tuple{0.05, 0.03, "chance"},
                                           {0.2, -0.1, "chance"},
                                           {0.2, 0.1, "low"},
                                           {0.5, 0.4, "fair"},
                                           {0.8, 0.7, "high"}}) {
    const std::string text = judged(index, lower);
    EXPECT_EQ(text.find("little better than chance") != std::string::npos,
              std::string(word) == "chance")
        << text;
    EXPECT_NE(text.find(word), std::string::npos) << text;
  }
  EXPECT_NE(describe(stability(Rankings{{0, 1}, {0, 2}}, 8, 2, "runs with other seeds"))
                .find("2 runs with other seeds share 50 % of their best 2 features on average; "
                      "random choices would share 25 %"),
            std::string::npos);
}

}  // namespace
}  // namespace quickselection
