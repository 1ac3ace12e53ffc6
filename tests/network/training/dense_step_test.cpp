// tests/network/training/dense_step_test.cpp
#include "network/training/dense_step.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>
#include <span>
#include <vector>

#include "kernels/random/random.h"
#include "network/training/plain_model.h"
#include "quickselection/error.h"
#include "support/dense.h"
#include "support/levels.h"
#include "support/reference.h"
#include "support/sample_data.h"
#include "support/trainer.h"

namespace quickselection {
namespace {

constexpr std::uint64_t kSeed = 0x700000003u;

const auto kAlways = [] { return true; };

using DenseTrainer = Trainer<DenseModel>;

struct Rig {
  explicit Rig(Dataset dataset, int threads = 1)
      : data(std::move(dataset)),
        team(threads),
        scaler(fit_scaler(data, ScaleMode::standard, 0, team)) {}
  Dataset data;
  Team team;
  Scaler scaler;
};

std::vector<reference::Parameter*> parameters_of(reference::Network& network) {
  std::vector<reference::Parameter*> pointers;
  for (reference::Layer& layer : network.layers) {
    for (auto& connection : layer.connections) pointers.push_back(&connection.weight);
    for (auto& bias : layer.bias) pointers.push_back(&bias);
  }
  return pointers;
}

std::vector<double> parameters_of(const DenseNetwork& network) {
  std::vector<double> values;
  for (const DenseLayer& layer : network.layers) {
    values.insert(values.end(), layer.weights.begin(), layer.weights.end());
    values.insert(values.end(), layer.bias.begin(), layer.bias.end());
  }
  return values;
}

void expect_same_bits(const DenseNetwork& a, const DenseNetwork& b) {
  ASSERT_EQ(a.layers.size(), b.layers.size());
  for (std::size_t l = 0; l < a.layers.size(); ++l) {
    const DenseLayer &x = a.layers[l], &y = b.layers[l];
    ASSERT_EQ(x.weights.size(), y.weights.size());
    EXPECT_EQ(std::memcmp(x.weights.data(), y.weights.data(), x.weights.bytes()), 0) << l;
    EXPECT_EQ(std::memcmp(x.state1.data(), y.state1.data(), x.state1.bytes()), 0) << l;
    EXPECT_EQ(std::memcmp(x.bias.data(), y.bias.data(), x.bias.bytes()), 0) << l;
  }
}

using GradientCase = std::tuple<Activation, std::size_t, Loss>;
class DenseGradients : public ::testing::TestWithParam<GradientCase> {};
INSTANTIATE_TEST_SUITE_P(
    EveryActivationDepthAndLoss, DenseGradients,
    ::testing::Combine(::testing::Values(Activation::sigmoid, Activation::tanh, Activation::relu,
                                         Activation::leaky_relu, Activation::linear),
                       ::testing::Values(1, 2, 3),
                       ::testing::Values(Loss::squared, Loss::matching)),
    [](const auto& parameter) {
      return std::string(name_of(std::get<0>(parameter.param))) + "_" +
             std::to_string(std::get<1>(parameter.param)) + "_" +
             std::string(name_of(std::get<2>(parameter.param)));
    });

// One step of size 1 without momentum moves every parameter by its gradient.
TEST_P(DenseGradients, EqualFiniteDifferencesOfTheLoss) {
  const auto& [activation, depth, minimised] = GetParam();
  TrainOptions options;
  const std::vector<std::uint32_t> sizes{9, 7, 8};
  options.hidden.assign(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(depth));
  options.activation = activation;
  options.output_activation = activation;
  options.loss = minimised;
  options.learning_rate = 1;
  options.momentum = 0;
  options.weight_decay = 0;
  options.dropout = 0;  // dropped units learn too, which no loss has as its gradient
  Rig rig(factor_data(11, 12));

  DenseNetwork network = make_dense_autoencoder(12, options, kSeed);
  for (DenseLayer& layer : network.layers) {
    for (float& w : layer.weights) w *= 2;
    kernels::fill_normal(layer.bias.data(), layer.bias.size(), 0.5f, 1,
                         kernels::Purpose::evaluation, 0, 0);
  }
  reference::Network slow(as_sparse(network, Optimizer::sgd), options, kSeed);
  const auto before = parameters_of(network);

  Batches batches(rig.data, rig.scaler, options, kSeed, rig.team);
  DenseStep step(network, options, batches);
  EpochState state;
  ASSERT_TRUE(batches.run_epoch(
      state, {[&](int member, const Tile& tile) { step.train_tile(member, tile, state); }, {}},
      kAlways));
  const auto after = parameters_of(network);

  const auto clean = reference::scaled(rig.data, rig.scaler);
  std::vector<std::uint32_t> rows(11);
  std::iota(rows.begin(), rows.end(), 0u);
  const auto loss = [&] { return slow.loss(clean, rows, 0) / (2 * 11); };
  const auto pointers = parameters_of(slow);
  ASSERT_EQ(pointers.size(), before.size());
  constexpr double kStep = 1e-5;
  const double here = loss();
  std::size_t kinks = 0;
  const auto check = [&](double& value, double found, const char* what, std::size_t i) {
    const double at = value;
    value = at + kStep;
    const double right = (loss() - here) / kStep;
    value = at - kStep;
    const double left = (here - loss()) / kStep;
    value = at;
    // Where the slopes on both sides differ there is a kink within the step.
    if (std::fabs(right - left) > 1e-2 * (1 + std::fabs(right))) {
      ++kinks;
      return;
    }
    const double expected = (left + right) / 2;
    EXPECT_NEAR(found, expected, 5e-5 * (1 + std::fabs(expected))) << what << " " << i;
  };
  for (std::size_t i = 0; i < pointers.size(); ++i)
    check(pointers[i]->value, before[i] - after[i], "parameter", i);
  EXPECT_LE(kinks, pointers.size() / 50);
}

// The loss by the input of a network that does not reconstruct its own input.
TEST(DenseStep, GivesTheGradientByItsInput) {
  TrainOptions options;
  options.hidden = {6};
  options.dropout = 0;
  options.noise = 0;
  Rig rig(factor_data(5, 8));
  // 3 inputs, 6 hidden, 8 outputs.
  const std::vector<std::size_t> sizes{3, 6, 8};
  DenseNetwork network = make_dense_network(sizes, Optimizer::sgd, kSeed);
  const DenseNetwork start = make_dense_network(sizes, Optimizer::sgd, kSeed);
  Batches batches(rig.data, rig.scaler, options, kSeed, rig.team);
  DenseStep step(network, options, batches);
  EpochState state;
  AlignedArray<float> input(3 * batches.stride()), delta(3 * batches.stride());
  kernels::fill_normal(input.data(), input.size(), 1, 2, kernels::Purpose::evaluation, 0, 0);
  std::vector<std::uint32_t> order;
  const std::size_t stride = batches.stride();
  ASSERT_TRUE(batches.run_epoch(
      state,
      {[&](int member, const Tile& tile) {
         order.assign(tile.row_ids, tile.row_ids + tile.samples);
         step.train_tile(member, tile, {input.data(), batches.target(), delta.data()}, state);
       },
       {}},
      kAlways));

  const auto clean = reference::scaled(rig.data, rig.scaler);
  const auto loss = [&](std::size_t sample, std::vector<double> x) {
    for (const DenseLayer& layer : start.layers) {
      std::vector<double> y(layer.outputs);
      for (std::size_t j = 0; j < layer.outputs; ++j) {
        for (std::size_t i = 0; i < layer.inputs; ++i)
          y[j] += layer.weights[j * layer.inputs + i] * x[i];
        if (&layer != &start.layers.back()) y[j] = 1 / (1 + std::exp(-y[j]));
      }
      x = y;
    }
    double sum = 0;
    for (std::size_t f = 0; f < x.size(); ++f)
      sum += std::pow(x[f] - clean[order[sample]][f], 2) / 2;
    return sum;
  };
  for (std::size_t s = 0; s < 5; ++s)
    for (std::size_t i = 0; i < 3; ++i) {
      std::vector<double> x(3);
      for (std::size_t c = 0; c < 3; ++c) x[c] = input[c * stride + s];
      auto right = x, left = x;
      right[i] += 1e-4;
      left[i] -= 1e-4;
      EXPECT_NEAR(delta[i * stride + s], (loss(s, right) - loss(s, left)) / 2e-4, 1e-4);
    }
}

struct StepCase {
  const char* name;
  std::size_t rows, features;
  std::uint32_t batch_size;
  int epochs;
};

class DenseSteps : public AtEveryLevel {};
QS_AT_EVERY_LEVEL(DenseSteps);

TEST_P(DenseSteps, LossesAndWeightsEqualTheSlowReference) {
  const StepCase cases[] = {
      {"ten batches, the last one partial", 97, 35, 10, 1},
      {"batches of several tiles, the last one of a single tile", 700, 35, 300, 2},
      {"fewer rows than a batch", 7, 35, 100, 10},
      {"gradients in several pieces", 20, 1100, 10, 1},
  };
  for (const StepCase& c : cases)
    for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::adagrad, Optimizer::adam}) {
      SCOPED_TRACE(testing::Message() << c.name << ", " << name_of(optimizer));
      TrainOptions options;
      options.batch_size = c.batch_size;
      options.optimizer = optimizer;
      options.weight_decay = 1e-3;
      options.hidden = {30, 20};
      Rig rig(factor_data(c.rows, c.features), 2);
      DenseTrainer trainer(rig.data, rig.scaler, kSeed, rig.team,
                           make_dense_model(rig.data.features(), options, kSeed));
      reference::Network slow(as_sparse(trainer.model.network, optimizer), options, kSeed);
      const auto clean = reference::scaled(rig.data, rig.scaler);
      std::uint64_t step = 0;
      for (int epoch = 0; epoch < c.epochs; ++epoch) {
        ASSERT_TRUE(trainer.run_epoch());
        const auto order = kernels::random_permutation(
            c.rows, kernels::RandomStream(kSeed, kernels::Purpose::shuffle,
                                          static_cast<std::uint32_t>(epoch)));
        double total = 0;
        for (std::size_t first = 0; first < c.rows; first += c.batch_size) {
          const std::size_t count = std::min<std::size_t>(c.batch_size, c.rows - first);
          total += slow.backpropagate(clean, std::span(order).subspan(first, count),
                                      static_cast<std::uint32_t>(epoch));
          slow.update_all(++step);
        }
        total /= static_cast<double>(c.rows) * static_cast<double>(c.features);
        EXPECT_NEAR(trainer.state.loss.back(), total, 1e-4 * total);
      }
      EXPECT_EQ(trainer.state.step, step);
      const auto pointers = parameters_of(slow);
      const auto values = parameters_of(trainer.model.network);
      ASSERT_EQ(values.size(), pointers.size());
      // Adam turns the sign of a gradient near 0 into a whole step.
      const double tolerance = optimizer == Optimizer::sgd ? 2e-4 : 2e-3;
      for (std::size_t i = 0; i < values.size(); ++i)
        ASSERT_NEAR(values[i], pointers[i]->value, tolerance) << "parameter " << i;
    }
}

