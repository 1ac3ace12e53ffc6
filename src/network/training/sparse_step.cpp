// src/network/training/sparse_step.cpp: see sparse_step.h.
#include "network/training/sparse_step.h"

#include <algorithm>
#include <utility>

#include "kernels/layer/neurons.h"
#include "network/layers/topology.h"

namespace quickselection {
namespace {

/// Gradients that are added up and used while they are in the L1 cache.
constexpr std::size_t kStepTogether = 1024;
/// Numbers of a cache line: members write to different ones.
constexpr std::size_t kLine = 16;
/// A wide layer's outputs are spread in parts, so that threads share them and bits do not depend on
/// how: so many outputs in a part, or so many parts.
constexpr std::size_t kSpreadPart = 8192, kMostSpreadParts = 32;
/// Bytes of a panel that stay in an L2 cache beside other things, and how many times that is wide.
constexpr std::size_t kInputBlockBytes = std::size_t{512} << 10, kWideBlocks = 4;

}  // namespace

SparseStep::SparseStep(Autoencoder& network, const TrainOptions& options, Batches& batches,
                       bool keeps_deltas)
    : network_(network), options_(options), batches_(batches), team_(batches.team()) {
  batches_.use_panels();
  const auto& layers = network_.layers;
  const std::size_t panel = std::min(batches_.words(), kernels::kMaxPanel / 2);
  const std::size_t inputs = kInputBlockBytes / sizeof(kernels::Packed) / panel;
  if (batches_.features() >= kWideBlocks * inputs) {
    blocks_ = {nullptr, batches_.features() / inputs, layers.front().outputs()};
    cuts_.resize((blocks_.count + 1) * blocks_.neurons);
    block_sums_ = AlignedArray<float>(layers.front().outputs() * batches_.stride());
  }
  const SparseLayer& top = layers.back();
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const bool last = l + 1 == layers.size();
    const bool reads_delta =  // a layer below, blocks of inputs, or whoever wants them
        last ? top.has_transposed() || keeps_deltas : l > 0 || blocks_.count > 0;
    const std::size_t size = layers[l].outputs() * batches_.words();
    tiles_.push_back({AlignedArray<kernels::Packed>(last ? 0 : size),
                      AlignedArray<kernels::Packed>(reads_delta ? size : 0)});
  }
  if (layers.size() > 1 && !top.has_transposed()) {
    spread_parts_ = std::clamp<std::size_t>(top.outputs() / kSpreadPart, 1, kMostSpreadParts);
    spread_ = AlignedArray<float>(spread_parts_ * top.inputs() * batches_.stride());
  }
  const auto add_gradients = [&](std::vector<GradientSum>& to) {
    for (const SparseLayer& layer : layers)
      to.push_back(
          {AlignedArray<float>(layer.connections()), AlignedArray<float>(layer.outputs())});
  };
  into_momentum_ = options_.optimizer == kernels::Optimizer::sgd && !batches_.sharded() &&
                   batches_.most_panels() == 1;
  if (!into_momentum_) add_gradients(gradients_);
  shards_.emplace(batches_, gradients_);
  if (batches_.alone_of(batches_.most_panels()) == 0) return;
  panels_.resize(batches_.most_panels());
  for (PanelSums& sums : panels_) {
    add_gradients(sums.gradients);
    sums.losses.resize(batches_.features());
  }
}

void SparseStep::begin_epoch(const EpochState& state) {
  auto& layers = network_.layers;
  if (state.batch == 0 && state.epoch > 0 && options_.zeta > 0)
    team_.for_each(layers.size(), [&](std::size_t l) {
      evolve(layers[l], options_.zeta, batches_.seed(), state.epoch, static_cast<std::uint32_t>(l));
    });
  cut_ranges();
}

void SparseStep::cut_inputs() {
  const SparseLayer& layer = network_.layers.front();
  for (std::size_t b = 0; b <= blocks_.count; ++b)
    for (std::size_t j = 0; j < layer.outputs(); ++j) {
      const auto* const row = layer.columns.data() + layer.offsets[j];
      const auto* const end = layer.columns.data() + layer.offsets[j + 1];
      const auto* const cut = std::lower_bound(row, end, layer.inputs() * b / blocks_.count);
      cuts_[b * blocks_.neurons + j] = static_cast<std::uint64_t>(cut - layer.columns.data());
    }
  blocks_.cuts = cuts_.data();
}

void SparseStep::cut_ranges() {
  if (blocks_.count > 0) cut_inputs();
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
    if (l + 1 < layers.size() && layers[l + 1].has_transposed())
      for (std::size_t j = 0; j <= layer.outputs(); ++j) cost[j] += layers[l + 1].t_offsets[j];
    update_ranges_[l] = split_by_cost(cost, team_.size());
  }
}

