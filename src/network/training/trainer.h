// src/network/training/trainer.h: the training of the sparse autoencoder, epoch by epoch, with SET
// between the epochs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "core/team.h"
#include "data/scaling/scaler.h"
#include "network/layers/autoencoder.h"
#include "network/training/batches.h"
#include "network/training/row_order.h"
#include "network/training/sparse_step.h"
#include "network/training/train_options.h"
#include "quickselection/dataset.h"

namespace quickselection {

/// Everything that changes during training: what a checkpoint holds.
struct TrainState : EpochState {
  Autoencoder network;
};

TrainState initial_state(std::size_t features, const TrainOptions& options, std::uint64_t seed);

class Trainer {
 public:
  /// Keeps references: data, scaler and team must outlive it.
  Trainer(const Dataset& data, const Scaler& scaler, const TrainOptions& options,
          std::uint64_t seed, Team& team, TrainState state, const Windows& windows = {});
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  const TrainState& state() const { return state_; }
  TrainState take_state() { return std::move(state_); }
  std::size_t batches_per_epoch() const { return batches_.per_epoch(); }

  /// Trains to the end of the epoch under way, evolving the topology first when it is a new one
  /// and not the first. `go_on`: see Batches::run_epoch.
  bool run_epoch(const std::function<bool()>& go_on);

 private:
  void evolve_all();

  const TrainOptions options_;
  TrainState state_;
  Batches batches_;
  SparseStep step_;
};

}  // namespace quickselection
