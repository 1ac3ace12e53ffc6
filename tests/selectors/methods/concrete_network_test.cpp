// tests/selectors/methods/concrete_network_test.cpp
#include "selectors/methods/concrete_network.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <set>
#include <vector>

#include "kernels/concrete.h"
#include "kernels/random/random.h"
#include "support/reference.h"
#include "support/sample_data.h"
#include "support/trainer.h"

namespace quickselection {
namespace {

constexpr std::uint64_t kSeed = 11;

struct Rig {
  explicit Rig(Dataset dataset, int threads = 1)
      : data(std::move(dataset)),
        team(threads),
        scaler(fit_scaler(data, ScaleMode::minmax, 0, team)) {}
  Dataset data;
  Team team;
  Scaler scaler;
};

/// The network as a training sees it.
struct Model {
  TrainOptions options;
  Temperature temperature;
  ConcreteNetwork network;
  TrainOptions train_options(std::size_t) const { return options; }
  ConcreteStep make_step(Batches& batches, const TrainOptions& train) {
    return {network, train, temperature, batches};
  }
};

TrainOptions adam_options() {
  TrainOptions options;
  options.hidden = {9};
  options.noise = 0;
  options.dropout = 0;
  options.weight_decay = 0;
  options.learning_rate = 0.01;
  options.optimizer = Optimizer::adam;
  options.activation = Activation::tanh;
  return options;
}

// One step of size 1 without momentum moves every logit by its gradient; the draw is that of step
// 0.
TEST(ConcreteStep, LogitsMoveByTheGradientOfTheLossWithTheDrawnNoise) {
  constexpr std::size_t rows = 140, features = 10, units = 3;  // two tiles
  TrainOptions options = adam_options();
  options.optimizer = Optimizer::sgd;
  options.learning_rate = 1;
  options.momentum = 0;
  options.batch_size = rows;
  options.epochs = 1;
  Rig rig(factor_data(rows, features), 2);
  const Temperature temperature{2, 2};
  Trainer<Model> trainer(
      rig.data, rig.scaler, kSeed, rig.team,
      {options, temperature, make_concrete(rig.data.features(), units, options, kSeed)});
  const std::vector<float> before(trainer.model.network.logits.begin(),
                                  trainer.model.network.logits.end());
  const std::vector<std::size_t> sizes{units, 9, features};
  const DenseNetwork decoder = make_dense_network(sizes, Optimizer::sgd, kSeed);
  ASSERT_TRUE(trainer.run_epoch());

  std::vector<float> noise(units * features);
  for (std::uint32_t k = 0; k < units; ++k)
    kernels::gumbel_row(kSeed, 0, k, features, noise.data() + k * features);
  const auto clean = reference::scaled(rig.data, rig.scaler);
  const auto loss = [&](const std::vector<double>& logits) {
    std::vector<double> m(units * features);
    for (std::size_t k = 0; k < units; ++k) {
      double sum = 0;
      for (std::size_t f = 0; f < features; ++f)
        sum += m[k * features + f] =
            std::exp((logits[k * features + f] + noise[k * features + f]) / 2);
      for (std::size_t f = 0; f < features; ++f) m[k * features + f] /= sum;
    }
    double total = 0;
    for (const auto& x : clean) {
      std::vector<double> in(units);
      for (std::size_t k = 0; k < units; ++k)
        for (std::size_t f = 0; f < features; ++f) in[k] += m[k * features + f] * x[f];
      for (const DenseLayer& layer : decoder.layers) {
        std::vector<double> out(layer.outputs);
        for (std::size_t j = 0; j < layer.outputs; ++j) {
          for (std::size_t i = 0; i < layer.inputs; ++i)
            out[j] += layer.weights[j * layer.inputs + i] * in[i];
          if (&layer != &decoder.layers.back()) out[j] = std::tanh(out[j]);
        }
        in = out;
      }
      for (std::size_t f = 0; f < features; ++f) total += (in[f] - x[f]) * (in[f] - x[f]) / 2;
    }
    return total / rows;
  };
  std::vector<double> logits(before.begin(), before.end());
  double largest = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const double here = logits[i];
    logits[i] = here + 1e-4;
    const double right = loss(logits);
    logits[i] = here - 1e-4;
    const double slope = (right - loss(logits)) / 2e-4;
    logits[i] = here;
    EXPECT_NEAR(before[i] - trainer.model.network.logits[i], slope, 1e-5) << i;
    largest = std::max(largest, std::fabs(slope));
  }
  EXPECT_GT(largest, 1e-3);
}

TEST(ConcreteStep, GivesTheSameBitsWithAnyNumberOfThreads) {
  TrainOptions options = adam_options();
  options.epochs = 3;
  options.batch_size = 50;
  Rig one(factor_data(170, 40), 1);
  const auto start = [&] {
    return Model{options, {}, make_concrete(one.data.features(), 35, options, kSeed)};
  };
  Trainer<Model> first(one.data, one.scaler, kSeed, one.team, start());
  for (int e = 0; e < 3; ++e) ASSERT_TRUE(first.run_epoch());
  for (const int threads : {2, 3}) {
    Rig rig(one.data, threads);
    Trainer<Model> trainer(rig.data, rig.scaler, kSeed, rig.team, start());
    for (int e = 0; e < 3; ++e) ASSERT_TRUE(trainer.run_epoch());
    EXPECT_EQ(trainer.state.loss, first.state.loss);
    EXPECT_EQ(std::memcmp(trainer.model.network.logits.data(), first.model.network.logits.data(),
                          first.model.network.logits.bytes()),
              0);
  }
}

TEST(Temperature, FallsByTheSameFactorFromStartToEnd) {
  const Temperature temperature{10, 0.01};
  EXPECT_DOUBLE_EQ(temperature.at(0, 301), 10);
  EXPECT_NEAR(temperature.at(100, 301), 1, 1e-12);
  EXPECT_NEAR(temperature.at(200, 301), 0.1, 1e-12);
  EXPECT_NEAR(temperature.at(300, 301), 0.01, 1e-12);
  EXPECT_NEAR(temperature.at(500, 301), 0.01, 1e-12);
  EXPECT_EQ(temperature.at(0, 1), 0.01);
}

TEST(Probabilities, AreTheSoftmaxOfEachRow) {
  const std::vector<float> logits{0, 0, 1000, 0};
  EXPECT_EQ(probabilities(logits, 2), (std::vector<double>{0.5, 0.5, 1, 0}));
}

TEST(ChooseDistinct, LetsTheSurestUnitChooseFirstAndOthersTakeTheirNextBest) {
  const std::vector<double> p{0.5, 0.3,  0.2,    // wants 0, gets 1
                              0.9, 0.06, 0.04,   // gets 0
                              0.4, 0.35, 0.25};  // wants 0, then 1, gets 2
  const auto chosen = choose_distinct(p, 3, {false, false, false});
  ASSERT_EQ(chosen.size(), 3u);
  EXPECT_EQ(chosen[0].feature, 0u);
  EXPECT_EQ(chosen[1].feature, 1u);
  EXPECT_EQ(chosen[2].feature, 2u);
  EXPECT_EQ(chosen[0].probability, 0.9);
  EXPECT_EQ(chosen[1].probability, 0.3);
}

TEST(ChooseDistinct, NeverTakesABarredFeatureAndStopsWhenNoneIsLeft) {
  const std::vector<double> p{0.5, 0.3, 0.2, 0.5, 0.3, 0.2, 0.5, 0.3, 0.2};
  const auto chosen = choose_distinct(p, 3, {true, false, false});
  std::set<std::uint32_t> features;
  for (const UnitChoice& choice : chosen) features.insert(choice.feature);
  EXPECT_EQ(features, (std::set<std::uint32_t>{1, 2}));
  EXPECT_EQ(chosen.size(), 2u);
}

TEST(ChooseDistinct, FindsAsManyDifferentFeaturesAsUnitsEvenIfAllAgree) {
  constexpr std::size_t features = 30, units = 20;
  std::vector<double> p;
  for (std::size_t u = 0; u < units; ++u)
    for (std::size_t f = 0; f < features; ++f) p.push_back(1.0 / static_cast<double>(f + 2));
  std::set<std::uint32_t> found;
  for (const UnitChoice& choice : choose_distinct(p, features, std::vector<bool>(features)))
    found.insert(choice.feature);
  EXPECT_EQ(found.size(), units);
}

}  // namespace
}  // namespace quickselection
