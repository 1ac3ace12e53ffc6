// tests/network/layers/topology_test.cpp
#include "network/layers/topology.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include "kernels/random/random.h"
#include "support/layers.h"
#include "support/statistics.h"

namespace quickselection {
namespace {

using kernels::Optimizer;
using kernels::Purpose;
using kernels::RandomStream;

/// Which weights go, found by sorting each sign.
std::vector<bool> weakest_by_sorting(const std::vector<float>& weights, double zeta) {
  std::vector<bool> dropped(weights.size());
  for (const bool positive : {true, false}) {
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < weights.size(); ++k)
      if ((weights[k] >= 0) == positive) order.push_back(k);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::fabs(weights[a]) < std::fabs(weights[b]);
    });
    const double count = std::floor(zeta * static_cast<double>(order.size()));
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) dropped[order[i]] = true;
  }
  return dropped;
}

std::vector<bool> weakest(const std::vector<float>& weights, double zeta) {
  WeakestOfEachSign chooser(weights, zeta);
  const std::size_t count = chooser.count();
  std::vector<bool> dropped;
  for (const float w : weights) dropped.push_back(chooser.drops(w));
  EXPECT_EQ(static_cast<std::size_t>(std::count(dropped.begin(), dropped.end(), true)), count);
  return dropped;
}

std::vector<float> random_weights(std::size_t n, double step = 0) {
  RandomStream random(4, Purpose::evaluation);
  std::vector<float> weights(n);
  for (float& w : weights) {
    w = static_cast<float>(random.normal());
    if (step > 0) w = static_cast<float>(step * std::round(w / step));
  }
  return weights;
}

constexpr double kZetas[] = {0, 0.001, 0.1, 0.2, 0.5, 0.9, 0.999};

TEST(WeakestOfEachSign, DropsTheWeakestOfEachSign) {
  for (const std::size_t n : {0u, 1u, 2u, 5u, 10u, 1000u})
    for (const double zeta : kZetas) {
      const auto weights = random_weights(n);
      EXPECT_EQ(weakest(weights, zeta), weakest_by_sorting(weights, zeta)) << n << " " << zeta;
    }
}

TEST(WeakestOfEachSign, DropsTheFirstOfEqualMagnitudes) {
  EXPECT_EQ(weakest({2, 1, 1, 1, -1, -1, -3, 1}, 0.4),
            (std::vector<bool>{false, true, true, false, true, false, false, false}));
  for (const double zeta : kZetas) {
    const auto weights = random_weights(500, 0.5);  // many ties, many zeros of both signs
    EXPECT_EQ(weakest(weights, zeta), weakest_by_sorting(weights, zeta)) << zeta;
  }
}

TEST(WeakestOfEachSign, CountsZeroAsPositive) {
  EXPECT_EQ(weakest({0.0f, -0.0f, 5, 6, -7, -8}, 0.5),
            (std::vector<bool>{true, true, false, false, true, false}));
}

TEST(WeakestOfEachSign, TakesOneSignOnly) {
  EXPECT_EQ(weakest({4, 3, 2, 1}, 0.5), (std::vector<bool>{false, false, true, true}));
  EXPECT_EQ(weakest({-4, -3, -2, -1}, 0.5), (std::vector<bool>{false, false, true, true}));
  EXPECT_EQ(weakest(std::vector<float>(10, 0.0f), 0.3),
            (std::vector<bool>{true, true, true, false, false, false, false, false, false, false}));
}

TEST(WeakestOfEachSign, RoundsEachShareDown) {
  // 4 positive and 4 negative weights: 0.2 of 4 is less than one.
  EXPECT_EQ(weakest({1, 2, 3, 4, -1, -2, -3, -4}, 0.2), std::vector<bool>(8, false));
}

struct Value {
  float weight, state1, state2;
  bool operator==(const Value&) const = default;
};
using Places = std::map<std::size_t, Value>;  // output * inputs + input

Places places_of(const SparseLayer& layer) {
  Places places;
  for (std::size_t j = 0; j < layer.outputs(); ++j)
    for (std::uint64_t k = layer.offsets[j]; k < layer.offsets[j + 1]; ++k)
      places[j * layer.inputs() + layer.columns[k]] = {layer.weights[k], layer.state1[k],
                                                       layer.state2.empty() ? 0 : layer.state2[k]};
  return places;
}

