// src/network/training/sparse_step.cpp: see sparse_step.h.
#include "network/training/sparse_step.h"

#include "network/layers/topology.h"

namespace quickselection {

SparseStep::SparseStep(Autoencoder& network, const TrainOptions& options, Batches& batches)
    : network_(network), options_(options), batches_(batches), team_(batches.team()) {
  const auto& layers = network_.layers;
  for (std::size_t l = 0; l + 1 < layers.size(); ++l) {
    const std::size_t size = layers[l].outputs() * batches_.stride();
    hidden_.push_back({AlignedArray<float>(size), AlignedArray<float>(l == 0 ? 0 : size)});
  }
  if (batches_.several_tiles())
    for (const SparseLayer& layer : layers)
      gradients_.push_back(
          {AlignedArray<float>(layer.connections()), AlignedArray<float>(layer.outputs())});
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

kernels::UpdateJob SparseStep::update_job_of(std::size_t l, const Tile& tile) {
  return update_job(options_, tile, network_.layers[l],
                    gradients_.empty() ? nullptr : &gradients_[l]);
}

void SparseStep::step_by_sums(int member, const Tile& tile) {
  auto& layers = network_.layers;
  const auto me = static_cast<std::size_t>(member);
  team_.barrier();
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const Range outputs = forward_ranges_[l][me];
    step_by_sum(update_job_of(l, tile), outputs,
                {layers[l].offsets[outputs.begin], layers[l].offsets[outputs.end]});
  }
  team_.barrier();
  for (std::size_t l = 1; l < layers.size(); ++l)
    layers[l].refresh_transposed(update_ranges_[l - 1][me].begin, update_ranges_[l - 1][me].end);
}

void SparseStep::train_tile(int member, const Tile& tile, EpochState& state) {
  auto& layers = network_.layers;
  const std::size_t last = layers.size() - 1;
  const std::size_t me = static_cast<std::size_t>(member);
  const auto input_of = [&](std::size_t l) {
    return l == 0 ? batches_.noisy() : hidden_[l - 1].output.data();
  };

  for (std::size_t l = 0; l < last; ++l) {
    kernels::ForwardJob job;
    job.layer = layers[l].by_output();
    job.bias = layers[l].bias.data();
    job.input = input_of(l);
    job.output = hidden_[l].output.data();
    job.stride = tile.stride;
    job.samples = tile.samples;
    job.activation = options_.activation;
    job.dropout = {static_cast<float>(options_.dropout), batches_.seed(), tile.epoch,
                   static_cast<std::uint32_t>(l), tile.row_ids};
    kernels::forward(job, forward_ranges_[l][me].begin, forward_ranges_[l][me].end);
    team_.barrier();
  }

  kernels::OutputJob out;
  out.layer = layers[last].by_output();
  out.bias = layers[last].bias.data();
  out.input = input_of(last);
  out.target = batches_.target();
  out.neuron_loss = state.output_loss.data();
  out.stride = tile.stride;
  out.samples = tile.samples;
  out.activation = options_.output_activation;
  out.loss = options_.loss;
  out.update = update_job_of(last, tile);
  kernels::output(out, update_ranges_[last][me].begin, update_ranges_[last][me].end);

  for (std::size_t l = last; l-- > 0;) {
    team_.barrier();
    SparseLayer& upper = layers[l + 1];
    kernels::BackwardJob job;
    job.upper = upper.by_input();
    job.upper_delta = l + 1 == last ? batches_.target() : hidden_[l + 1].delta.data();
    job.upper_weights = upper.t_weights.data();
    job.upper_source = upper.weights.data();
    job.upper_position = upper.t_position.data();
    job.layer = layers[l].by_output();
    job.input = input_of(l);
    job.output = hidden_[l].output.data();
    job.delta = l == 0 ? nullptr : hidden_[l].delta.data();
    job.stride = tile.stride;
    job.activation = options_.activation;
    job.dropout = options_.dropout > 0;
    job.update = update_job_of(l, tile);
    kernels::backward(job, update_ranges_[l][me].begin, update_ranges_[l][me].end);
  }
  if (!gradients_.empty() && tile.last_of_batch) step_by_sums(member, tile);
}

}  // namespace quickselection
