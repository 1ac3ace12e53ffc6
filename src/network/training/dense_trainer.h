// src/network/training/dense_trainer.h: the training of a dense autoencoder, epoch by epoch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "core/team.h"
#include "data/scaling/scaler.h"
#include "network/layers/dense_network.h"
#include "network/training/batches.h"
#include "network/training/dense_step.h"
#include "network/training/train_options.h"
#include "quickselection/dataset.h"

namespace quickselection {

struct DenseTrainState : EpochState {
  DenseNetwork network;
};

/// A random network.
DenseTrainState initial_dense_state(std::size_t features, const TrainOptions& options,
                                    std::uint64_t seed);

class DenseTrainer {
 public:
  /// Keeps references: data, scaler and team must outlive it. Of the options, epsilon and zeta do
  /// not matter.
  DenseTrainer(const Dataset& data, const Scaler& scaler, const TrainOptions& options,
               std::uint64_t seed, Team& team, DenseTrainState state, RowChoice choice = {});
  /// Starts from a random network.
  DenseTrainer(const Dataset& data, const Scaler& scaler, const TrainOptions& options,
               std::uint64_t seed, Team& team, RowChoice choice = {});
  DenseTrainer(const DenseTrainer&) = delete;
  DenseTrainer& operator=(const DenseTrainer&) = delete;

  const DenseTrainState& state() const { return state_; }
  DenseTrainState take_state() { return std::move(state_); }
  std::size_t batches_per_epoch() const { return batches_.per_epoch(); }
  bool run_epoch(const std::function<bool()>& go_on);

  /// Called by every member of the team after each batch, to change the network (a proximal step).
  std::function<void(int member, DenseNetwork&)> after_batch;

 private:
  DenseTrainState state_;
  Batches batches_;
  DenseStep step_;
};

}  // namespace quickselection
