// tests/selectors/methods/aefs_test.cpp
#include <gtest/gtest.h>

#include <atomic>

#include "quickselection/error.h"
#include "support/selecting.h"

namespace quickselection {
namespace {

const std::vector<GivenOption> kSmallAefs = {{"epochs", "10"}, {"alpha", "0.01"}};

TEST(Aefs, FindsTheFeaturesThatShareASignal) {
  const Dataset data = signal_data(400, 40, 11, 8);
  const Selection selection =
      select_with(data, "aefs", {{"alpha", "0.01"}, {"hidden", "2"}, {"epochs", "400"}}, 8);
  EXPECT_EQ(found(selection, 8, 11, 8), 8u);
  expect_complete(selection, 40);
  EXPECT_EQ(selection.scale, ScaleMode::minmax);
  EXPECT_EQ(selection.loss.size(), 400u);
  EXPECT_LE(std::count_if(selection.scores.begin(), selection.scores.end(),
                          [](double score) { return score > 0; }),
            10)
      << "the penalty sets the weights of noise to zero";
}

TEST(Aefs, LeavesFeaturesOutCompletelyAndSaysWhenFewAreLeft) {
  const Dataset data = signal_data(400, 40, 11, 8);
  const auto unused = [](const Selection& selection) {
    return std::count(selection.scores.begin(), selection.scores.end(), 0.0);
  };
  const Selection weak = select_with(data, "aefs", {{"alpha", "0"}, {"epochs", "20"}}, 8);
  const Selection strong = select_with(data, "aefs", {{"alpha", "10"}, {"epochs", "20"}}, 8);
  EXPECT_EQ(unused(weak), 0);
  for (const Warning& warning : weak.warnings)
    EXPECT_NE(warning.kind, WarningKind::few_features_used);
  EXPECT_EQ(unused(strong), 40);
  ASSERT_FALSE(strong.warnings.empty());
  EXPECT_EQ(strong.warnings.back().kind, WarningKind::few_features_used);
}

TEST(Aefs, HasAsManyHiddenNeuronsAsFeaturesAreWanted) {
  const Dataset data = signal_data(50, 20, 0, 5);
  EXPECT_EQ(select_with(data, "aefs", kSmallAefs, 7).parameters, 2u * 20 * 7 + 27);
  EXPECT_EQ(
      select_with(data, "aefs", {{"epochs", "1"}, {"alpha", "0"}, {"hidden", "3"}}, 7).parameters,
      2u * 20 * 3 + 23);
}

TEST(Aefs, FindsAlphaOnHeldOutRows) {
  const Dataset data = signal_data(200, 20, 3, 8);
  const Selection selection = select_with(data, "aefs", {{"epochs", "30"}}, 4);
  ASSERT_EQ(selection.measures.size(), 1u);
  EXPECT_EQ(selection.measures[0].name, "alpha");
  const double alpha = std::get<double>(selection.measures[0].value);
  EXPECT_LE(alpha, 1) << "larger ones leave no feature at all";
  EXPECT_GE(alpha, 1e-4);
  // The result is the one of that alpha.
  const Selection same =
      select_with(data, "aefs", {{"epochs", "30"}, {"alpha", to_text(alpha)}}, 4);
  expect_same_result(selection, same);
}

// Where features have nothing in common, the least loss on held-out rows is that of a network
// without inputs.
TEST(Aefs, UsesAsManyFeaturesAsAreWantedWhereNothingCanBeLearnt) {
  for (const auto& [rows, epochs] : {std::pair(100, "10"), {300, "30"}}) {
    const Dataset noise = signal_data(static_cast<std::size_t>(rows), 60, 0, 0);
    const Selection selection = select_with(noise, "aefs", {{"epochs", epochs}}, 10);
    EXPECT_GE(std::count_if(selection.scores.begin(), selection.scores.end(),
                            [](double score) { return score > 0; }),
              10);
  }
}

TEST(Aefs, CountsTheEpochsOfAllTrainings) {
  RunContext context;
  std::size_t last = 0;
  context.progress = [&](const Progress& progress) {
    EXPECT_EQ(progress.epochs, 9u * 20000);
    EXPECT_GE(progress.done, last);
    EXPECT_LE(progress.done, progress.total);
    last = progress.done;
  };
  SelectOptions options;
  options.method = "aefs";
  options.method_options = {{"epochs", "20000"}};
  // Progress comes several times a second: long enough to see some, then it has shown enough.
  std::atomic<bool> stop{false};
  context.stop = &stop;
  const auto count = context.progress;
  context.progress = [&](const Progress& progress) {
    count(progress);
    stop = progress.done > 0;
  };
  EXPECT_THROW(select_features(signal_data(100, 20, 0, 5), options, context), Interrupted);
  EXPECT_GT(last, 0u);
}

TEST(Aefs, GivesTheSameBitsWithAnyNumberOfThreads) {
  const Dataset data = signal_data(150, 70, 5, 20);
  const std::vector<GivenOption> options = {{"epochs", "3"}};
  const Selection one = select_with(data, "aefs", options, 30, 1);
  expect_same_result(select_with(data, "aefs", options, 30, 2), one);
  expect_same_result(select_with(data, "aefs", options, 30, 3), one);
}

TEST(Aefs, SurvivesUglyData) {
  expect_to_survive_ugly_data("aefs", kSmallAefs);
  expect_to_survive_ugly_data("aefs", {{"epochs", "2"}});
}

TEST(Aefs, RefusesWhatItCannotUse) {
  const Dataset data = signal_data(10, 4, 0, 2);
  EXPECT_THROW(select_with(data, "aefs", {{"optimizer", "adam"}}), InvalidArgument);
  EXPECT_THROW(select_with(data, "aefs", {{"alpha", "-1"}}), InvalidArgument);
  EXPECT_THROW(select_with(data, "aefs", {{"alpha", "automatic"}}), InvalidArgument);
}

}  // namespace
}  // namespace quickselection
