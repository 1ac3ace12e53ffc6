// tests/network/training/archive_test.cpp: files that were made to be wrong, with a right seal.
#include "network/training/archive.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "network/training/plain_model.h"
#include "quickselection/error.h"
#include "support/layers.h"
#include "support/sample_data.h"
#include "support/temp_folder.h"

namespace quickselection {
namespace {

constexpr std::size_t kFeatures = 9;
const Identity kIdentity{{"method", std::string("test")}};

TrainOptions options() {
  TrainOptions train;
  train.hidden = {6, 5};
  train.epsilon = 2;
  train.optimizer = Optimizer::adam;
  return train;
}

SparseModel fresh() { return make_sparse_model(kFeatures, options(), 3); }

TrainingState some_state() {
  TrainingState state;
  state.epoch = 2;
  state.batch = 1;
  state.step = 7;
  state.loss = {0.5, 0.25};
  state.output_loss.assign(kFeatures, 1.5);
  return state;
}

class Checkpoint : public ::testing::Test {
 protected:
  TempFolder folder;
  const std::filesystem::path path = folder / "state";

  void save(SparseModel& model, const TrainingState& state) {
    save_checkpoint(path, state, kIdentity, parts_of(model));
  }
  TrainingState load(SparseModel& model) {
    return load_checkpoint(
        path, kIdentity, kFeatures,
        [](const TrainingState& state) { return impossible(state, {{4}}, 10, 30, false); },
        [&](std::uint32_t) { return parts_of(model); });
  }
  /// Saves what `spoil` made of a sound training; loading must refuse it.
  void refuses(const std::function<void(SparseModel&, TrainingState&)>& spoil) {
    SparseModel spoilt = fresh(), target = fresh();
    TrainingState state = some_state();
    spoil(spoilt, state);
    save(spoilt, state);
    EXPECT_THROW(load(target), Error);
  }
};

TEST_F(Checkpoint, ComesBackAsItWas) {
  SparseModel saved = fresh(), loaded = make_sparse_model(kFeatures, options(), 99);
  for (float& w : saved.network.layers[1].weights) w *= 3;
  saved.network.layers[1].rebuild_transposed();
  save(saved, some_state());
  const TrainingState state = load(loaded);
  EXPECT_EQ(state.epoch, 2u);
  EXPECT_EQ(state.batch, 1u);
  EXPECT_EQ(state.step, 7u);
  EXPECT_EQ(state.loss, some_state().loss);
  EXPECT_EQ(state.output_loss, some_state().output_loss);
  for (std::size_t l = 0; l < 3; ++l)
    expect_same_bits(loaded.network.layers[l], saved.network.layers[l]);
}

TEST_F(Checkpoint, RefusesConnectionsThatLeadNowhere) {
  refuses(
      [](SparseModel& model, TrainingState&) { model.network.layers[0].columns[3] = 1u << 30; });
  refuses([](SparseModel& model, TrainingState&) {
    SparseLayer& layer = model.network.layers[1];
    layer.columns[0] = static_cast<std::uint32_t>(layer.inputs());
  });
}

TEST_F(Checkpoint, RefusesConnectionsOutOfOrder) {
  refuses([](SparseModel& model, TrainingState&) {
    SparseLayer& layer = model.network.layers[2];
    for (std::size_t j = 0; j < layer.outputs(); ++j)
      if (layer.offsets[j + 1] - layer.offsets[j] > 1)
        return std::swap(layer.columns[layer.offsets[j]], layer.columns[layer.offsets[j] + 1]);
    FAIL() << "no neuron has two connections";
  });
}

TEST_F(Checkpoint, RefusesOffsetsBeyondTheArrays) {
  refuses([](SparseModel& model, TrainingState&) { model.network.layers[0].offsets[2] = ~0ull; });
  refuses([](SparseModel& model, TrainingState&) { model.network.layers[0].offsets[0] = 1; });
  refuses([](SparseModel& model, TrainingState&) {
    SparseLayer& layer = model.network.layers[0];
    layer.offsets[layer.outputs()] += 1;
  });
}

TEST_F(Checkpoint, RefusesStatesThatCannotBe) {
  refuses([](SparseModel&, TrainingState& state) { state.loss.push_back(1); });
  refuses([](SparseModel&, TrainingState& state) { state.output_loss.resize(3); });
  refuses([](SparseModel&, TrainingState& state) { state.output_loss.clear(); });
  refuses([](SparseModel&, TrainingState& state) { state.stage = 1; });
  refuses([](SparseModel&, TrainingState& state) { state.batch = 3; });
  refuses([](SparseModel&, TrainingState& state) { state.batch = 1'000'000; });
  refuses([](SparseModel&, TrainingState& state) { state.step = ~0ull; });
  refuses([](SparseModel&, TrainingState& state) { state.earlier_loss = {0.5}; });
}

TEST_F(Checkpoint, RefusesNumbersThatAreNone) {
  refuses([](SparseModel& model, TrainingState&) {
    model.network.layers[0].weights[1] = std::numeric_limits<float>::quiet_NaN();
  });
  refuses([](SparseModel& model, TrainingState&) {
    model.network.layers[1].bias[0] = std::numeric_limits<float>::infinity();
  });
}

TEST(Impossible, KnowsStagesAndChunks) {
  TrainingState state;
  state.stage = 2;
  state.epoch = 1;
  state.step = 2;  // 15 of 30 rows, 10 in a batch
  state.earlier_loss = {1, 1, 1};
  const std::vector<Stage> stages{{5, {}, true}, {3}, {4, std::vector<std::uint32_t>(15)}};
  EXPECT_EQ(impossible(state, stages, 10, 30, false), "");
  state.step = 3;
  EXPECT_NE(impossible(state, stages, 10, 30, false), "");
  EXPECT_EQ(impossible(state, stages, 10, 30, true), "");
  state.step = 0;
  EXPECT_NE(impossible(state, stages, 10, 30, true), "");
  state.step = ~0ull;
  EXPECT_NE(impossible(state, stages, 10, 30, true), "");
}

TEST_F(Checkpoint, RefusesArraysOfOtherSizes) {
  SparseModel saved = fresh();
  save(saved, some_state());
  TrainOptions larger = options();
  larger.hidden = {7, 5};
  SparseModel target = make_sparse_model(kFeatures, larger, 3);
  EXPECT_THROW(load(target), Error);
}

TEST_F(Checkpoint, NamesWhatBelongsToAnotherTraining) {
  SparseModel model = fresh();
  save(model, some_state());
  try {
    load_checkpoint(
        path, {{"method", std::string("other")}}, kFeatures,
        [](const TrainingState&) { return std::string(); },
        [&](std::uint32_t) { return parts_of(model); });
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("method was test, now it is other"),
              std::string::npos);
  }
}

TEST(PackedTraining, ComesBackWithItsScaler) {
  const Dataset data = factor_data(40, kFeatures);
  Team team(1);
  const Scaler scaler = fit_scaler(data, ScaleMode::minmax, 3, team);
  SparseModel saved = fresh(), loaded = make_sparse_model(kFeatures, options(), 99);
  Scaler found;
  std::size_t asked = 0;
  const TrainingState state = unpack_training(pack_training(some_state(), scaler, parts_of(saved)),
                                              found, [&](std::size_t features, std::uint32_t) {
                                                asked = features;
                                                return parts_of(loaded);
                                              });
  EXPECT_EQ(asked, kFeatures);
  EXPECT_EQ(state.loss, some_state().loss);
  EXPECT_EQ(found.mode, ScaleMode::minmax);
  EXPECT_EQ(found.clip, 3);
  EXPECT_EQ(found.mean, scaler.mean);
  EXPECT_EQ(found.scale, scaler.scale);
  EXPECT_EQ(found.variance, scaler.variance);
  EXPECT_EQ(found.baseline_loss, scaler.baseline_loss);
  expect_same_bits(loaded.network.layers[2], saved.network.layers[2]);
}

}  // namespace
}  // namespace quickselection