kernels::Packed* SparseStep::rows_of(std::size_t l, AlignedArray<kernels::Packed> LayerTile::*which,
                                     const Panel& panel) {
  AlignedArray<kernels::Packed>& rows = tiles_[l].*which;
  if (rows.empty()) return nullptr;
  return rows.data() + network_.layers[l].outputs() * panel.first_word;
}

const kernels::Packed* SparseStep::input_of(std::size_t l, const Panel& panel) {
  if (l > 0) return rows_of(l - 1, &LayerTile::output, panel);
  return batches_.noisy(panel);
}

const kernels::Packed* SparseStep::deltas(const Panel& panel) {
  return rows_of(tiles_.size() - 1, &LayerTile::delta, panel);
}

SparseStep::Place SparseStep::place_of(std::size_t p, const Tile& tile, EpochState& state) {
  if (tile.alone > 0) return {panels_[p].gradients, panels_[p].losses.data(), true};
  return {gradients_, shards_->losses(state), tile.first_of_shard && p == 0};
}

kernels::GradientJob SparseStep::gradient_of(std::size_t l, const Tile& tile, const Place& place) {
  const float mean = 1.0f / static_cast<float>(tile.batch_samples);
  if (into_momentum_) {
    SparseLayer& layer = network_.layers[l];
    return {layer.state1.data(), layer.bias_state1.data(),
            mean * -static_cast<float>(options_.learning_rate),
            place.first ? static_cast<float>(options_.momentum) : 1.0f};
  }
  GradientSum& sum = place.gradients[l];
  return {sum.weights.data(), sum.bias.data(), mean, place.first ? 0.0f : 1.0f};
}

void SparseStep::forward(std::size_t l, Range mine, const Tile& tile, const Panel& panel) {
  const SparseLayer& layer = network_.layers[l];
  kernels::ForwardJob job;
  job.layer = layer.by_output();
  job.bias = layer.bias.data();
  if (l == 0) job.blocks = blocks_;
  job.input = input_of(l, panel);
  job.output = rows_of(l, &LayerTile::output, panel);
  if (l == 0 && blocks_.count > 0) job.sums = block_sums_.data() + layer.outputs() * panel.first;
  job.stride = panel.stride;
  job.samples = panel.samples;
  job.activation = options_.activation;
  job.dropout = {static_cast<float>(options_.dropout), batches_.seed(), tile.epoch,
                 static_cast<std::uint32_t>(l), tile.row_ids + panel.first};
  kernels::forward(job, mine.begin, mine.end);
}

void SparseStep::output(Range mine, const Tile& tile, const Panel& panel, const Place& place,
                        float* spread) {
  const std::size_t l = network_.layers.size() - 1;
  const SparseLayer& layer = network_.layers[l];
  kernels::OutputJob job;
  job.layer = layer.by_output();
  job.bias = layer.bias.data();
  job.input = input_of(l, panel);
  job.target = batches_.target(panel);
  job.delta = rows_of(l, &LayerTile::delta, panel);
  job.neuron_loss = place.losses;
  job.stride = panel.stride;
  job.samples = panel.samples;
  job.activation = options_.output_activation;
  job.loss = options_.loss;
  job.gradient = gradient_of(l, tile, place);
  job.spread = spread;
  kernels::output(job, mine.begin, mine.end);
}

void SparseStep::output_parts(int member, int members, const Tile& tile, const Panel& panel,
                              const Place& place) {
  const SparseLayer& layer = network_.layers.back();
  const std::size_t first = layer.inputs() * panel.first, size = layer.inputs() * panel.stride;
  const Range mine = share(spread_parts_, member, members);
  for (std::size_t part = mine.begin; part < mine.end; ++part) {
    float* const spread = spread_.data() + part * layer.inputs() * batches_.stride() + first;
    std::fill_n(spread, size, 0.0f);
    output(share(layer.outputs(), static_cast<int>(part), static_cast<int>(spread_parts_), kLine),
           tile, panel, place, spread);
  }
}

void SparseStep::backward(std::size_t l, Range mine, const Tile& tile, const Panel& panel,
                          const Place& place) {
  const SparseLayer& layer = network_.layers[l];
  const std::size_t first = layer.outputs() * panel.first;
  kernels::BackwardJob job;
  job.upper = network_.layers[l + 1].by_input();
  job.upper_delta = rows_of(l + 1, &LayerTile::delta, panel);
  if (l + 2 == network_.layers.size() && spread_parts_ > 0)
    job.spread = {spread_.data() + first, spread_parts_, layer.outputs() * batches_.stride()};
  job.layer = layer.by_output();
  job.input = input_of(l, panel);
  job.output = rows_of(l, &LayerTile::output, panel);
  if (l == 0) job.blocks = blocks_;
  job.delta = rows_of(l, &LayerTile::delta, panel);
  job.stride = panel.stride;
  job.activation = options_.activation;
  job.dropout = options_.dropout > 0;
  job.gradient = gradient_of(l, tile, place);
  kernels::backward(job, mine.begin, mine.end);
}