/// A random layer whose optimiser state is different everywhere and never 0.
SparseLayer layer_with_state(std::size_t inputs, std::size_t outputs, std::size_t connections,
                             Optimizer optimizer, std::uint64_t seed = 1) {
  SparseLayer layer(inputs, outputs, connections, optimizer, true, seed, 0);
  for (std::size_t k = 0; k < layer.state1.size(); ++k) layer.state1[k] = 1 + static_cast<float>(k);
  for (std::size_t k = 0; k < layer.state2.size(); ++k)
    layer.state2[k] = -1 - static_cast<float>(k);
  for (std::size_t j = 0; j < layer.outputs(); ++j) layer.bias[j] = static_cast<float>(j);
  return layer;
}

/// Evolves once and checks everything that must hold. Returns the places that were grown.
std::vector<std::size_t> evolve_and_check(SparseLayer& layer, double zeta, std::uint64_t seed,
                                          std::uint32_t epoch, std::uint32_t index) {
  const Places before = places_of(layer);
  const std::size_t connections = layer.connections();
  const auto dropped = weakest_by_sorting({layer.weights.begin(), layer.weights.end()}, zeta);
  const std::vector<float> bias(layer.bias.begin(), layer.bias.end());

  evolve(layer, zeta, seed, epoch, index);

  expect_valid(layer);
  EXPECT_EQ(layer.connections(), connections);
  EXPECT_EQ(std::vector<float>(layer.bias.begin(), layer.bias.end()), bias);
  Places after = places_of(layer);
  EXPECT_EQ(after.size(), connections) << "a position came twice";
  std::size_t k = 0;
  for (const auto& [place, value] : before)
    if (!dropped[k++]) {
      EXPECT_TRUE(after.contains(place)) << "a strong connection was lost";
      EXPECT_EQ(after[place], value) << "a survivor lost its weight or state";
      after.erase(place);
    }
  const auto count = static_cast<std::size_t>(std::count(dropped.begin(), dropped.end(), true));
  EXPECT_EQ(after.size(), count);
  std::vector<float> weights(count);
  kernels::fill_normal(weights.data(), count, kInitialWeightScale, seed, Purpose::weights, epoch,
                       index);
  std::vector<std::size_t> grown;
  for (const auto& [place, value] : after) {
    const float expected = grown.size() < count ? weights[grown.size()] : 0;
    EXPECT_EQ(value, (Value{expected, 0, 0})) << "a new connection starts with what it should not";
    grown.push_back(place);
  }
  return grown;
}

TEST(Evolve, KeepsSurvivorsAndGrowsAsManyAsItDrops) {
  for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::adagrad, Optimizer::adam})
    for (const double zeta : kZetas) {
      SCOPED_TRACE(zeta);
      SparseLayer layer = layer_with_state(40, 30, 400, optimizer);
      evolve_and_check(layer, zeta, 5, 1, 2);
    }
}

TEST(Evolve, HoldsItsPromisesOnTinyAndLopsidedLayers) {
  const std::array<std::size_t, 3> shapes[] = {{1, 2, 1}, {2, 1, 1},  {1, 10, 9},  {10, 1, 9},
                                               {3, 3, 8}, {5, 5, 24}, {100, 2, 3}, {2, 100, 199}};
  for (const auto& [inputs, outputs, connections] : shapes)
    for (const double zeta : kZetas)
      for (std::uint64_t seed = 0; seed < 5; ++seed) {
        SCOPED_TRACE(testing::Message() << inputs << " x " << outputs << " zeta " << zeta);
        SparseLayer layer = layer_with_state(inputs, outputs, connections, Optimizer::adam, seed);
        evolve_and_check(layer, zeta, seed, 3, 1);
      }
}

TEST(Evolve, HoldsItsPromisesWithTiesZerosAndOneSign) {
  for (const auto& change : std::vector<float (*)(float)>{
           [](float w) { return 0.1f * std::round(20 * w); }, [](float w) { return std::fabs(w); },
           [](float w) { return -std::fabs(w) - 1; }, [](float) { return 0.0f; },
           [](float w) { return w > 0 ? 1e-42f : -1e-42f; }}) {
    SparseLayer layer = layer_with_state(20, 20, 150, Optimizer::sgd);
    for (float& w : layer.weights) w = change(w);
    layer.rebuild_transposed();
    evolve_and_check(layer, 0.3, 5, 1, 2);
  }
}