TEST(DenseTraining, GivesTheSameBitsWithAnyNumberOfThreads) {
  TrainOptions options;
  options.hidden = {300, 17};
  options.batch_size = 150;  // two tiles
  Rig one(factor_data(400, 90), 1);
  DenseTrainer first(one.data, one.scaler, kSeed, one.team,
                     make_dense_model(one.data.features(), options, kSeed));
  for (int e = 0; e < 2; ++e) ASSERT_TRUE(first.run_epoch());
  for (const int threads : {2, 3}) {
    Rig rig(one.data, threads);
    DenseTrainer trainer(rig.data, rig.scaler, kSeed, rig.team,
                         make_dense_model(rig.data.features(), options, kSeed));
    for (int e = 0; e < 2; ++e) ASSERT_TRUE(trainer.run_epoch());
    EXPECT_EQ(trainer.state.loss, first.state.loss);
    expect_same_bits(trainer.model.network, first.model.network);
  }
}

TEST(DenseTraining, LearnsFromTheChosenRowsAlone) {
  TrainOptions options;
  options.hidden = {10};
  options.noise = 0;
  options.dropout = 0;
  const Dataset data = factor_data(60, 8);
  Rig all(data);
  // With the same scaler, rows 20 to 59 of the data are the same as a slice of it.
  std::vector<std::uint32_t> rows(40);
  std::iota(rows.begin(), rows.end(), 20u);
  DenseTrainer chosen(data, all.scaler, kSeed, all.team, make_dense_model(8, options, kSeed), {},
                      {rows, {}});
  const Dataset slice = data.slice_rows(20, 60);
  DenseTrainer sliced(slice, all.scaler, kSeed, all.team, make_dense_model(8, options, kSeed));
  ASSERT_TRUE(chosen.run_epoch());
  ASSERT_TRUE(sliced.run_epoch());
  EXPECT_EQ(chosen.state.loss, sliced.state.loss);
  expect_same_bits(chosen.model.network, sliced.model.network);
}

