// tests/selectors/methods/fcae_test.cpp
#include <gtest/gtest.h>

#include "quickselection/error.h"
#include "support/selecting.h"

namespace quickselection {
namespace {

const std::vector<GivenOption> kSmallFcae = {{"hidden", "30"}, {"epochs", "20"}};

TEST(Fcae, FindsTheFeaturesThatShareASignal) {
  const Dataset data = signal_data(400, 40, 11, 8);
  // One hidden unit has to choose, and weight decay forgets what it did not need.
  const Selection selection = select_with(data, "fcae",
                                          {{"hidden", "1"},
                                           {"epochs", "60"},
                                           {"dropout", "0"},
                                           {"weight-decay", "0.003"},
                                           {"learning-rate", "0.2"}});
  EXPECT_EQ(found(selection, 8, 11, 8), 8u);
  expect_complete(selection, 40);
  EXPECT_EQ(selection.loss.size(), 60u);
  EXPECT_LT(selection.loss.back(), selection.loss.front());
  EXPECT_EQ(selection.parameters, 2u * 40 + 41);
  EXPECT_TRUE(selection.warnings.empty());
}

TEST(Fcae, GivesTheSameBitsWithAnyNumberOfThreads) {
  const Dataset data = signal_data(150, 70, 5, 20);
  const Selection one = select_with(data, "fcae", kSmallFcae, 0, 1);
  expect_same_result(select_with(data, "fcae", kSmallFcae, 0, 2), one);
  expect_same_result(select_with(data, "fcae", kSmallFcae, 0, 3), one);
  EXPECT_NE(select_with(data, "fcae", kSmallFcae, 0, 1, 1).scores, one.scores);
}

TEST(Fcae, SurvivesUglyData) { expect_to_survive_ugly_data("fcae", kSmallFcae); }

TEST(Fcae, SaysWhenTrainingDiverges) {
  const Dataset data = signal_data(100, 20, 0, 5);
  EXPECT_THROW(select_with(data, "fcae",
                           {{"learning-rate", "1000"}, {"activation", "linear"}, {"epochs", "20"}}),
               Error);
}

TEST(Fcae, RefusesTheOptionsOfSparseTraining) {
  for (const char* name : {"epsilon", "zeta", "importance", "alpha"}) {
    try {
      select_with(signal_data(10, 4, 0, 2), "fcae", {{name, "0.5"}});
      FAIL() << name;
    } catch (const InvalidArgument& error) {
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos);
    }
  }
}

TEST(Fcae, StopsWhenAsked) {
  std::atomic<bool> stop{false};
  RunContext context;
  context.threads = 2;
  context.stop = &stop;
  int calls = 0;
  context.progress = [&](const Progress& progress) {
    EXPECT_EQ(progress.epochs, 1000000u);
    if (++calls == 2) stop = true;
  };
  SelectOptions options;
  options.method = "fcae";
  options.method_options = {{"hidden", "50"}, {"epochs", "1000000"}};
  EXPECT_THROW(select_features(signal_data(200, 30, 0, 5), options, context), Interrupted);
}

}  // namespace
}  // namespace quickselection
