// src/network/training/dense_step.cpp: see dense_step.h.
#include "network/training/dense_step.h"

#include <algorithm>

#include "kernels/layer/neurons.h"

namespace quickselection {

using kernels::for_each_block;

DenseStep::DenseStep(DenseNetwork& network, const TrainOptions& options, Batches& batches)
    : network_(network), options_(options), batches_(batches), team_(batches.team()) {
  const auto& layers = network_.layers;
  std::size_t most = 0;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const std::size_t size = layers[l].outputs * batches.stride();
    if (l + 1 < layers.size())
      hidden_.push_back({AlignedArray<float>(size), AlignedArray<float>(size)});
    const std::size_t widest =
        std::max(std::min(layers[l].inputs, kGradientColumns), batches.stride());
    most = std::max(most, kernels::gemm_block(layers[l].outputs) * widest);
    if (batches.several_tiles())
      gradients_.push_back(
          {AlignedArray<float>(layers[l].weights.size()), AlignedArray<float>(layers[l].outputs)});
  }
  shards_.emplace(batches, gradients_);
  for (int member = 0; member < team_.size(); ++member) scratch_.emplace_back(most);
}

const float* DenseStep::input_of(std::size_t layer, const TileData& data) const {
  return layer == 0 ? data.input : hidden_[layer - 1].output.data();
}

const float* DenseStep::delta_of(std::size_t layer, const TileData& data) const {
  return layer + 1 == network_.layers.size() ? data.target : hidden_[layer].delta.data();
}

void DenseStep::forward(int member, std::size_t l, const Tile& tile, const TileData& data) {
  const DenseLayer& layer = network_.layers[l];
  float* out = hidden_[l].output.data();
  kernels::ActivateJob job;
  job.output = out;
  job.stride = tile.stride;
  job.samples = tile.samples;
  job.activation = options_.activation;
  job.dropout = {static_cast<float>(options_.dropout), batches_.seed(), tile.epoch,
                 static_cast<std::uint32_t>(l), tile.row_ids};
  for_each_block(layer.outputs, member, team_.size(), [&](Range rows) {
    weighted_sums(layer, rows, input_of(l, data), tile.stride, out + rows.begin * tile.stride);
    kernels::activate_neurons(job, rows.begin, rows.end);
  });
}

void DenseStep::output(int member, const Tile& tile, const TileData& data, EpochState& state) {
  const std::size_t l = network_.layers.size() - 1;
  const DenseLayer& layer = network_.layers[l];
  float* sums = scratch_[static_cast<std::size_t>(member)].data();
  for_each_block(layer.outputs, member, team_.size(), [&](Range rows) {
    weighted_sums(layer, rows, input_of(l, data), tile.stride, sums);
    kernels::DeltaJob job;
    job.sums = sums;
    job.target = data.target + rows.begin * tile.stride;
    job.neuron_loss = shards_->losses(state) + rows.begin;
    job.stride = tile.stride;
    job.samples = tile.samples;
    job.activation = options_.output_activation;
    job.loss = options_.loss;
    kernels::delta_neurons(job, 0, rows.size());
  });
}

void DenseStep::push_down(int member, std::size_t l, const Tile& tile, const TileData& data,
                          float* delta) {
  const DenseLayer& layer = network_.layers[l];
  for_each_block(layer.inputs, member, team_.size(), [&](Range rows) {
    kernels::gemm(rows.size(), tile.stride, layer.outputs, 1,
                  {layer.weights.data() + rows.begin, layer.inputs, true},
                  {delta_of(l, data), tile.stride}, delta + rows.begin * tile.stride, tile.stride,
                  false);
    if (l == 0) return;
    kernels::SlopeJob job;
    job.output = hidden_[l - 1].output.data();
    job.delta = delta;
    job.stride = tile.stride;
    job.activation = options_.activation;
    job.dropout = options_.dropout > 0;
    kernels::slope_neurons(job, rows.begin, rows.end);
  });
}

void DenseStep::update(int member, std::size_t l, const Tile& tile, const TileData& data) {
  DenseLayer& layer = network_.layers[l];
  GradientSum* const sum = gradients_.empty() ? nullptr : &gradients_[l];
  const kernels::UpdateJob job = update_job(options_, tile, layer, sum);
  float* gradient = scratch_[static_cast<std::size_t>(member)].data();
  for_each_block(layer.outputs, member, team_.size(), [&](Range rows) {
    const float* delta = delta_of(l, data) + rows.begin * tile.stride;
    kernels::sum_neurons(delta, tile.stride, job.inverse_batch, gradient, 0, rows.size());
    kernels::update(job, job.bias, rows.begin, rows.size(), gradient);
    for (std::size_t first = 0; first < layer.inputs; first += kGradientColumns) {
      const std::size_t columns = std::min(kGradientColumns, layer.inputs - first);
      kernels::gemm(rows.size(), columns, tile.stride, job.inverse_batch, {delta, tile.stride},
                    {input_of(l, data) + first * tile.stride, tile.stride, true}, gradient, columns,
                    false);
      for (std::size_t j = 0; j < rows.size(); ++j)
        kernels::update(job, job.weights, (rows.begin + j) * layer.inputs + first, columns,
                        gradient + j * columns);
    }
  });
}

void DenseStep::step_by_sums(int member, const Tile& tile) {
  for (std::size_t l = 0; l < gradients_.size(); ++l) {
    DenseLayer& layer = network_.layers[l];
    const kernels::UpdateJob job = update_job(options_, tile, layer, &gradients_[l]);
    for_each_block(layer.outputs, member, team_.size(), [&](Range rows) {
      step_by_sum(job, rows, {rows.begin * layer.inputs, rows.end * layer.inputs});
    });
  }
}

void DenseStep::train_tile(int member, const Tile& tile, const TileData& data, EpochState& state) {
  const std::size_t count = network_.layers.size();
  shards_->begin_tile(member, tile, state);
  for (std::size_t l = 0; l + 1 < count; ++l) {
    forward(member, l, tile, data);
    team_.barrier();
  }
  output(member, tile, data, state);
  team_.barrier();
  for (std::size_t l = count - 1; l > 0; --l) {
    push_down(member, l, tile, data, hidden_[l - 1].delta.data());
    team_.barrier();
  }
  if (data.input_delta != nullptr) {
    push_down(member, 0, tile, data, data.input_delta);
    team_.barrier();
  }
  for (std::size_t l = 0; l < count; ++l) update(member, l, tile, data);
  shards_->end_tile(member, tile, state);
  if (tile.last_of_batch) step_by_sums(member, tile);
  team_.barrier();
}

}  // namespace quickselection