TEST(Evolve, KeepsItsPromisesEpochAfterEpoch) {
  SparseLayer layer = layer_with_state(25, 31, 200, Optimizer::adam);
  std::set<std::size_t> ever;
  for (std::uint32_t epoch = 1; epoch <= 100; ++epoch)
    for (const std::size_t place : evolve_and_check(layer, 0.3, 5, epoch, 0)) ever.insert(place);
  EXPECT_GT(ever.size(), 25u * 31u * 99 / 100) << "some places are never tried";
}

TEST(Evolve, LeavesADenseLayerAlone) {
  SparseLayer layer = layer_with_state(6, 7, 42, Optimizer::sgd);
  const Places before = places_of(layer);
  evolve(layer, 0.5, 1, 1, 0);
  EXPECT_EQ(places_of(layer), before);
}

TEST(Evolve, LeavesEverythingAloneWhenNothingIsToGo) {
  SparseLayer layer = layer_with_state(6, 7, 30, Optimizer::sgd);
  const Places before = places_of(layer);
  evolve(layer, 0, 1, 1, 0);
  EXPECT_EQ(places_of(layer), before);
}

TEST(Evolve, IsAPureFunctionOfSeedEpochAndLayer) {
  const auto evolved = [](std::uint64_t seed, std::uint32_t epoch, std::uint32_t index) {
    SparseLayer layer = layer_with_state(30, 30, 200, Optimizer::sgd);
    evolve(layer, 0.3, seed, epoch, index);
    return places_of(layer);
  };
  EXPECT_EQ(evolved(1, 2, 3), evolved(1, 2, 3));
  EXPECT_NE(evolved(1, 2, 3), evolved(4, 2, 3));
  EXPECT_NE(evolved(1, 2, 3), evolved(1, 4, 3));
  EXPECT_NE(evolved(1, 2, 3), evolved(1, 2, 4));
}

TEST(Evolve, GrowsAtEveryFreePlaceEquallyOften) {
  // 4 x 3 with 6 connections, three of which are weak enough to go: 9 free places, of which 3 are
  // those just left.
  const std::vector<std::vector<float>> table{{0.1f, 5, 9, -4}, {9, 9, 0.2f, 9}, {-0.1f, 9, 6, 9}};
  std::map<std::vector<std::size_t>, std::size_t> choices;
  std::vector<std::size_t> at(12);
  for (std::uint64_t seed = 0; seed < 28'000; ++seed) {
    SparseLayer layer = layer_from(table, 9, Optimizer::sgd, true);
    evolve(layer, 0.5, seed, 1, 0);
    std::vector<std::size_t> grown;
    for (const auto& [place, value] : places_of(layer))
      if (std::fabs(value.weight) < 1) grown.push_back(place), ++at[place];
    ++choices[grown];
  }
  std::vector<std::size_t> counts, free;
  for (const auto& [choice, count] : choices) counts.push_back(count);
  EXPECT_EQ(counts.size(), 84u) << "there are 9 over 3 ways to choose";
  EXPECT_TRUE(looks_uniform(counts));
  for (std::size_t place = 0; place < 12; ++place)
    if (at[place] > 0) free.push_back(place);
  EXPECT_EQ(free, (std::vector<std::size_t>{0, 2, 4, 5, 6, 7, 8, 9, 11}));
}

TEST(Evolve, GrowsNormalWeightsOfTheInitialSize) {
  SparseLayer layer = layer_with_state(600, 600, 180'000, Optimizer::sgd);
  evolve(layer, 0.5, 1, 1, 0);
  std::vector<double> grown;
  for (std::size_t k = 0; k < layer.connections(); ++k)
    if (layer.state1[k] == 0) grown.push_back(layer.weights[k] / 0.1);
  EXPECT_GT(grown.size(), 85'000u);
  EXPECT_TRUE(looks_normal(grown));
}

}  // namespace
}  // namespace quickselection
