// tests/selectors/incremental_test.cpp
#include "quickselection/incremental.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>
#include <vector>

#include "quickselection/error.h"
#include "support/sample_data.h"
#include "support/selecting.h"

namespace quickselection {
namespace {

SelectOptions small_chunks(const std::string& method, int epochs = 3) {
  SelectOptions options;
  options.method = method;
  options.k = 4;
  options.seed = 7;
  options.keep_network = true;
  options.method_options = {{"epochs", std::to_string(epochs)}, {"hidden", "9"}};
  return options;
}

RunContext threads(int count) {
  RunContext context;
  context.threads = count;
  return context;
}

class Incremental : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(EveryNetwork, Incremental,
                         ::testing::Values("quickselection", "fcae", "wast", "aefs",
                                           "concrete_autoencoder", "lottery_ticket"));

TEST_P(Incremental, TheSameChunkAgainAndAgainIsAnOrdinaryTraining) {
  const Dataset data = factor_data(130, 12);
  const SelectOptions options = small_chunks(GetParam());
  const Selection whole = select_features(data, options, threads(1));
  IncrementalSelection training(options);
  Selection last;
  for (std::size_t chunk = 0; chunk < whole.loss.size(); ++chunk)
    last = training.learn(data, threads(1 + static_cast<int>(chunk % 3)));
  expect_same_networks(last, whole);
}

TEST_P(Incremental, GoesOnAfterPacking) {
  const Dataset data = factor_data(200, 12);
  const Dataset chunks[] = {data.slice_rows(0, 70), data.slice_rows(70, 90),
                            data.slice_rows(90, 200)};
  IncrementalSelection training(small_chunks(GetParam()));
  Selection whole;
  for (const Dataset& chunk : chunks) whole = training.learn(chunk);
  std::string packed;
  Selection broken;
  for (const Dataset& chunk : chunks) {
    IncrementalSelection other(small_chunks(GetParam()), packed);
    broken = other.learn(chunk);
    packed = other.pack();
  }
  expect_same_networks(broken, whole);
}

TEST_P(Incremental, RefusesDamagedStates) {
  IncrementalSelection training(small_chunks(GetParam()));
  training.learn(factor_data(40, 5));
  const std::string whole = training.pack();
  for (const std::size_t length : {std::size_t{1}, std::size_t{30}, whole.size() - 1})
    EXPECT_THROW(IncrementalSelection(small_chunks(GetParam()), whole.substr(0, length)), Error);
  std::string changed = whole;
  changed[whole.size() - 3] = static_cast<char>(changed[whole.size() - 3] ^ 4);
  EXPECT_THROW(IncrementalSelection(small_chunks(GetParam()), changed), Error);
  EXPECT_NO_THROW(IncrementalSelection(small_chunks(GetParam()), whole));
}

TEST_P(Incremental, RefusesOtherFeaturesAndValuesThatAreNotFiniteAndStaysUsable) {
  const Dataset data = factor_data(60, 6);
  IncrementalSelection training(small_chunks(GetParam())), untouched(small_chunks(GetParam()));
  training.learn(data);
  untouched.learn(data);
  EXPECT_THROW(training.learn(factor_data(60, 7)), Error);
  const auto broken = Dataset::from_vector(std::vector<float>{1, 2, NAN, 4, 5, 6}, 1, 6);
  EXPECT_THROW(training.learn(broken), Error);
  expect_same_networks(training.learn(data), untouched.learn(data));
}

TEST_P(Incremental, AStoppedChunkIsNoEpoch) {
  const Dataset data = factor_data(400, 12);
  IncrementalSelection training(small_chunks(GetParam()));
  EXPECT_EQ(training.learn(data).loss.size(), 1u);
  const std::atomic<bool> stop{true};
  RunContext context;
  context.stop = &stop;
  EXPECT_THROW(training.learn(data, context), Interrupted);
  EXPECT_EQ(training.learn(data).loss.size(), 2u);
}

TEST_P(Incremental, TellsAboutEveryChunk) {
  const Dataset data = factor_data(60, 6);
  IncrementalSelection training(small_chunks(GetParam()));
  std::vector<std::size_t> epochs;
  std::vector<double> scores;
  RunContext context;
  context.after_epoch = [&](const EpochEnd& end) {
    epochs.push_back(end.epoch);
    scores.assign(end.scores.begin(), end.scores.end());
  };
  training.learn(data, context);
  const Selection selection = training.learn(data, context);
  EXPECT_EQ(epochs, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(scores, selection.scores);
}

TEST(IncrementalSelection, RefusesMethodsThatCannot) {
  for (const char* method : {"variance", "laplacian_score", "mcfs", "udfs"}) {
    EXPECT_FALSE(method_info(method).trains) << method;
    SelectOptions options;
    options.method = method;
    EXPECT_THROW(IncrementalSelection{options}, InvalidArgument) << method;
  }
  SelectOptions unknown = small_chunks("quickselection");
  unknown.method_options.push_back({"colour", "red"});
  EXPECT_THROW(IncrementalSelection{unknown}, InvalidArgument);
}

// The weakest of each sign die and as many grow: the count stays, the places do not.
TEST(IncrementalSelection, TheTopologyEvolvesOnceForEachChunk) {
  const Dataset data = factor_data(60, 30);
  SelectOptions options = small_chunks("quickselection");
  options.method_options.push_back({"epsilon", "2"});
  IncrementalSelection training(options);
  std::vector<std::vector<std::uint32_t>> places;
  for (int chunk = 0; chunk < 3; ++chunk) places.push_back(training.learn(data).network[0].columns);
  EXPECT_EQ(places[0].size(), places[1].size());
  EXPECT_NE(places[0], places[1]);
  EXPECT_NE(places[1], places[2]);
}

// Every network method tells about its epochs and gives its weights.
class Networks : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, Networks,
                         ::testing::Values("quickselection", "fcae", "wast", "aefs",
                                           "lottery_ticket", "concrete_autoencoder"));

TEST_P(Networks, TellTheirScoresAfterEachEpoch) {
  std::size_t last = 0;
  std::vector<double> scores, loss;
  RunContext context;
  context.after_epoch = [&](const EpochEnd& end) {
    EXPECT_EQ(end.epoch, ++last);
    scores.assign(end.scores.begin(), end.scores.end());
    loss.push_back(end.loss);
  };
  const Selection selection =
      select_features(factor_data(80, 10), small_chunks(GetParam()), context);
  EXPECT_EQ(loss, selection.loss);
  EXPECT_EQ(scores, selection.scores);
}

TEST_P(Networks, GiveTheirWeightsLayerByLayer) {
  const Selection selection = select_features(factor_data(80, 10), small_chunks(GetParam()));
  ASSERT_GE(selection.network.size(), 2u);
  EXPECT_EQ(selection.network.front().inputs, 10u);
  EXPECT_EQ(selection.network.back().outputs, 10u);
  std::size_t width = 10;
  for (const LayerWeights& layer : selection.network) {
    EXPECT_EQ(layer.inputs, width);
    width = layer.outputs;
    EXPECT_EQ(layer.bias.size(), layer.outputs);
    if (layer.is_dense()) {
      EXPECT_EQ(layer.weights.size(), layer.inputs * layer.outputs);
      continue;
    }
    ASSERT_EQ(layer.offsets.size(), layer.outputs + 1);
    EXPECT_EQ(layer.offsets.back(), layer.weights.size());
    EXPECT_EQ(layer.columns.size(), layer.weights.size());
    for (std::size_t j = 0; j < layer.outputs; ++j)
      EXPECT_TRUE(std::is_sorted(layer.columns.begin() + static_cast<long>(layer.offsets[j]),
                                 layer.columns.begin() + static_cast<long>(layer.offsets[j + 1])));
  }
}

// The strength of a dense network, from the weights it gives.
TEST(Networks, WeightsExplainTheScores) {
  const Selection selection = select_features(factor_data(80, 10), small_chunks("fcae"));
  std::vector<double> strength(10);
  const LayerWeights& first = selection.network.front();
  ASSERT_TRUE(first.is_dense());
  ASSERT_EQ(first.weights.size(), 10u * first.outputs);
  for (std::size_t k = 0; k < first.weights.size(); ++k)
    strength[k % 10] += std::fabs(first.weights[k]);
  for (std::size_t f = 0; f < 10; ++f) EXPECT_NEAR(strength[f], selection.scores[f], 1e-6);
}

}  // namespace
}  // namespace quickselection
