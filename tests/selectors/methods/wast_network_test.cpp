// tests/selectors/methods/wast_network_test.cpp
#include "selectors/methods/wast_network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "kernels/random/random.h"
#include "support/layers.h"
#include "support/sample_data.h"
#include "support/trainer.h"

namespace quickselection {
namespace {

using Place = std::pair<std::size_t, std::size_t>;  // output, input

std::map<Place, float> connections_of_layer(const SparseLayer& layer) {
  std::map<Place, float> found;
  for (std::size_t j = 0; j < layer.outputs(); ++j)
    for (std::uint64_t k = layer.offsets[j]; k < layer.offsets[j + 1]; ++k)
      found[{j, layer.columns[k]}] = layer.weights[k];
  return found;
}

kernels::RandomStream stream(std::uint32_t b = 0) { return {5, kernels::Purpose::topology, b, 0}; }

/// The rule by enumerating all pairs: which connections stay, and how many a neuron gets.
struct Slow {
  std::map<Place, float> kept;
  std::map<std::size_t, std::size_t> grown;  // of each neuron on the side that counts
};

Slow slow_rewire(const SparseLayer& layer, const std::vector<double>& importance, LayerSide side,
                 double share) {
  const auto neuron = [&](const Place& place) {
    return side == LayerSide::inputs ? place.second : place.first;
  };
  Slow result;
  const auto all = connections_of_layer(layer);
  for (const bool positive : {true, false}) {
    std::vector<std::pair<double, Place>> keys;
    for (const auto& [place, w] : all)
      if ((w >= 0) == positive)
        keys.push_back({std::fabs(w * static_cast<float>(importance[neuron(place)])), place});
    std::stable_sort(keys.begin(), keys.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    const auto drop = static_cast<std::size_t>(share * static_cast<double>(keys.size()));
    for (std::size_t k = drop; k < keys.size(); ++k)
      result.kept[keys[k].second] = all.at(keys[k].second);
  }
  std::vector<std::pair<double, std::size_t>> free;  // (-importance, neuron) of every free pair
  for (std::size_t j = 0; j < layer.outputs(); ++j)
    for (std::size_t i = 0; i < layer.inputs(); ++i)
      if (!result.kept.contains({j, i}))
        free.push_back({-importance[neuron({j, i})], neuron({j, i})});
  std::sort(free.begin(), free.end());
  for (std::size_t k = 0; k < all.size() - result.kept.size(); ++k) ++result.grown[free[k].second];
  return result;
}

TEST(Rewire, DropsAndGrowsAsTheEnumerationOfAllPairsDoes) {
  for (const LayerSide side : {LayerSide::inputs, LayerSide::outputs})
    for (const double share : {0.0, 0.1, 0.3, 0.9}) {
      SparseLayer layer(23, 17, 120, kernels::Optimizer::sgd, true, 3, 0);
      for (float& s : layer.state1) s = 7;
      const std::size_t neurons = side == LayerSide::inputs ? 23 : 17;
      std::vector<double> importance(neurons);
      kernels::RandomStream random(9, kernels::Purpose::evaluation);
      for (double& x : importance) x = random.uniform();
      const Slow expected = slow_rewire(layer, importance, side, share);
      rewire(layer, importance, side, share, stream());
      expect_valid(layer);
      const auto after = connections_of_layer(layer);
      ASSERT_EQ(after.size(), 120u) << "the number of connections must not change";
      std::map<std::size_t, std::size_t> grown;
      for (const auto& [place, w] : after) {
        const auto kept = expected.kept.find(place);
        if (kept != expected.kept.end()) {
          EXPECT_EQ(w, kept->second);
          continue;
        }
        EXPECT_EQ(w, 0) << "new connections begin with no weight";
        ++grown[side == LayerSide::inputs ? place.second : place.first];
      }
      for (const auto& [place, w] : expected.kept) EXPECT_TRUE(after.contains(place));
      EXPECT_EQ(grown, expected.grown);
      for (std::size_t k = 0; k < layer.connections(); ++k)
        EXPECT_EQ(layer.state1[k], layer.weights[k] == 0 ? 0 : 7);
    }
}

TEST(Rewire, TreatsEqualImportanceInTheOrderOfTheNeurons) {
  SparseLayer layer(10, 10, 30, kernels::Optimizer::sgd, false, 3, 0);
  const std::vector<double> equal(10, 1.0);
  const Slow expected = slow_rewire(layer, equal, LayerSide::inputs, 0.5);
  rewire(layer, equal, LayerSide::inputs, 0.5, stream());
  std::map<std::size_t, std::size_t> grown;
  for (const auto& [place, w] : connections_of_layer(layer))
    if (!expected.kept.contains(place)) ++grown[place.second];
  EXPECT_EQ(grown, expected.grown);
}

TEST(Rewire, LeavesDenseLayersAndWorksOnTheSmallestOnes) {
  SparseLayer dense(4, 3, 12, kernels::Optimizer::sgd, false, 3, 0);
  const auto before = connections_of_layer(dense);
  rewire(dense, std::vector<double>{1, 2, 3, 4}, LayerSide::inputs, 0.5, stream());
  EXPECT_EQ(connections_of_layer(dense), before);
  SparseLayer single(3, 2, 1, kernels::Optimizer::sgd, true, 3, 0);
  for (std::uint32_t turn = 0; turn < 20; ++turn) {
    rewire(single, std::vector<double>{0, 0, 0}, LayerSide::inputs, 0.99, stream(turn));
    expect_valid(single);
    EXPECT_EQ(single.connections(), 1u);
  }
}

struct Rig {
  explicit Rig(Dataset dataset, int threads = 1)
      : data(std::move(dataset)),
        team(threads),
        scaler(fit_scaler(data, ScaleMode::standard, 0, team)) {}
  Dataset data;
  Team team;
  Scaler scaler;
};

TrainOptions small_options() {
  TrainOptions options;
  options.hidden = {20};
  options.dropout = 0;
  options.learning_rate = 0.01;
  options.batch_size = 30;
  options.zeta = 0;
  return options;
}

/// The network as a training sees it.
struct Model {
  TrainOptions options;
  WastRule rule;
  WastNetwork network;
  TrainOptions train_options(std::size_t) const { return options; }
  WastStep make_step(Batches& batches, const TrainOptions& train) {
    return {network, train, rule, batches};
  }
};

Model start_of(const Dataset& data, const TrainOptions& options, const WastRule& rule) {
  return {options, rule, make_wast(data.features(), options.hidden.front(), rule, 4)};
}

TEST(WastStep, KeepsItsConnectionsAndTheirOrderAfterEveryBatch) {
  Rig rig(factor_data(170, 25), 2);
  Trainer<Model> trainer(rig.data, rig.scaler, 4, rig.team,
                         start_of(rig.data, small_options(), {}));
  std::set<std::vector<std::uint32_t>> topologies;
  for (int e = 0; e < 3; ++e)
    ASSERT_TRUE(trainer.run_epoch([&] {
      for (const SparseLayer& layer : trainer.model.network.layers.layers) {
        EXPECT_EQ(layer.connections(), 100u);  // 0.2 x 25 x 20
        expect_valid(layer);
      }
      const SparseLayer& first = trainer.model.network.layers.layers[0];
      topologies.insert({first.columns.begin(), first.columns.end()});
      return true;
    }));
  EXPECT_GE(topologies.size(), 10u) << "the topology changes after every batch";
  EXPECT_LT(trainer.state.loss.back(), trainer.state.loss.front());
}

// Importance after the first batch, from its definition: with no step the weights stay.
TEST(WastStep, SumsErrorAndStrength) {
  TrainOptions options = small_options();
  options.learning_rate = 1e-30;
  options.noise = 0;
  options.batch_size = 200;  // several tiles
  Rig rig(factor_data(200, 12));
  const WastRule rule{0.3, 0.0, 0.7};
  Trainer<Model> trainer(rig.data, rig.scaler, 4, rig.team, start_of(rig.data, options, rule));
  const Autoencoder network = make_wast_network(12, 20, rule.density, 4);
  ASSERT_TRUE(trainer.run_epoch());
  ASSERT_EQ(trainer.state.step, 1u);

  std::vector<double> error(12), strength(12);
  for (const auto& [place, w] : connections_of_layer(network.layers[0]))
    strength[place.second] += std::fabs(w);
  for (std::size_t r = 0; r < 200; ++r) {
    std::vector<double> x(12), hidden(20), out(12);
    for (std::size_t f = 0; f < 12; ++f)
      x[f] = (rig.data.at(r, f) - rig.scaler.mean[f]) * rig.scaler.scale[f];
    for (const auto& [place, w] : connections_of_layer(network.layers[0]))
      hidden[place.first] += w * x[place.second];
    for (double& h : hidden) h = 1 / (1 + std::exp(-h));
    for (const auto& [place, w] : connections_of_layer(network.layers[1]))
      out[place.first] += w * hidden[place.second];
    for (std::size_t f = 0; f < 12; ++f) error[f] += std::fabs(out[f] - x[f]) / 200;
  }
  for (std::size_t f = 0; f < 12; ++f)
    // What the network reads, and the errors, are rounded to 8 digits.
    EXPECT_NEAR(trainer.model.network.input_importance[f], 0.7 * error[f] + 0.3 * strength[f],
                5e-4);
}

TEST(WastStep, GivesTheSameBitsWithAnyNumberOfThreads) {
  Rig one(factor_data(170, 40), 1);
  Trainer<Model> first(one.data, one.scaler, 4, one.team, start_of(one.data, small_options(), {}));
  for (int e = 0; e < 3; ++e) ASSERT_TRUE(first.run_epoch());
  for (const int threads : {2, 3}) {
    Rig rig(one.data, threads);
    Trainer<Model> trainer(rig.data, rig.scaler, 4, rig.team,
                           start_of(rig.data, small_options(), {}));
    for (int e = 0; e < 3; ++e) ASSERT_TRUE(trainer.run_epoch());
    EXPECT_EQ(trainer.model.network.input_importance, first.model.network.input_importance);
    EXPECT_EQ(trainer.state.loss, first.state.loss);
    for (std::size_t l = 0; l < 2; ++l)
      expect_same_bits(trainer.model.network.layers.layers[l],
                       first.model.network.layers.layers[l]);
  }
}

TEST(MakeWastNetwork, HasTheDensityAndTheSpreadItShould) {
  const Autoencoder network = make_wast_network(300, 100, 0.2, 1);
  const std::size_t inputs[] = {300, 100};
  for (std::size_t l = 0; l < 2; ++l) {
    const SparseLayer& layer = network.layers[l];
    expect_valid(layer);
    EXPECT_EQ(layer.connections(), 6000u);
    double squares = 0;
    for (const float w : layer.weights) squares += static_cast<double>(w) * w;
    const double expected = 1 / (3.0 * static_cast<double>(inputs[l]));
    EXPECT_NEAR(squares / 6000, expected, 0.1 * expected);
  }
}

}  // namespace
}  // namespace quickselection
