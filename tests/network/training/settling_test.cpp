// tests/network/training/settling_test.cpp: when a ranking has settled.
#include "network/training/settling.h"

#include <gtest/gtest.h>

#include <cmath>

namespace quickselection {
namespace {

const std::vector<double> kScores = {1, 5, 2, 4, 3, 9};
const std::vector<double> kFlat(10, 1.0);
// Falls by a fifth of its beginning in the second half.
const std::vector<double> kFalling = {2, 1.9, 1.8, 1.7, 1.6, 1.5, 1.4, 1.3, 1.25, 1.2};
constexpr std::uint64_t kMany = 1000;

/// The correlation of two of these is 1 / sqrt(1 + x²), x being their difference, when one is 0.
std::vector<double> with(double x) { return {1 + x, 1 - x, -1 + x, -1 - x}; }
/// The x that gives the distance 1 - correlation.
double at(double distance) { return std::sqrt(1 / (1 - distance) / (1 - distance) - 1); }

/// Whether the last of some looks, five epochs apart, finds the ranking settled.
bool settles(const std::vector<std::vector<double>>& looks, const std::vector<double>& loss,
             std::uint64_t steps = kMany, bool never_rest = false) {
  Settling settling(looks.front().size(), never_rest);
  for (const auto& scores : looks) settling.look(scores, loss, steps);
  return settling.settled();
}

TEST(Settling, NeedsScoresThatHardlyMoveWhereTheLossRests) {
  EXPECT_TRUE(settles({kScores, kScores}, kFlat));
  EXPECT_TRUE(settles({kScores, {11, 51, 21, 41, 31, 91}}, kFlat));
  EXPECT_FALSE(settles({kScores, {9, 4, 3, 5, 1, 2}}, kFlat));
  EXPECT_FALSE(settles({kScores, {-1, -5, -2, -4, -3, -9}}, kFlat));
  EXPECT_TRUE(settles({with(0), with(at(0.049))}, kFlat));
  EXPECT_FALSE(settles({with(0), with(at(0.051))}, kFlat));
}

TEST(Settling, TakesALossThatHardlyFellInTheSecondHalfForOneThatRests) {
  const std::vector<std::vector<double>> near = {with(0), with(at(0.04))};
  EXPECT_TRUE(settles(near, {2, 1.9, 1.8, 1.4, 1.0, 0.9, 0.9, 0.9, 0.87, 0.85}));
  EXPECT_FALSE(settles(near, {2, 1.9, 1.8, 1.4, 1.0, 0.9, 0.9, 0.9, 0.87, 0.83}));
  EXPECT_TRUE(settles(near, {1, 1, 1, 1, 1, 2, 2, 2, 2, 2}));  // a rising one rests
}

TEST(Settling, EndsWhereConnectionsComeAndGoWhenScoresMoveAsMuchAsBefore) {
  // From the first to 0 the scores move by `first`, from there to the last by `second`.
  const auto ends = [](double first, double second, bool never_rest = true) {
    return settles({with(at(first)), with(0), with(at(second))}, kFalling, kMany, never_rest);
  };
  EXPECT_TRUE(ends(0.08, 0.08));
  EXPECT_TRUE(ends(0.08, 0.077));
  EXPECT_FALSE(ends(0.08, 0.075));  // they still come nearer
  EXPECT_TRUE(ends(0.08, 0.099));
  EXPECT_FALSE(ends(0.08, 0.101));  // they have not come near at all
  EXPECT_FALSE(ends(0.08, 0.08, false));
}

TEST(Settling, TakesScoresThatDoNotVaryForSettledOnlyWhenTheyNeverDid) {
  const std::vector<double> equal(6, 3.0);
  EXPECT_TRUE(settles({equal, equal}, kFlat));
  EXPECT_TRUE(settles({{4}, {7}}, kFlat));
  EXPECT_FALSE(settles({equal, kScores}, kFlat));
  EXPECT_FALSE(settles({kScores, equal}, kFlat));
}

TEST(Settling, LooksEveryFiveEpochsAndNeedsTwoLooks) {
  EXPECT_FALSE(Settling::looks_after(4));
  EXPECT_TRUE(Settling::looks_after(5));
  EXPECT_TRUE(Settling::looks_after(10));
  for (const auto& scores : {kScores, std::vector<double>{1}}) {
    Settling settling(scores.size(), true);
    EXPECT_FALSE(settling.settled());
    settling.look(scores, std::span(kFlat).first(5), kMany);
    EXPECT_FALSE(settling.settled());
    settling.look(scores, kFlat, kMany);
    EXPECT_TRUE(settling.settled());
  }
}

TEST(Settling, NeedsThreeHundredSteps) {
  EXPECT_FALSE(settles({kScores, kScores}, kFlat, 299));
  EXPECT_TRUE(settles({kScores, kScores}, kFlat, 300));
}

}  // namespace
}  // namespace quickselection
