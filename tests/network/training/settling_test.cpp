// tests/network/training/settling_test.cpp: when a ranking has settled.
#include "network/training/settling.h"

#include <gtest/gtest.h>

namespace quickselection {
namespace {

const std::vector<double> kScores = {1, 5, 2, 4, 3, 9};
const std::vector<double> kFlat(10, 1.0);
constexpr std::uint64_t kMany = 1000;

TEST(HasSettled, NeedsScoresThatHardlyChange) {
  EXPECT_TRUE(has_settled(kScores, kScores, kFlat));
  EXPECT_TRUE(has_settled(kScores, std::vector<double>{11, 51, 21, 41, 31, 91}, kFlat));
  EXPECT_FALSE(has_settled(kScores, std::vector<double>{9, 4, 3, 5, 1, 2}, kFlat));
  EXPECT_FALSE(has_settled(kScores, std::vector<double>{-1, -5, -2, -4, -3, -9}, kFlat));
}

TEST(HasSettled, ComparesTheCorrelationWithNineTenths) {
  // The correlation of these pairs is 1 / sqrt(1 + x²).
  const auto with = [](double x) { return std::vector<double>{1 + x, 1 - x, -1 + x, -1 - x}; };
  EXPECT_TRUE(has_settled(with(0), with(0.48), kFlat));
  EXPECT_FALSE(has_settled(with(0), with(0.49), kFlat));
}

TEST(HasSettled, NeedsALossThatHardlyFellInTheSecondHalf) {
  EXPECT_TRUE(has_settled(kScores, kScores, std::vector<double>{2, 1.5, 1.0, 0.9, 0.87, 0.85}));
  EXPECT_FALSE(has_settled(kScores, kScores, std::vector<double>{2, 1.5, 1.0, 0.9, 0.87, 0.83}));
  EXPECT_TRUE(has_settled(kScores, kScores, std::vector<double>{1, 2}));  // a rising one rests
}

TEST(HasSettled, TakesScoresThatDoNotVaryForSettledOnlyWhenTheyNeverDid) {
  const std::vector<double> equal(6, 3.0), one = {4}, other = {7};
  EXPECT_TRUE(has_settled(equal, equal, kFlat));
  EXPECT_TRUE(has_settled(one, other, kFlat));
  EXPECT_FALSE(has_settled(equal, kScores, kFlat));
  EXPECT_FALSE(has_settled(kScores, equal, kFlat));
}

TEST(Settling, LooksEveryFiveEpochsAndNeedsTwoLooks) {
  EXPECT_FALSE(Settling::looks_after(4));
  EXPECT_TRUE(Settling::looks_after(5));
  EXPECT_TRUE(Settling::looks_after(10));
  Settling settling(kScores.size());
  EXPECT_FALSE(settling.settled());
  settling.look(kScores, std::span(kFlat).first(5), kMany);
  EXPECT_FALSE(settling.settled());
  settling.look(kScores, kFlat, kMany);
  EXPECT_TRUE(settling.settled());
}

TEST(Settling, OfOneFeatureTakesTwoLooksAsWell) {
  const std::vector<double> one = {1};
  Settling settling(1);
  settling.look(one, std::span(kFlat).first(5), kMany);
  EXPECT_FALSE(settling.settled());
  settling.look(one, kFlat, kMany);
  EXPECT_TRUE(settling.settled());
}

TEST(Settling, NeedsThreeHundredSteps) {
  Settling settling(kScores.size());
  settling.look(kScores, std::span(kFlat).first(5), 150);
  settling.look(kScores, kFlat, 299);
  EXPECT_FALSE(settling.settled());
  settling.look(kScores, kFlat, 300);
  EXPECT_TRUE(settling.settled());
}

}  // namespace
}  // namespace quickselection
