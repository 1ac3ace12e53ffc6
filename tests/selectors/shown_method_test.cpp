// tests/selectors/shown_method_test.cpp: the method that CONTRIBUTING.md shows does what it says.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "quickselection/error.h"
#include "selectors/method.h"
#include "support/sample_data.h"
#include "support/temp_folder.h"

namespace quickselection {

extern const Method kPlainAutoencoder;

namespace {

struct Rig {
  const Dataset data = factor_data(90, 14);
  Team team{1};
  const Scaler scaler = fit_scaler(data, ScaleMode::standard, 0, team);
  RunContext context;
  CheckpointPlan checkpoints;

  MethodOutput output(const std::string& epochs) {
    const std::vector<GivenOption> given{{"epochs", epochs}, {"hidden", "8"}};
    return kPlainAutoencoder.run({data, scaler, given, 5, 1, team, context, checkpoints, true});
  }
};

TEST(ShownMethod, RanksByANetworkThatKeepsItsConnections) {
  Rig run;
  const MethodOutput early = run.output("1"), late = run.output("6");
  EXPECT_EQ(late.scores.size(), 14u);
  EXPECT_EQ(late.loss.size(), 6u);
  EXPECT_LT(late.loss.back(), late.loss.front());
  ASSERT_EQ(early.network.size(), 2u);
  for (std::size_t l = 0; l < 2; ++l) {
    EXPECT_EQ(early.network[l].columns, late.network[l].columns);
    EXPECT_NE(early.network[l].weights, late.network[l].weights);
  }
}

TEST(ShownMethod, KeepsCheckpointsAndLearnsFromChunks) {
  const TempFolder folder;
  Rig run;
  const MethodOutput whole = run.output("4");
  run.checkpoints.save = (folder / "state").string();
  run.output("2");
  run.checkpoints = {"", 1, run.checkpoints.save};
  EXPECT_EQ(run.output("4").scores, whole.scores);
  EXPECT_TRUE(kPlainAutoencoder.trains());
  EXPECT_TRUE(kPlainAutoencoder.epochs_may_grow);
}

TEST(ShownMethod, DescribesItsOptionsAndRefusesOthers) {
  const auto options = kPlainAutoencoder.options.describe();
  const auto has = [&](const std::string& name) {
    return std::any_of(options.begin(), options.end(),
                       [&](const OptionInfo& option) { return option.name == name; });
  };
  EXPECT_TRUE(has("epsilon"));
  EXPECT_FALSE(has("zeta"));
  const std::vector<GivenOption> wrong{{"zeta", "0.1"}};
  EXPECT_THROW(kPlainAutoencoder.options.check(wrong, "plain_autoencoder"), InvalidArgument);
}

}  // namespace
}  // namespace quickselection
