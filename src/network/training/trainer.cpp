// src/network/training/trainer.cpp: see trainer.h.
#include "network/training/trainer.h"

#include "network/layers/topology.h"

namespace quickselection {

TrainState initial_state(std::size_t features, const TrainOptions& options, std::uint64_t seed) {
  TrainState state;
  state.network = make_autoencoder(features, options, seed);
  state.output_loss.resize(features);
  return state;
}

Trainer::Trainer(const Dataset& data, const Scaler& scaler, const TrainOptions& options,
                 std::uint64_t seed, Team& team, TrainState state, const Windows& windows)
    : options_(options),
      state_(std::move(state)),
      batches_(data, scaler, options, seed, team, {{}, windows}),
      step_(state_.network, options, batches_) {}

void Trainer::evolve_all() {
  auto& layers = state_.network.layers;
  batches_.team().for_each(layers.size(), [&](std::size_t l) {
    evolve(layers[l], options_.zeta, batches_.seed(), state_.epoch, static_cast<std::uint32_t>(l));
  });
}

bool Trainer::run_epoch(const std::function<bool()>& go_on) {
  if (state_.batch == 0 && state_.epoch > 0) evolve_all();
  step_.cut_ranges();
  const BatchWork work{
      [this](int member, const Tile& tile) { step_.train_tile(member, tile, state_.output_loss); },
      {}};
  return batches_.run_epoch(state_, work, go_on);
}

}  // namespace quickselection
