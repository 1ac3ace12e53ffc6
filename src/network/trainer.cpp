// src/network/trainer.cpp: see trainer.h.
#include "network/trainer.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "data/stored_rows.h"
#include "kernels/dispatch.h"
#include "kernels/tile.h"
#include "network/topology.h"

namespace quickselection {
namespace {

/// Both tiles of very wide data together stay below this; narrower tiles then share a batch.
constexpr std::size_t kTileBudgetBytes = std::size_t{256} << 20;
constexpr std::size_t kLeastTile = 32;

std::size_t round_up(std::size_t n, std::size_t unit) { return (n + unit - 1) / unit * unit; }

std::size_t samples_in_tile(std::size_t batch, std::size_t features) {
  const std::size_t affordable = kTileBudgetBytes / (2 * sizeof(float) * features);
  const std::size_t most = std::clamp(affordable / 16 * 16, kLeastTile, kernels::kMaxStride);
  // Nearly equal tiles of whole vectors, rather than full ones and a small rest.
  const std::size_t tiles = (batch + most - 1) / most;
  return std::min(batch, round_up((batch + tiles - 1) / tiles, kernels::lanes()));
}

}  // namespace

TrainState initial_state(std::size_t features, const TrainOptions& options, std::uint64_t seed) {
  TrainState state;
  state.network = make_autoencoder(features, options, seed);
  state.output_loss.resize(features);
  return state;
}

Trainer::Trainer(const Dataset& data, const Scaler& scaler, const TrainOptions& options,
                 std::uint64_t seed, Team& team, TrainState state, const Windows& windows)
    : data_(data),
      scaler_(scaler),
      options_(options),
      seed_(seed),
      team_(team),
      state_(std::move(state)),
      windows_(windows) {
  const std::size_t batch = std::min<std::size_t>(options_.batch_size, data_.rows());
  const std::size_t features = data_.features();
  tile_samples_ = samples_in_tile(batch, features);
  const std::size_t stride = round_up(tile_samples_, kernels::lanes());
  noisy_ = AlignedArray<float>(features * stride);
  target_ = AlignedArray<float>(features * stride);
  const auto& layers = state_.network.layers;
  for (std::size_t l = 0; l + 1 < layers.size(); ++l) {
    const std::size_t size = layers[l].outputs() * stride;
    hidden_.push_back({AlignedArray<float>(size), AlignedArray<float>(l == 0 ? 0 : size)});
  }
  if (tile_samples_ < batch)
    for (const SparseLayer& layer : layers)
      gradients_.push_back(
          {AlignedArray<float>(layer.connections()), AlignedArray<float>(layer.outputs())});
}

std::size_t Trainer::batches_per_epoch() const {
  return (data_.rows() + options_.batch_size - 1) / options_.batch_size;
}

void Trainer::evolve_all() {
  auto& layers = state_.network.layers;
  team_.for_each(layers.size(), [&](std::size_t l) {
    evolve(layers[l], options_.zeta, seed_, state_.epoch, static_cast<std::uint32_t>(l));
  });
}

void Trainer::cut_ranges() {
  // A neuron costs something by itself, about as much as a few connections.
  constexpr std::uint64_t kNeuronCost = 4;
  const auto& layers = state_.network.layers;
  forward_ranges_.assign(layers.size(), {});
  update_ranges_.assign(layers.size(), {});
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const SparseLayer& layer = layers[l];
    std::vector<std::uint64_t> cost(layer.outputs() + 1);
    for (std::size_t j = 0; j <= layer.outputs(); ++j) cost[j] = layer.offsets[j] + kNeuronCost * j;
    forward_ranges_[l] = split_by_cost(cost, team_.size());
    if (l + 1 < layers.size())
      for (std::size_t j = 0; j <= layer.outputs(); ++j) cost[j] += layers[l + 1].t_offsets[j];
    update_ranges_[l] = split_by_cost(cost, team_.size());
  }
}

std::vector<Trainer::TileRange> Trainer::tiles_of(std::size_t batch) const {
  const std::size_t begin = batch * options_.batch_size;
  const std::size_t samples = std::min<std::size_t>(options_.batch_size, data_.rows() - begin);
  std::vector<TileRange> tiles;
  for (std::size_t done = 0; done < samples; done += tile_samples_) {
    const std::size_t count = std::min(tile_samples_, samples - done);
    tiles.push_back({begin + done, count, samples, done == 0, done + count == samples});
  }
  return tiles;
}

kernels::UpdateJob Trainer::update_job(std::size_t l, const TileRange& tile) {
  SparseLayer& layer = state_.network.layers[l];
  kernels::UpdateJob job;
  job.optimizer = options_.optimizer;
  job.learning_rate = static_cast<float>(options_.learning_rate);
  job.momentum = static_cast<float>(options_.momentum);
  job.weight_decay = static_cast<float>(options_.weight_decay);
  const double t = static_cast<double>(state_.step + 1);
  job.bias_correction1 = static_cast<float>(1 / (1 - std::pow(0.9, t)));
  job.bias_correction2 = static_cast<float>(1 / (1 - std::pow(0.999, t)));
  job.inverse_batch = 1.0f / static_cast<float>(tile.batch_samples);
  job.weights = layer.weights.data();
  job.state1 = layer.state1.data();
  job.state2 = layer.state2.data();
  job.bias = layer.bias.data();
  job.bias_state1 = layer.bias_state1.data();
  job.bias_state2 = layer.bias_state2.data();
  job.first_tile = tile.first_of_batch;
  job.last_tile = tile.last_of_batch;
  if (!gradients_.empty()) {
    job.gradient = gradients_[l].weights.data();
    job.bias_gradient = gradients_[l].bias.data();
  }
  return job;
}