TEST(DenseTraining, WorksOnOneRowOneFeatureAndConstantFeatures) {
  const auto constant = Dataset::from_vector(std::vector<float>(30, 3.0f), 10, 3);
  for (const Dataset& data : {factor_data(1, 5), factor_data(20, 1), factor_data(1, 1), constant}) {
    TrainOptions options;
    options.hidden = {4};
    Rig rig(data, 2);
    DenseTrainer trainer(rig.data, rig.scaler, kSeed, rig.team,
                         make_dense_model(rig.data.features(), options, kSeed));
    for (int e = 0; e < 3; ++e) ASSERT_TRUE(trainer.run_epoch());
    for (const double value : parameters_of(trainer.model.network))
      ASSERT_TRUE(std::isfinite(value));
  }
}

TEST(DenseTraining, StopsBetweenTwoBatches) {
  TrainOptions options;
  options.hidden = {4};
  options.batch_size = 10;
  Rig rig(factor_data(50, 5), 2);
  DenseTrainer trainer(rig.data, rig.scaler, kSeed, rig.team,
                       make_dense_model(rig.data.features(), options, kSeed));
  int asked = 0;
  EXPECT_FALSE(trainer.run_epoch([&] { return ++asked < 2; }));
  EXPECT_EQ(trainer.state.batch, 2u);
  EXPECT_EQ(trainer.state.epoch, 0u);
}

