// tests/network/training/sparse_step_test.cpp
#include "network/training/sparse_step.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

#include "kernels/random/random.h"
#include "network/layers/topology.h"
#include "network/training/plain_model.h"
#include "quickselection/error.h"
#include "support/layers.h"
#include "support/levels.h"
#include "support/reference.h"
#include "support/sample_data.h"
#include "support/trainer.h"

namespace quickselection {
namespace {

constexpr std::uint64_t kSeed = 0x700000003u;

/// Data, its scaler and a team: what a training needs beside its model.
struct Rig {
  explicit Rig(Dataset dataset, int threads = 1, ScaleMode mode = ScaleMode::standard)
      : data(std::move(dataset)), team(threads), scaler(fit_scaler(data, mode, 0, team)) {}

  Trainer<SparseModel> trainer(const TrainOptions& options) {
    return trainer(make_sparse_model(data.features(), options, kSeed));
  }
  Trainer<SparseModel> trainer(SparseModel model, TrainingState state = {}) {
    return Trainer<SparseModel>(data, scaler, kSeed, team, std::move(model), std::move(state));
  }

  Dataset data;
  Team team;
  Scaler scaler;
};

TrainOptions small_options() {
  TrainOptions options;
  options.hidden = {30};
  options.epsilon = 3;
  options.zeta = 0;
  return options;
}

struct Trained : TrainingState {
  Autoencoder network;
};
Trained result_of(Trainer<SparseModel>& trainer) {
  return {std::move(trainer.state), std::move(trainer.model.network)};
}

Trained train(Rig& rig, const TrainOptions& options, int epochs) {
  auto trainer = rig.trainer(options);
  for (int e = 0; e < epochs; ++e) EXPECT_TRUE(trainer.run_epoch());
  return result_of(trainer);
}

void expect_same_bits(const Trained& a, const Trained& b) {
  EXPECT_EQ(a.epoch, b.epoch);
  EXPECT_EQ(a.batch, b.batch);
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.loss, b.loss);
  EXPECT_EQ(a.output_loss, b.output_loss);
  ASSERT_EQ(a.network.layers.size(), b.network.layers.size());
  for (std::size_t l = 0; l < a.network.layers.size(); ++l)
    expect_same_bits(a.network.layers[l], b.network.layers[l]);
}

void expect_finite(const Trained& state) {
  for (const double loss : state.loss) EXPECT_TRUE(std::isfinite(loss));
  for (const SparseLayer& layer : state.network.layers) {
    for (const float w : layer.weights) ASSERT_TRUE(std::isfinite(w));
    for (const float b : layer.bias) ASSERT_TRUE(std::isfinite(b));
  }
}

/// Every weight and bias of a network, in the same order for both kinds of network.
std::vector<double> parameters_of(const Autoencoder& network) {
  std::vector<double> values;
  for (const SparseLayer& layer : network.layers) {
    values.insert(values.end(), layer.weights.begin(), layer.weights.end());
    values.insert(values.end(), layer.bias.begin(), layer.bias.end());
  }
  return values;
}
std::vector<reference::Parameter*> parameters_of(reference::Network& network) {
  std::vector<reference::Parameter*> pointers;
  for (reference::Layer& layer : network.layers) {
    for (auto& connection : layer.connections) pointers.push_back(&connection.weight);
    for (auto& bias : layer.bias) pointers.push_back(&bias);
  }
  return pointers;
}

using GradientCase = std::tuple<Activation, std::size_t, Loss>;
class Gradients : public ::testing::TestWithParam<GradientCase> {};
INSTANTIATE_TEST_SUITE_P(
    EveryActivationDepthAndLoss, Gradients,
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
TEST_P(Gradients, EqualFiniteDifferencesOfTheLoss) {
  const auto& [activation, depth, minimised] = GetParam();
  for (const Activation output : {Activation::linear, activation}) {
    TrainOptions options = small_options();
    const std::vector<std::uint32_t> sizes{9, 7, 8};
    options.hidden.assign(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(depth));
    options.epsilon = 2.5;
    options.activation = activation;
    options.output_activation = output;
    options.loss = minimised;
    options.learning_rate = 1;
    options.momentum = 0;
    options.weight_decay = 0;
    options.dropout = 0;  // dropped units learn too, which no loss has as its gradient
    Rig rig(factor_data(11, 12));

    SparseModel start = make_sparse_model(12, options, kSeed);
    for (SparseLayer& layer : start.network.layers) {
      // Larger weights and biases than the initial ones reach the curved parts of the activations.
      for (float& w : layer.weights) w *= 8;
      kernels::fill_normal(layer.bias.data(), layer.bias.size(), 0.5f, 1,
                           kernels::Purpose::evaluation, 0, 0);
      layer.rebuild_transposed();
    }
    reference::Network slow(start.network, options, kSeed);
    const auto before = parameters_of(start.network);
    auto trainer = rig.trainer(std::move(start));
    ASSERT_TRUE(trainer.run_epoch());
    const auto after = parameters_of(trainer.model.network);

    const auto clean = reference::scaled(rig.data, rig.scaler);
    std::vector<std::uint32_t> rows(11);
    std::iota(rows.begin(), rows.end(), 0u);
    const auto loss = [&] { return slow.loss(clean, rows, 0) / (2 * 11); };
    const double here = loss();
    const auto pointers = parameters_of(slow);
    ASSERT_EQ(pointers.size(), before.size());
    constexpr double kStep = 1e-5;
    std::size_t kinks = 0, moved = 0;
    std::vector<std::pair<double, double>> slopes;  // found and expected
    double squares = 0;
    for (std::size_t i = 0; i < pointers.size(); ++i) {
      const double value = pointers[i]->value;
      pointers[i]->value = value + kStep;
      const double right = (loss() - here) / kStep;
      pointers[i]->value = value - kStep;
      const double left = (here - loss()) / kStep;
      pointers[i]->value = value;
      // Where the slopes on both sides differ there is a kink within the step.
      if (std::fabs(right - left) > 1e-2 * (1 + std::fabs(right))) {
        ++kinks;
        continue;
      }
      const double expected = (left + right) / 2, found = before[i] - after[i];
      moved += found != 0;
      slopes.emplace_back(found, expected);
      squares += expected * expected;
    }
    // Inputs, activations and deltas are rounded to 8 digits, and what they sum up to may be small.
    const double usual = std::sqrt(squares / static_cast<double>(slopes.size()));
    for (const auto& [found, expected] : slopes)
      ASSERT_NEAR(found, expected, 0.05 * (usual + std::fabs(expected)));
    EXPECT_LE(kinks, pointers.size() / 50);
    EXPECT_GT(moved, pointers.size() / 2);
  }
}

struct StepCase {
  const char* name;
  std::size_t rows;
  std::uint32_t batch_size;
  int epochs;
  std::vector<std::uint32_t> hidden;
};

class TrainerSteps : public AtEveryLevel {};
QS_AT_EVERY_LEVEL(TrainerSteps);

TEST_P(TrainerSteps, FirstTenLossesEqualTheSlowReference) {
  const StepCase cases[] = {
      {"ten batches, the last one partial", 97, 10, 1, {30, 20}},
      {"batches of panels of unequal width", 250, 100, 4, {30, 20}},
      {"batches of several tiles, the last one of a single tile", 1000, 300, 3, {30, 20}},
      {"fewer rows than a batch", 7, 100, 10, {30, 20}},
      {"a last layer without a transposed copy", 250, 100, 4, {30, 4}},
      {"a wide network", 250, 100, 4, {4}},
  };
  for (const StepCase& c : cases)
    for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::adagrad, Optimizer::adam})
      for (const NoiseMode mode : {NoiseMode::fixed, NoiseMode::fresh}) {
        SCOPED_TRACE(testing::Message() << c.name << ", " << name_of(optimizer));
        TrainOptions options = small_options();
        options.batch_size = c.batch_size;
        options.optimizer = optimizer;
        options.noise_mode = mode;
        options.weight_decay = 1e-3;
        options.hidden = c.hidden;
        Rig rig(factor_data(c.rows, 35));
        auto trainer = rig.trainer(options);
        reference::Network slow(trainer.model.network, options, kSeed);
        slow.packs = true;
        const auto clean = reference::scaled(rig.data, rig.scaler);

        for (int epoch = 0; epoch < c.epochs; ++epoch) {
          std::vector<double> losses;
          double sum = 0;
          ASSERT_TRUE(trainer.run_epoch([&] {
            const auto& per_output = trainer.state.output_loss;
            const double now = std::accumulate(per_output.begin(), per_output.end(), 0.0);
            losses.push_back(now - std::exchange(sum, now));
            return true;
          }));
          const auto order = kernels::random_permutation(
              c.rows, kernels::RandomStream(kSeed, kernels::Purpose::shuffle,
                                            static_cast<std::uint32_t>(epoch)));
          double total = 0;
          std::size_t step = 0;
          for (std::size_t first = 0; first < c.rows; first += c.batch_size, ++step) {
            const std::size_t count = std::min<std::size_t>(c.batch_size, c.rows - first);
            const double expected = slow.backpropagate(
                clean, std::span(order).subspan(first, count), static_cast<std::uint32_t>(epoch));
            ASSERT_LT(step, losses.size());
            EXPECT_NEAR(losses[step], expected, 1e-4 * expected)
                << "epoch " << epoch << " " << step;
            total += expected;
            slow.update_all(trainer.state.step - losses.size() + step + 1);
          }
          EXPECT_EQ(losses.size(), step);
          total /= static_cast<double>(c.rows) * 35;
          EXPECT_NEAR(trainer.state.loss.back(), total, 1e-4 * total);
        }
        EXPECT_GE(trainer.state.step, 10u);
        const auto pointers = parameters_of(slow);
        const auto values = parameters_of(trainer.model.network);
        for (std::size_t i = 0; i < values.size(); ++i)
          ASSERT_NEAR(values[i], pointers[i]->value, 2e-4) << "parameter " << i;
      }
}