void Trainer::train_tile(int rank, const TileRange& tile) {
  auto& layers = state_.network.layers;
  const std::size_t last = layers.size() - 1;
  const std::size_t me = static_cast<std::size_t>(rank);
  const std::uint32_t* row_ids = order_.rows() + tile.first;
  const std::size_t stride = round_up(tile.samples, kernels::lanes());

  const bool fresh = options_.noise_mode == NoiseMode::fresh;
  const kernels::TileJob fill{
      stored_rows(data_), row_ids,
      tile.samples,       stride,
      scaler_.view(),     {static_cast<float>(options_.noise), seed_, fresh ? state_.epoch : 0},
      target_.data(),     noisy_.data()};
  const Range features = share(data_.features(), rank, team_.size(), kernels::kTileBlock);
  kernels::fill_tile(fill, features.begin, features.end);
  team_.barrier();

  for (std::size_t l = 0; l < last; ++l) {
    kernels::ForwardJob job;
    job.layer = layers[l].rows();
    job.bias = layers[l].bias.data();
    job.input = l == 0 ? noisy_.data() : hidden_[l - 1].output.data();
    job.output = hidden_[l].output.data();
    job.stride = stride;
    job.samples = tile.samples;
    job.activation = options_.activation;
    job.dropout = {static_cast<float>(options_.dropout), seed_, state_.epoch,
                   static_cast<std::uint32_t>(l), row_ids};
    kernels::forward(job, forward_ranges_[l][me].begin, forward_ranges_[l][me].end);
    team_.barrier();
  }

  kernels::OutputJob out;
  out.layer = layers[last].rows();
  out.bias = layers[last].bias.data();
  out.input = last == 0 ? noisy_.data() : hidden_[last - 1].output.data();
  out.target = target_.data();
  out.row_loss = state_.output_loss.data();
  out.stride = stride;
  out.samples = tile.samples;
  out.activation = options_.output_activation;
  out.update = update_job(last, tile);
  kernels::output(out, update_ranges_[last][me].begin, update_ranges_[last][me].end);
  team_.barrier();

  for (std::size_t l = last; l-- > 0;) {
    SparseLayer& upper = layers[l + 1];
    kernels::BackwardJob job;
    job.upper = upper.transposed_rows();
    job.upper_delta = l + 1 == last ? target_.data() : hidden_[l + 1].delta.data();
    job.upper_weights = upper.t_weights.data();
    job.upper_source = upper.weights.data();
    job.upper_position = upper.t_position.data();
    job.layer = layers[l].rows();
    job.input = l == 0 ? noisy_.data() : hidden_[l - 1].output.data();
    job.output = hidden_[l].output.data();
    job.delta = l == 0 ? nullptr : hidden_[l].delta.data();
    job.stride = stride;
    job.activation = options_.activation;
    job.dropout = options_.dropout > 0;
    job.update = update_job(l, tile);
    kernels::backward(job, update_ranges_[l][me].begin, update_ranges_[l][me].end);
    team_.barrier();
  }
}

bool Trainer::run_epoch(const std::function<bool()>& go_on) {
  if (state_.batch == 0) {
    if (state_.epoch > 0) evolve_all();
    std::fill(state_.output_loss.begin(), state_.output_loss.end(), 0.0);
  }
  cut_ranges();
  order_ = RowOrder(data_, windows_, seed_, state_.epoch);
  order_.advance(data_, std::size_t{state_.batch} * options_.batch_size);

  const std::size_t batches = batches_per_epoch();
  bool stopped = false;
  std::exception_ptr error;  // of go_on: the others must not wait for us at a barrier for ever
  team_.run([&](int rank) {
    while (state_.batch < batches && !stopped) {
      for (const TileRange& tile : tiles_of(state_.batch)) train_tile(rank, tile);
      if (rank == 0) {
        ++state_.batch;
        ++state_.step;
        order_.advance(data_,
                       std::min<std::size_t>(state_.batch * options_.batch_size, data_.rows()));
        try {
          stopped = !go_on();
        } catch (...) {
          error = std::current_exception();
          stopped = true;
        }
      }
      team_.barrier();
    }
  });
  if (error) std::rethrow_exception(error);
  if (state_.batch < batches) return false;

  double sum = 0;
  for (const double loss : state_.output_loss) sum += loss;
  state_.loss.push_back(sum / static_cast<double>(data_.rows()) /
                        static_cast<double>(data_.features()));
  ++state_.epoch;
  state_.batch = 0;
  return true;
}

}  // namespace quickselection