TEST(DenseNetwork, HasWeightsOfTheRightSpreadAndCountsItsParameters) {
  const std::vector<std::size_t> sizes{200, 300, 200};
  const DenseNetwork network = make_dense_network(sizes, Optimizer::adam, 1);
  EXPECT_EQ(network.parameters(), 2u * 200 * 300 + 500);
  for (const DenseLayer& layer : network.layers) {
    double squares = 0;
    for (const float w : layer.weights) squares += static_cast<double>(w) * w;
    EXPECT_NEAR(squares / static_cast<double>(layer.weights.size()), 2.0 / 500, 1e-4);
    EXPECT_EQ(layer.state2.size(), layer.weights.size());
  }
  EXPECT_NE(network.layers[0].weights[0], network.layers[1].weights[0]);
}

TEST(DenseNetwork, RefusesLayersThatCannotBe) {
  EXPECT_THROW(DenseLayer(1u << 20, 1u << 20, Optimizer::sgd), InvalidArgument);
}

TEST(Strength, IsTheSumOfAbsoluteWeightsOfAnInput) {
  DenseLayer layer(2, 3, Optimizer::sgd);
  const float weights[] = {1, -2, -3, 4, 0, -0.5f};
  std::copy(std::begin(weights), std::end(weights), layer.weights.begin());
  EXPECT_EQ(strength(layer), (std::vector<double>{4, 6.5}));
}

}  // namespace
}  // namespace quickselection