TEST(SparseTraining, EvolvesEveryLayerBeforeEveryEpochButTheFirst) {
  TrainOptions options = small_options();
  options.zeta = 0.3;
  options.hidden = {30, 20};
  options.batch_size = 20;
  Rig rig(factor_data(50, 35));
  Trained expected{{}, make_autoencoder(35, options, kSeed)};
  auto trainer = rig.trainer(options);
  for (std::uint32_t epoch = 0; epoch < 3; ++epoch) {
    // Training does not move connections, so an epoch's end still shows the topology it began with.
    ASSERT_TRUE(trainer.run_epoch());
    for (std::size_t l = 0; l < 3; ++l) {
      SCOPED_TRACE(testing::Message() << "epoch " << epoch << " layer " << l);
      SparseLayer& layer = expected.network.layers[l];
      if (epoch > 0) evolve(layer, 0.3, kSeed, epoch, static_cast<std::uint32_t>(l));
      expect_same_bits(trainer.model.network.layers[l].columns, layer.columns, "columns");
      expect_valid(trainer.model.network.layers[l]);
    }
    expected = train(rig, options, static_cast<int>(epoch) + 1);
  }
}

/// Options that differ in what they exercise: depth, optimiser, tiles, noise.
std::vector<TrainOptions> various_options() {
  std::vector<TrainOptions> all(4, small_options());
  for (TrainOptions& options : all) options.zeta = 0.2;
  all[0].batch_size = 100;  // panels of unequal width
  all[1].hidden = {30, 11, 25};
  all[1].optimizer = Optimizer::adam;
  all[1].batch_size = 33;
  all[2].batch_size = 150;  // two tiles
  all[2].hidden = {17, 40};
  all[2].noise_mode = NoiseMode::fresh;
  all[2].activation = Activation::relu;
  all[3].hidden = {3};  // fewer neurons than threads
  all[3].optimizer = Optimizer::adagrad;
  all[3].output_activation = Activation::tanh;
  all[3].loss = Loss::matching;
  return all;
}

