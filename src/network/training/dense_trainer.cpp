// src/network/training/dense_trainer.cpp: see dense_trainer.h.
#include "network/training/dense_trainer.h"

namespace quickselection {

DenseTrainState initial_dense_state(std::size_t features, const TrainOptions& options,
                                    std::uint64_t seed) {
  DenseTrainState state;
  state.network =
      make_dense_network(layer_sizes(features, options.hidden), options.optimizer, seed);
  return state;
}

DenseTrainer::DenseTrainer(const Dataset& data, const Scaler& scaler, const TrainOptions& options,
                           std::uint64_t seed, Team& team, RowChoice choice)
    : DenseTrainer(data, scaler, options, seed, team,
                   initial_dense_state(data.features(), options, seed), std::move(choice)) {}

DenseTrainer::DenseTrainer(const Dataset& data, const Scaler& scaler, const TrainOptions& options,
                           std::uint64_t seed, Team& team, DenseTrainState state, RowChoice choice)
    : state_(std::move(state)),
      batches_(data, scaler, options, seed, team, std::move(choice)),
      step_(state_.network, options, batches_) {}

bool DenseTrainer::run_epoch(const std::function<bool()>& go_on) {
  BatchWork work;
  work.train_tile = [this](int member, const Tile& tile) {
    step_.train_tile(member, tile, {batches_.noisy(), batches_.target()}, state_.output_loss);
  };
  if (after_batch) work.after_batch = [this](int member) { after_batch(member, state_.network); };
  return batches_.run_epoch(state_, work, go_on);
}

}  // namespace quickselection
