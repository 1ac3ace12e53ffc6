// tests/network/layers/importance_test.cpp: every measure on a network small enough to do it by
// hand.
#include "network/layers/importance.h"

#include <gmock/gmock.h>

#include <vector>

#include "support/layers.h"

namespace quickselection {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

constexpr float kNone = 99;

/// 4 features, 3 hidden neurons. Rows are the neurons that a layer feeds.
std::vector<SparseLayer> network() {
  std::vector<SparseLayer> layers;
  layers.push_back(layer_from({{1, -2, kNone, 0.5f},         // strength 3.5
                               {kNone, 4, -0.25f, kNone},    // 4.25
                               {0.125f, kNone, kNone, -1}},  // 1.125
                              kNone));
  layers.push_back(layer_from(
      {{2, kNone, -1}, {kNone, 0.5f, kNone}, {kNone, kNone, kNone}, {-3, 0.25f, 8}}, kNone));
  return layers;
}

std::vector<double> scores(Importance measure, double zeta = 0) {
  const auto layers = network();
  return importance(layers, measure, zeta);
}

TEST(Importance, StrengthSumsMagnitudesOfOutgoingWeights) {
  EXPECT_THAT(scores(Importance::strength), ElementsAre(1.125, 6, 0.25, 1.5));
}

TEST(Importance, OutputStrengthSumsMagnitudesOfWeightsIntoTheOutput) {
  EXPECT_THAT(scores(Importance::output_strength), ElementsAre(3, 0.5, 0, 11.25));
}

TEST(Importance, DegreesCountConnections) {
  EXPECT_THAT(scores(Importance::input_degree), ElementsAre(2, 2, 1, 2));
  EXPECT_THAT(scores(Importance::output_degree), ElementsAre(2, 1, 0, 3));
}

TEST(Importance, StrengthOfTheTopHiddenLeavesOutTheWeakerHalf) {
  // Half of three, rounded up: the neurons 1 and 0.
  EXPECT_THAT(scores(Importance::strength_top_hidden), ElementsAre(1, 6, 0.25, 0.5));
}

TEST(Importance, CountsOnlyWhatSurvivesOneMoreRemoval) {
  // First layer, positive 0.125 0.5 1 4, negative -0.25 -1 -2: a share of 0.5 removes two and one.
  EXPECT_THAT(scores(Importance::strength, 0.5), ElementsAre(1, 6, 0, 1));
  EXPECT_THAT(scores(Importance::input_degree, 0.5), ElementsAre(1, 2, 0, 1));
  // Second layer, positive 0.25 0.5 2 8, negative -1 -3.
  EXPECT_THAT(scores(Importance::output_strength, 0.5), ElementsAre(2, 0, 0, 11));
  EXPECT_THAT(scores(Importance::output_degree, 0.5), ElementsAre(1, 0, 0, 2));
  // Survivors of the neurons: 1 2, 4, 1: the two strongest are 1 and 0.
  EXPECT_THAT(scores(Importance::strength_top_hidden, 0.5), ElementsAre(1, 6, 0, 0));
}

TEST(Importance, TopHiddenTakesTheFirstOfEqualNeurons) {
  std::vector<SparseLayer> layers;
  layers.push_back(layer_from({{1, kNone}, {kNone, 1}}, kNone));
  EXPECT_THAT(importance(layers, Importance::strength_top_hidden, 0), ElementsAre(1, 0));
}

TEST(Importance, LooksAtTheFirstAndLastOfManyLayers) {
  auto layers = network();
  layers.insert(layers.begin() + 1, layer_from({{1000, 1000, 1000}, {1, 1, 1}, {1, 1, 1}}, kNone));
  for (int m = 0; m <= 4; ++m) {
    const auto measure = static_cast<Importance>(m);
    EXPECT_EQ(importance(layers, measure, 0.3), scores(measure, 0.3)) << m;
  }
}

TEST(Importance, RemovesNothingFromADenseLayer) {
  std::vector<SparseLayer> layers;
  layers.push_back(layer_from({{0.001f, -0.002f}, {3, -4}}, kNone));
  const auto found = importance(layers, Importance::strength, 0.5);
  EXPECT_THAT(found, Pointwise(DoubleNear(1e-6), {3.001, 4.002}));
}

TEST(Importance, GivesZeroToAFeatureWithoutConnections) {
  std::vector<SparseLayer> layers;
  layers.push_back(layer_from({{1, kNone, 2}, {kNone, kNone, 3}}, kNone));
  for (const auto measure : {Importance::strength, Importance::input_degree})
    EXPECT_EQ(importance(layers, measure, 0)[1], 0);
}

TEST(Importance, AddsUpInDoublePrecision) {
  // A float sum of a million times 0.1 would be off by about 1 %.
  std::vector<SparseLayer> layers;
  layers.push_back(layer_from(std::vector<std::vector<float>>(1'000'000, {0.1f}), kNone));
  EXPECT_NEAR(importance(layers, Importance::strength, 0)[0], 1e6 * 0.1f, 1e-3);
}

}  // namespace
}  // namespace quickselection