TEST(SparseTraining, GivesTheSameBitsWithAnyNumberOfThreads) {
  for (const TrainOptions& options : various_options()) {
    Rig one(factor_data(200, 43));
    const Trained expected = train(one, options, 3);
    expect_finite(expected);
    for (const int threads : {2, 3, 7}) {
      SCOPED_TRACE(threads);
      Rig many(factor_data(200, 43), threads);
      expect_same_bits(train(many, options, 3), expected);
    }
  }
}

TEST(SparseTraining, OfManyFeaturesGivesTheSameBitsWithAnyNumberOfThreads) {
  TrainOptions options = small_options();  // inputs in blocks, outputs in several parts
  options.hidden = {7};
  options.zeta = 0.2;
  Rig one(factor_data(110, 30'000));
  const Trained expected = train(one, options, 2);
  expect_finite(expected);
  EXPECT_FALSE(expected.network.layers[1].has_transposed());
  for (const int threads : {2, 3, 7}) {
    SCOPED_TRACE(threads);
    Rig many(factor_data(110, 30'000), threads);
    expect_same_bits(train(many, options, 2), expected);
  }
}

TEST(SparseTraining, WithoutATransposedCopyGivesTheSameBitsAsWithIt) {
  TrainOptions options = small_options();
  options.hidden = {5};
  for (const int threads : {1, 2}) {
    Rig rig(factor_data(200, 43), threads);
    SparseModel wide = make_sparse_model(43, options, kSeed);
    SparseModel narrow = make_sparse_model(43, options, kSeed);
    narrow.network.layers[1] =
        SparseLayer(5, 43, wide.network.layers[1].connections(), Optimizer::sgd, true, kSeed, 1);
    ASSERT_FALSE(wide.network.layers[1].has_transposed());
    auto without = rig.trainer(std::move(wide)), with = rig.trainer(std::move(narrow));
    for (int epoch = 0; epoch < 3; ++epoch) {
      ASSERT_TRUE(without.run_epoch());
      ASSERT_TRUE(with.run_epoch());
    }
    EXPECT_EQ(without.state.loss, with.state.loss);
    for (std::size_t l = 0; l < 2; ++l)
      expect_same_bits(without.model.network.layers[l].weights,
                       with.model.network.layers[l].weights, "weights");
  }
}

TEST(SparseTraining, ContinuesToTheSameBitsFromBetweenAnyTwoBatches) {
  for (const TrainOptions& options : various_options()) {
    Rig rig(factor_data(200, 43)), other(factor_data(200, 43), 2);
    const Trained expected = train(rig, options, 2);
    const std::uint64_t steps = expected.step;
    for (std::uint64_t stop = 1; stop < steps; ++stop) {
      SCOPED_TRACE(stop);
      auto first = rig.trainer(options);
      const auto before_stop = [&] { return first.state.step < stop; };
      while (first.state.step < stop) first.run_epoch(before_stop);
      EXPECT_EQ(first.state.step, stop);
      auto second = other.trainer(std::move(first.model), std::move(first.state));
      while (second.state.epoch < 2) ASSERT_TRUE(second.run_epoch());
      expect_same_bits(result_of(second), expected);
    }
  }
}

TEST(SparseTraining, AsksAfterEveryBatchOnTheCallingThread) {
  TrainOptions options = small_options();
  options.batch_size = 30;
  Rig rig(factor_data(100, 20), 3);
  auto trainer = rig.trainer(options);
  EXPECT_EQ(trainer.batches.per_epoch(), 4u);
  const auto caller = std::this_thread::get_id();
  int calls = 0;
  EXPECT_TRUE(trainer.run_epoch([&] {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    EXPECT_EQ(trainer.state.step, static_cast<std::uint64_t>(++calls));
    return true;
  }));
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(trainer.state.epoch, 1u);
  EXPECT_EQ(trainer.state.batch, 0u);
  EXPECT_EQ(trainer.state.loss.size(), 1u);
}

TEST(SparseTraining, FinishesTheEpochWhenStoppedAfterItsLastBatch) {
  TrainOptions options = small_options();
  Rig rig(factor_data(100, 20));
  auto trainer = rig.trainer(options);
  EXPECT_TRUE(trainer.run_epoch([] { return false; }));
  EXPECT_EQ(trainer.state.epoch, 1u);
}

TEST(SparseTraining, PassesOnAnExceptionAndCanGoOn) {
  TrainOptions options = small_options();
  options.batch_size = 30;
  Rig rig(factor_data(100, 20), 2);
  const Trained expected = train(rig, options, 1);
  auto trainer = rig.trainer(options);
  EXPECT_THROW(trainer.run_epoch([]() -> bool { throw std::runtime_error("stop"); }),
               std::runtime_error);
  EXPECT_EQ(trainer.state.step, 1u);
  EXPECT_TRUE(trainer.run_epoch());
  expect_same_bits(result_of(trainer), expected);
}

TEST(SparseTraining, LearnsWhatCanBeLearnt) {
  TrainOptions options = small_options();
  options.epsilon = 13;
  options.zeta = 0.2;
  options.hidden = {60};
  options.batch_size = 20;
  Rig rig(factor_data(300, 40));
  const Trained state = train(rig, options, 30);
  EXPECT_NEAR(rig.scaler.baseline_loss, 1, 1e-6);
  EXPECT_LT(state.loss.back(), 0.5 * rig.scaler.baseline_loss);
  EXPECT_LT(state.loss.back(), state.loss.front());
}

TEST(SparseTraining, WorksOnOneRowOneFeatureAndConstantFeatures) {
  struct Case {
    const char* name;
    Dataset data;
  };
  std::vector<float> constants(50 * 9);
  for (std::size_t i = 0; i < constants.size(); ++i)
    constants[i] = i % 9 < 3 ? 7.0f : static_cast<float>(i * i % 31);
  const Case cases[] = {
      {"one row", factor_data(1, 20)},
      {"one feature", factor_data(50, 1)},
      {"one value", factor_data(1, 1)},
      {"two rows", factor_data(2, 9)},
      {"some constant features", Dataset::from_vector(constants, 50, 9)},
      {"nothing but constants", Dataset::from_vector(std::vector<float>(60, 2.5f), 10, 6)},
  };
  for (const Case& c : cases)
    for (TrainOptions options : various_options())
      for (const int threads : {1, 3}) {
        SCOPED_TRACE(c.name);
        Rig rig(c.data, threads);
        const Trained state = train(rig, options, 3);
        EXPECT_EQ(state.loss.size(), 3u);
        expect_finite(state);
      }
}

TEST(SparseTraining, LeavesNothingToLearnInConstantFeatures) {
  TrainOptions options = small_options();
  Rig rig(Dataset::from_vector(std::vector<float>(600, 2.5f), 100, 6));
  for (const float scale : rig.scaler.scale) EXPECT_EQ(scale, 0);
  const Trained state = train(rig, options, 60);
  EXPECT_EQ(rig.scaler.baseline_loss, 0);
  EXPECT_LT(state.loss.back(), 0.1);
}

TEST(SparseTraining, GivesTheSameBitsForTheSameNumbersInAnyNarrowType) {
  TrainOptions options = small_options();
  options.zeta = 0.2;
  options.batch_size = 40;
  for (const ScaleMode mode : {ScaleMode::standard, ScaleMode::log}) {
    Rig bytes(whole_data<std::uint8_t>(90, 21), 1, mode);
    const Trained expected = train(bytes, options, 3);
    expect_finite(expected);
    const auto same = [&](Dataset data) {
      Rig rig(std::move(data), 2, mode);
      expect_same_bits(train(rig, options, 3), expected);
    };
    same(whole_data<std::int8_t>(90, 21));
    same(whole_data<std::int16_t>(90, 21));
    same(whole_data<std::uint16_t>(90, 21));
    same(whole_data<float>(90, 21));
  }
}

TEST(SparseTraining, TrainsOnASliceAsOnACopyOfIt) {
  TrainOptions options = small_options();
  options.batch_size = 16;
  const Dataset whole = factor_data(120, 20);
  std::vector<float> values;
  for (std::size_t r = 30; r < 80; ++r)
    for (std::size_t f = 0; f < 20; ++f) values.push_back(static_cast<float>(whole.at(r, f)));
  Rig slice(whole.slice_rows(30, 80)), copy(Dataset::from_vector(values, 50, 20));
  expect_same_bits(train(slice, options, 2), train(copy, options, 2));
}

TEST(SparseTraining, DependsOnSeedNoiseAndDropout) {
  Rig rig(factor_data(60, 20));
  const TrainOptions options = small_options();
  const double loss = train(rig, options, 1).loss[0];
  TrainOptions quiet = options, whole = options;
  quiet.noise = 0;
  whole.dropout = 0;
  EXPECT_NE(train(rig, quiet, 1).loss[0], loss);
  EXPECT_NE(train(rig, whole, 1).loss[0], loss);
  Trainer<SparseModel> other(rig.data, rig.scaler, kSeed + 1, rig.team,
                             make_sparse_model(20, options, kSeed));
  ASSERT_TRUE(other.run_epoch());
  EXPECT_NE(other.state.loss[0], loss);
}

TEST(SparseTraining, SparseDataTrainsTheSameNetworkAsDenseData) {
  const Dataset dense = count_data<std::int16_t>(120, 60);
  TrainOptions options = small_options();
  options.zeta = 0.2;
  for (const ScaleMode mode : {ScaleMode::deviation, ScaleMode::minmax, ScaleMode::standard}) {
    Rig a(dense, 1, mode), b(to_sparse<std::int16_t>(dense), 2, mode);
    expect_same_bits(train(a, options, 2), train(b, options, 2));
  }
}

TEST(SparseTraining, WindowsAreStoppedAndContinuedAnywhere) {
  Rig rig(factor_data(330, 20));
  const TrainOptions options = small_options();
  const Windows windows{7, 8};
  const auto start = [&](SparseModel model, TrainingState state) {
    return Trainer<SparseModel>(rig.data, rig.scaler, kSeed, rig.team, std::move(model),
                                std::move(state), {{}, windows});
  };
  auto whole = start(make_sparse_model(20, options, kSeed), {});
  EXPECT_TRUE(whole.run_epoch());
  auto first = start(make_sparse_model(20, options, kSeed), {});
  EXPECT_FALSE(first.run_epoch([&] { return first.state.batch < 2; }));
  auto second = start(std::move(first.model), std::move(first.state));
  EXPECT_TRUE(second.run_epoch());
  expect_same_bits(result_of(whole), result_of(second));
}

// A batch of all rows has the same gradient however it is cut, but for rounding.
TEST(Shards, OfAWholeBatchGiveItsGradient) {
  for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::adagrad, Optimizer::adam}) {
    Rig rig(whole_data<float>(75, 20));
    TrainOptions options = small_options();
    options.hidden = {30, 12};
    options.optimizer = optimizer;
    options.batch_size = 100;
    options.learning_rate = 1e-3;
    const Trained whole = train(rig, options, 3);
    for (const std::uint32_t shards : {2u, 5u, 75u}) {
      options.shards = shards;
      const Trained cut = train(rig, options, 3);
      EXPECT_NE(parameters_of(cut.network), parameters_of(make_autoencoder(20, options, kSeed)));
      const auto expected = parameters_of(whole.network), found = parameters_of(cut.network);
      for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], 2e-4);
      for (std::size_t e = 0; e < 3; ++e) EXPECT_NEAR(cut.loss[e], whole.loss[e], 1e-4);
    }
  }
}

TEST(Shards, GiveTheSameBitsForAnyNumberOfThreads) {
  TrainOptions options = small_options();
  options.zeta = 0.3;
  options.batch_size = 40;  // 75 rows: parts of the last batch are smaller
  for (const std::uint32_t shards : {1u, 3u, 8u, 40u}) {
    options.shards = shards;
    Rig one(whole_data<float>(75, 20), 1), three(whole_data<float>(75, 20), 3);
    expect_same_bits(train(one, options, 4), train(three, options, 4));
  }
}

TEST(Shards, NeedRowsOfTheirOwn) {
  Rig rig(whole_data<float>(10, 4));
  TrainOptions options = small_options();
  options.shards = 11;
  EXPECT_THROW(train(rig, options, 1), InvalidArgument);
  options.shards = 10;
  options.batch_size = 9;
  EXPECT_THROW(train(rig, options, 1), InvalidArgument);
  options.batch_size = 10;
  EXPECT_NO_THROW(train(rig, options, 1));
}

}  // namespace
}  // namespace quickselection