void SparseStep::train_alone(std::size_t p, const Tile& tile, EpochState& state) {
  const std::size_t last = network_.layers.size() - 1;
  const Panel panel = tile.panel(p);
  const Place place = place_of(p, tile, state);
  const auto all = [&](std::size_t l) { return Range{0, network_.layers[l].outputs()}; };
  for (std::size_t l = 0; l < last; ++l) forward(l, all(l), tile, panel);
  if (spread_parts_ > 0)
    output_parts(0, 1, tile, panel, place);
  else
    output(all(last), tile, panel, place, nullptr);
  for (std::size_t l = last; l-- > 0;) backward(l, all(l), tile, panel, place);
}

void SparseStep::train_shared(int member, const Tile& tile, EpochState& state) {
  const std::size_t last = network_.layers.size() - 1;
  const auto me = static_cast<std::size_t>(member);
  const auto phase = [&](auto&& work) {
    for (std::size_t p = tile.alone; p < tile.panels; ++p)
      work(tile.panel(p), place_of(p, tile, state));
    team_.barrier();
  };
  for (std::size_t l = 0; l < last; ++l)
    phase(
        [&](const Panel& panel, const Place&) { forward(l, forward_ranges_[l][me], tile, panel); });
  phase([&](const Panel& panel, const Place& place) {
    if (spread_parts_ > 0)
      output_parts(member, team_.size(), tile, panel, place);
    else
      output(update_ranges_[last][me], tile, panel, place, nullptr);
  });
  for (std::size_t l = last; l-- > 0;)
    phase([&](const Panel& panel, const Place& place) {
      backward(l, update_ranges_[l][me], tile, panel, place);
    });
}

void SparseStep::add_losses(int member, const Tile& tile, EpochState& state) {
  double* const losses = shards_->losses(state);
  const Range mine = share(batches_.features(), member, team_.size(), kLine);
  for (std::size_t p = 0; p < tile.panels; ++p)
    for (std::size_t f = mine.begin; f < mine.end; ++f)
      losses[f] += std::exchange(panels_[p].losses[f], 0.0);
}

void SparseStep::end_tile(int member, const Tile& tile, bool adds, bool steps) {
  for (std::size_t l = 0; l < network_.layers.size(); ++l) {
    kernels::UpdateJob job = update_job(options_, tile, network_.layers[l], nullptr);
    job.first_tile = job.last_tile = true;
    if (into_momentum_) {  // it is what the weights are to move by
      job.momentum = 1;
      job.learning_rate = 0;
    }
    const auto end = [&](std::size_t size, AlignedArray<float> GradientSum::*which,
                         const kernels::Parameters& of) {
      float nothing[kStepTogether] = {};
      const Range mine = share(size, member, team_.size(), kLine);
      for (std::size_t k = mine.begin; k < mine.end; k += kStepTogether) {
        float* const sum = into_momentum_ ? nothing : (gradients_[l].*which).data() + k;
        const std::size_t count = std::min(kStepTogether, mine.end - k);
        for (std::size_t p = 0; adds && p < tile.panels; ++p) {
          const float* const from = (panels_[p].gradients[l].*which).data() + k;
          if (p == 0 && tile.first_of_shard)
            std::copy_n(from, count, sum);
          else
            for (std::size_t i = 0; i < count; ++i) sum[i] += from[i];
        }
        if (steps) kernels::update(job, of, k, count, sum);
      }
    };
    end(network_.layers[l].connections(), &GradientSum::weights, job.weights);
    end(network_.layers[l].outputs(), &GradientSum::bias, job.bias);
  }
}

void SparseStep::train_tile(int member, const Tile& tile, EpochState& state) {
  shards_->begin_tile(member, tile, state);
  const auto members = static_cast<std::size_t>(team_.size());
  for (std::size_t p = static_cast<std::size_t>(member); p < tile.alone; p += members)
    train_alone(p, tile, state);
  if (tile.alone > 0) batches_.fill_ahead(member);
  if (tile.alone < tile.panels)
    train_shared(member, tile, state);
  else
    team_.barrier();
  const bool adds = tile.alone > 0;
  if (adds) add_losses(member, tile, state);
  if (batches_.sharded()) {
    if (adds) {
      end_tile(member, tile, true, false);
      team_.barrier();
    }
    shards_->end_tile(member, tile, state);
    if (tile.last_of_batch) end_tile(member, tile, false, true);
  } else if (adds || tile.last_of_batch) {
    end_tile(member, tile, adds, tile.last_of_batch);
  }
  if (!tile.last_of_batch) return;
  team_.barrier();
  for (SparseLayer& layer : network_.layers)
    if (layer.has_transposed())
      layer.refresh_transposed(share(layer.connections(), member, team_.size(), kLine));
}

}  // namespace quickselection
