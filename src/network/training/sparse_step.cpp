// src/network/training/sparse_step.cpp: see sparse_step.h.
#include "network/training/sparse_step.h"

#include <algorithm>

#include "kernels/layer/neurons.h"
#include "network/layers/topology.h"

namespace quickselection {
namespace {

/// Connections whose gradients are brought into the order of the weights at a time.
constexpr std::size_t kStepTogether = 1024;

}  // namespace

SparseStep::SparseStep(Autoencoder& network, const TrainOptions& options, Batches& batches)
    : network_(network), options_(options), batches_(batches), team_(batches.team()) {
  batches_.use_panels();
  const auto& layers = network_.layers;
  for (std::size_t l = 0; l + 1 < layers.size(); ++l) {
    const std::size_t size = layers[l].outputs() * batches_.stride();
    hidden_.push_back({AlignedArray<float>(size), AlignedArray<float>(l == 0 ? 0 : size)});
  }
  for (const SparseLayer& layer : layers)
    gradients_.push_back(
        {AlignedArray<float>(layer.connections()), AlignedArray<float>(layer.outputs())});
  shards_.emplace(batches_, gradients_);
}

void SparseStep::begin_epoch(const EpochState& state) {
  auto& layers = network_.layers;
  if (state.batch == 0 && state.epoch > 0 && options_.zeta > 0)
    team_.for_each(layers.size(), [&](std::size_t l) {
      evolve(layers[l], options_.zeta, batches_.seed(), state.epoch, static_cast<std::uint32_t>(l));
    });
  cut_ranges();
}

void SparseStep::cut_ranges() {
  // A neuron costs something by itself, about as much as a few connections.
  constexpr std::uint64_t kNeuronCost = 4;
  const auto& layers = network_.layers;
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

const float* SparseStep::input_of(std::size_t l, const Panel& panel) const {
  const float* tile = l == 0 ? batches_.noisy() : hidden_[l - 1].output.data();
  return tile + network_.layers[l].inputs() * panel.first;
}

const float* SparseStep::delta_above(std::size_t l, const Panel& panel) const {
  const bool last = l + 2 == network_.layers.size();
  const float* tile = last ? batches_.target() : hidden_[l + 1].delta.data();
  return tile + network_.layers[l + 1].outputs() * panel.first;
}

kernels::GradientJob SparseStep::gradient_of(std::size_t l, const Tile& tile, const Panel& panel) {
  return {network_.layers[l].has_transposed() ? nullptr : gradients_[l].weights.data(),
          gradients_[l].bias.data(), 1.0f / static_cast<float>(tile.batch_samples),
          !tile.first_of_shard || panel.first > 0};
}

void SparseStep::forward(std::size_t l, Range mine, const Tile& tile, const Panel& panel) {
  const SparseLayer& layer = network_.layers[l];
  kernels::ForwardJob job;
  job.layer = layer.by_output();
  job.bias = layer.bias.data();
  job.input = input_of(l, panel);
  job.output = hidden_[l].output.data() + layer.outputs() * panel.first;
  job.stride = panel.stride;
  job.samples = panel.samples;
  job.activation = options_.activation;
  job.dropout = {static_cast<float>(options_.dropout), batches_.seed(), tile.epoch,
                 static_cast<std::uint32_t>(l), tile.row_ids + panel.first};
  kernels::forward(job, mine.begin, mine.end);
}

void SparseStep::output(Range mine, const Tile& tile, const Panel& panel, EpochState& state) {
  const std::size_t l = network_.layers.size() - 1;
  const SparseLayer& layer = network_.layers[l];
  kernels::OutputJob job;
  job.layer = layer.by_output();
  job.bias = layer.bias.data();
  job.input = input_of(l, panel);
  job.target = batches_.target() + layer.outputs() * panel.first;
  job.neuron_loss = shards_->losses(state);
  job.stride = panel.stride;
  job.samples = panel.samples;
  job.activation = options_.output_activation;
  job.loss = options_.loss;
  job.gradient = gradient_of(l, tile, panel);
  kernels::output(job, mine.begin, mine.end);
}

void SparseStep::backward(std::size_t l, Range mine, const Tile& tile, const Panel& panel) {
  const SparseLayer& layer = network_.layers[l];
  const std::size_t place = layer.outputs() * panel.first;
  kernels::BackwardJob job;
  job.upper = network_.layers[l + 1].by_input();
  job.upper_delta = delta_above(l, panel);
  job.upper_gradient = gradients_[l + 1].weights.data();
  job.layer = layer.by_output();
  job.input = input_of(l, panel);
  job.output = hidden_[l].output.data() + place;
  job.delta = l == 0 ? nullptr : hidden_[l].delta.data() + place;
  job.stride = panel.stride;
  job.activation = options_.activation;
  job.dropout = options_.dropout > 0;
  job.gradient = gradient_of(l, tile, panel);
  kernels::backward(job, mine.begin, mine.end);
}

void step_layer(SparseLayer& layer, kernels::UpdateJob job, Range outputs) {
  const Range connections{layer.offsets[outputs.begin], layer.offsets[outputs.end]};
  step_by_sum(job, outputs, layer.has_transposed() ? Range{} : connections);
  if (!layer.has_transposed()) return;
  job.first_tile = job.last_tile = true;
  float gradients[kStepTogether];
  for (std::size_t k = connections.begin; k < connections.end; k += kStepTogether) {
    const Range some{k, std::min(k + kStepTogether, connections.end)};
    layer.gather_transposed(some, job.weights.gradient, gradients);
    kernels::update(job, job.weights, some.begin, some.size(), gradients);
    layer.refresh_transposed(some);
  }
}

void SparseStep::step_by_sums(int member, const Tile& tile) {
  for (std::size_t l = 0; l < network_.layers.size(); ++l) {
    SparseLayer& layer = network_.layers[l];
    step_layer(layer, update_job(options_, tile, layer, &gradients_[l]),
               forward_ranges_[l][static_cast<std::size_t>(member)]);
  }
}

void SparseStep::train_tile(int member, const Tile& tile, EpochState& state) {
  const std::size_t last = network_.layers.size() - 1;
  const auto me = static_cast<std::size_t>(member);
  const auto phase = [&](auto&& work) {
    for (std::size_t p = 0; p < tile.panels; ++p) work(tile.panel(p));
    team_.barrier();
  };
  shards_->begin_tile(member, tile, state);
  for (std::size_t l = 0; l < last; ++l)
    phase([&](const Panel& panel) { forward(l, forward_ranges_[l][me], tile, panel); });
  phase([&](const Panel& panel) { output(update_ranges_[last][me], tile, panel, state); });
  for (std::size_t l = last; l-- > 0;)
    phase([&](const Panel& panel) { backward(l, update_ranges_[l][me], tile, panel); });
  shards_->end_tile(member, tile, state);
  if (tile.last_of_batch) step_by_sums(member, tile);
}

}  // namespace quickselection
