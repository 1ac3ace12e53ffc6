// tests/selectors/methods/wast_test.cpp
#include <gtest/gtest.h>

#include "quickselection/error.h"
#include "quickselection/generators.h"
#include "support/sample_data.h"
#include "support/selecting.h"

namespace quickselection {
namespace {

const std::vector<GivenOption> kSmallWast = {{"hidden", "20"}, {"epochs", "3"}};

TEST(Wast, PutsRelevantFeaturesOfGeneratedDataFirst) {
  // Its importance is mostly error, so copies that are easily rebuilt do not come first: only some
  // of the 20 relevant features do.
  const Generated generated = generate_madelon({}, 1);
  const Selection selection = select_with(generated.data, "wast", {});
  for (std::size_t r = 0; r < 7; ++r)
    EXPECT_TRUE(std::binary_search(generated.relevant.begin(), generated.relevant.end(),
                                   selection.ranking[r]))
        << "rank " << r + 1;
  expect_complete(selection, 500);
}

double lambda_of(const Selection& selection) {
  EXPECT_EQ(selection.measures.size(), 1u);
  EXPECT_EQ(selection.measures.at(0).name, "lambda");
  return std::get<double>(selection.measures.at(0).value);
}

TEST(Wast, FindsLambdaByWhatFeaturesHaveInCommon) {
  // Independent features, and features that all follow two factors.
  EXPECT_EQ(lambda_of(select_with(signal_data(300, 60, 0, 1), "wast", kSmallWast)), 0.9);
  EXPECT_EQ(lambda_of(select_with(factor_data(300, 60), "wast", kSmallWast)), 0.05);
}

TEST(Wast, DoesNotTakeFewRowsForCorrelations) {
  EXPECT_EQ(lambda_of(select_with(signal_data(12, 400, 0, 1), "wast", kSmallWast)), 0.9);
  EXPECT_EQ(lambda_of(select_with(signal_data(1, 5, 0, 1), "wast", kSmallWast)), 0.9);
  EXPECT_EQ(lambda_of(select_with(signal_data(30, 1, 0, 1), "wast", kSmallWast)), 0.9);
}

TEST(Wast, IsTheSameWithTheLambdaThatItFound) {
  const Dataset data = factor_data(300, 60);
  const Selection found = select_with(data, "wast", kSmallWast);
  auto given = kSmallWast;
  given.push_back({"lambda", "0.05"});
  const Selection same = select_with(data, "wast", given);
  EXPECT_EQ(same.scores, found.scores);
  EXPECT_EQ(same.loss, found.loss);
  EXPECT_TRUE(same.measures.empty());
  given.back().text = "0.9";
  EXPECT_NE(select_with(data, "wast", given).scores, found.scores);
}

TEST(Wast, KeepsTheVariancesOfFeatures) {
  EXPECT_EQ(select_with(factor_data(40, 6), "wast", kSmallWast).scale, ScaleMode::center);
}

TEST(Wast, UsesTheDensityItIsGiven) {
  const Dataset data = signal_data(100, 50, 0, 5);
  EXPECT_EQ(select_with(data, "wast", kSmallWast).parameters, 2u * 200 + 70);
  EXPECT_EQ(
      select_with(data, "wast", {{"hidden", "20"}, {"epochs", "1"}, {"density", "1"}}).parameters,
      2u * 1000 + 70);
}

TEST(Wast, GivesTheSameBitsWithAnyNumberOfThreads) {
  const Dataset data = signal_data(300, 70, 5, 20);
  const Selection one = select_with(data, "wast", kSmallWast, 0, 1);
  expect_same_result(select_with(data, "wast", kSmallWast, 0, 2), one);
  EXPECT_NE(select_with(data, "wast", kSmallWast, 0, 1, 1).scores, one.scores);
}

TEST(Wast, SurvivesUglyData) { expect_to_survive_ugly_data("wast", kSmallWast); }

TEST(Wast, RefusesWhatItCannotUse) {
  const Dataset data = signal_data(10, 4, 0, 2);
  for (const char* name : {"epsilon", "optimizer", "output-activation", "importance"})
    EXPECT_THROW(select_with(data, "wast", {{name, "1"}}), InvalidArgument) << name;
  EXPECT_THROW(select_with(data, "wast", {{"density", "0"}}), InvalidArgument);
  EXPECT_THROW(select_with(data, "wast", {{"lambda", "1.5"}}), InvalidArgument);
  EXPECT_THROW(select_with(data, "wast", {{"hidden", "20,30"}}), InvalidArgument);
}

}  // namespace
}  // namespace quickselection
