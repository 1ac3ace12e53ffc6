// tests/experiment/scores_test.cpp: Score 1 and Score 2 on tables that were worked out by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quickselection/experiment.h"

namespace quickselection {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

constexpr int kRuns = 2;

SummaryCell cell(const std::string& data, const std::string& method, std::size_t k,
                 std::optional<double> classification, std::optional<double> clustering,
                 double seconds, double memory) {
  SummaryCell made;
  made.data = data;
  made.method = method;
  made.k = k;
  made.finished = kRuns;
  if (classification) made[Measure::classification] = Figure{*classification, 0, kRuns};
  if (clustering) made[Measure::clustering] = Figure{*clustering, 0, kRuns};
  made[Measure::seconds] = Figure{seconds, 0, kRuns};
  made[Measure::memory] = Figure{memory, 0, kRuns};
  return made;
}

SummaryCell failed(const std::string& data, const std::string& method, std::size_t k) {
  SummaryCell made;
  made.data = data;
  made.method = method;
  made.k = k;
  made.failed = kRuns;
  made.failure = "failed: diverged";
  return made;
}

testing::Matcher<std::array<double, 4>> Parts(double a, double b, double c, double d) {
  return ElementsAre(DoubleNear(a, 1e-12), DoubleNear(b, 1e-12), DoubleNear(c, 1e-12),
                     DoubleNear(d, 1e-12));
}

/// Two data sets in one group, one in another. On `one` a and b share the best classification, so
/// that c is second; b and c share the second clustering. On `two` a has failed. On `three` all
/// methods need the same time.
class Scores : public testing::Test {
 protected:
  const std::vector<SummaryCell> cells_ = {
      //            classification, clustering, seconds, memory
      cell("one", "a", 5, 0.9, 0.6, 1, 400),
      cell("one", "b", 5, 0.9, 0.5, 2, 300),
      cell("one", "c", 5, 0.8, 0.5, 4, 200),
      cell("one", "d", 5, 0.4, 0.1, 5, 100),
      failed("two", "a", 5),
      cell("two", "b", 5, 0.2, 0.7, 10, 50),
      cell("two", "c", 5, 0.6, 0.5, 30, 70),
      cell("two", "d", 5, 0.5, 0.6, 20, 90),
      cell("three", "a", 5, 0.5, 0.1, 3, 1),
      cell("three", "b", 5, 0.4, 0.2, 3, 2),
      cell("three", "c", 5, 0.3, 0.3, 3, 3),
      cell("three", "d", 5, 0.2, 0.4, 3, 5),
  };
  const std::vector<std::string> methods_ = {"a", "b", "c", "d"};
  const std::vector<DataGroup> groups_ = {{"small", {"one", "two"}}, {"large", {"three"}}};
};

TEST_F(Scores, CountFirstAndSecondPlaces) {
  const auto scores = score_methods(cells_, methods_, groups_, kRuns);
  ASSERT_EQ(scores.size(), 4u);
  // a: one: classification (tied first), clustering, seconds; three: classification, seconds (all
  // tied), memory.
  EXPECT_THAT(scores[0].score1.parts, Parts(2, 1, 2, 1));
  // b: one: all but memory; two: clustering, seconds, memory; three: classification, seconds,
  // memory.
  EXPECT_THAT(scores[1].score1.parts, Parts(2, 2, 3, 2));
  // c: one: classification (second behind a tie), clustering (tied second), memory; two:
  // classification, memory; three: clustering, seconds.
  EXPECT_THAT(scores[2].score1.parts, Parts(2, 2, 1, 2));
  // d: one: memory; two: classification, clustering, seconds; three: clustering, seconds.
  EXPECT_THAT(scores[3].score1.parts, Parts(1, 2, 2, 1));
  EXPECT_EQ(scores[1].score1.total(), 9);
}

TEST_F(Scores, AreDividedByTheDataSetsOfTheGroup) {
  const auto scores = score_methods(cells_, methods_, groups_, kRuns);
  EXPECT_THAT(scores[0].score1_normalised.parts, Parts(0.5 + 1, 0.5, 0.5 + 1, 1));
  EXPECT_THAT(scores[3].score1_normalised.parts, Parts(0.5, 0.5 + 1, 0.5 + 1, 0.5));
  ASSERT_EQ(scores[0].score1_by_group.size(), 2u);
  EXPECT_EQ(scores[0].score1_by_group[0].group, "small");
  EXPECT_EQ(scores[0].score1_by_group[0].data_sets, 2u);
  EXPECT_THAT(scores[0].score1_by_group[0].score.parts, Parts(1, 1, 1, 0));
  EXPECT_THAT(scores[0].score1_by_group[1].score.parts, Parts(1, 0, 1, 1));
}

TEST_F(Scores, AddMeasuresScaledFromWorstToBest) {
  const auto scores = score_methods(cells_, methods_, groups_, kRuns);
  // a: one: 1, 1, 1, 0; two: failed; three: 1, 0, 1 (all equal), 1.
  EXPECT_THAT(scores[0].score2.parts, Parts(2, 1, 2, 1));
  // b: one: 1, 4/5, 3/4, 1/3; two: 0, 1, 1, 1; three: 2/3, 1/3, 1, 3/4.
  EXPECT_THAT(scores[1].score2.parts,
              Parts(1 + 2.0 / 3, 0.8 + 1 + 1.0 / 3, 0.75 + 2, 1.0 / 3 + 1 + 0.75));
  // c: one: 4/5, 4/5, 1/4, 2/3; two: 1, 0, 0, 1/2; three: 1/3, 2/3, 1, 1/2.
  EXPECT_THAT(scores[2].score2.parts,
              Parts(0.8 + 1 + 1.0 / 3, 0.8 + 2.0 / 3, 1.25, 2.0 / 3 + 0.5 + 0.5));
  // d: one: 0, 0, 0, 1; two: 3/4, 1/2, 1/2, 0; three: 0, 1, 1, 0.
  EXPECT_THAT(scores[3].score2.parts, Parts(0.75, 1.5, 1.5, 1));
}

TEST_F(Scores, LeaveOutMethodsThatAreNotNamed) {
  const std::vector<std::string> two = {"c", "d"};
  const auto scores = score_methods(cells_, two, groups_, kRuns);
  ASSERT_EQ(scores.size(), 2u);
  // Of two methods both are first or second.
  EXPECT_THAT(scores[0].score1.parts, Parts(3, 3, 3, 3));
  EXPECT_THAT(scores[0].score2.parts, Parts(3, 1, 1 + 0 + 1, 0 + 1 + 1));
}

TEST_F(Scores, CountEveryK) {
  std::vector<SummaryCell> cells = cells_;
  for (SummaryCell one : cells_) {
    one.k = 10;
    cells.push_back(one);
  }
  const auto once = score_methods(cells_, methods_, groups_, kRuns);
  const auto twice = score_methods(cells, methods_, groups_, kRuns);
  for (std::size_t m = 0; m < once.size(); ++m) {
    EXPECT_EQ(twice[m].score1.total(), 2 * once[m].score1.total());
    EXPECT_NEAR(twice[m].score2.total(), 2 * once[m].score2.total(), 1e-12);
  }
}

TEST(ScoresOfMethods, NeedAllRuns) {
  std::vector<SummaryCell> cells = {cell("one", "a", 5, 0.9, 0.9, 1, 1),
                                    cell("one", "b", 5, 0.1, 0.1, 2, 2),
                                    cell("one", "c", 5, 0.2, 0.2, 3, 3)};
  cells[0].finished = 1;
  cells[0].failed = 1;
  const auto scores = score_methods(cells, std::vector<std::string>{"a", "b", "c"},
                                    std::vector<DataGroup>{{"all", {"one"}}}, kRuns);
  EXPECT_EQ(scores[0].score1.total(), 0);
  EXPECT_EQ(scores[0].score2.total(), 0);
  EXPECT_THAT(scores[1].score1.parts, Parts(1, 1, 1, 1));
  EXPECT_THAT(scores[2].score2.parts, Parts(1, 1, 0, 0));
}

TEST(ScoresOfMethods, PassOverMeasuresThatNobodyHas) {
  const std::vector<SummaryCell> cells = {cell("one", "a", 5, std::nullopt, std::nullopt, 1, 2),
                                          cell("one", "b", 5, std::nullopt, std::nullopt, 2, 1)};
  const auto scores = score_methods(cells, std::vector<std::string>{"a", "b"},
                                    std::vector<DataGroup>{{"all", {"one"}}}, kRuns);
  EXPECT_THAT(scores[0].score1.parts, Parts(0, 0, 1, 1));
  EXPECT_THAT(scores[0].score2.parts, Parts(0, 0, 1, 0));
}

TEST(ScoresOfMethods, ASingleMethodIsTheBest) {
  const std::vector<SummaryCell> cells = {cell("one", "a", 5, 0.5, 0.5, 1, 2)};
  const auto scores = score_methods(cells, std::vector<std::string>{"a"},
                                    std::vector<DataGroup>{{"all", {"one"}}}, kRuns);
  EXPECT_THAT(scores[0].score1.parts, Parts(1, 1, 1, 1));
  EXPECT_THAT(scores[0].score2.parts, Parts(1, 1, 1, 1));
  EXPECT_TRUE(score_methods({}, {}, {}, kRuns).empty());
}

}  // namespace
}  // namespace quickselection
