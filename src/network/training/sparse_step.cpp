// src/network/training/sparse_step.cpp: see sparse_step.h.
#include "network/training/sparse_step.h"

#include <algorithm>

#include "kernels/layer/neurons.h"
#include "network/layers/topology.h"

namespace quickselection {
namespace {

/// Connections whose gradients are brought into the order of the weights at a time.
constexpr std::size_t kStepTogether = 1024;
/// Numbers of a cache line: members write to different ones.
constexpr std::size_t kLine = 16;
/// A wide layer's outputs are spread in parts, so that threads share them and bits do not depend on
/// how: so many outputs in a part, or so many parts.
constexpr std::size_t kSpreadPart = 8192, kMostSpreadParts = 32;
/// Bytes of a panel that stay in an L2 cache beside other things, and how many times that is wide.
constexpr std::size_t kInputBlockBytes = std::size_t{512} << 10, kWideBlocks = 4;

}  // namespace

SparseStep::SparseStep(Autoencoder& network, const TrainOptions& options, Batches& batches)
    : network_(network), options_(options), batches_(batches), team_(batches.team()) {
  batches_.use_panels();
  const auto& layers = network_.layers;
  for (std::size_t l = 0; l + 1 < layers.size(); ++l) {
    const std::size_t size = layers[l].outputs() * batches_.stride();
    hidden_.push_back({AlignedArray<float>(size), AlignedArray<float>(l == 0 ? 0 : size)});
  }
  const std::size_t panel = std::min(batches_.stride(), kernels::kMaxPanel);
  const std::size_t inputs = kInputBlockBytes / sizeof(float) / panel;
  if (batches_.features() >= kWideBlocks * inputs) {
    blocks_ = {nullptr, batches_.features() / inputs, layers.front().outputs()};
    cuts_.resize((blocks_.count + 1) * blocks_.neurons);
    hidden_.front().delta = AlignedArray<float>(hidden_.front().output.size());
  }
  const SparseLayer& top = layers.back();
  if (layers.size() > 1 && !top.has_transposed()) {
    spread_parts_ = std::clamp<std::size_t>(top.outputs() / kSpreadPart, 1, kMostSpreadParts);
    spread_ = AlignedArray<float>(spread_parts_ * top.inputs() * batches_.stride());
  }
  const auto add_gradients = [&](std::vector<GradientSum>& to) {
    for (const SparseLayer& layer : layers)
      to.push_back(
          {AlignedArray<float>(layer.connections()), AlignedArray<float>(layer.outputs())});
  };
  add_gradients(gradients_);
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
  if (!panels_.empty()) {
    sources_.resize(layers.size());
    for (std::size_t l = 0; l < layers.size(); ++l) {
      sources_[l].resize(layers[l].t_places.size());
      for (std::uint32_t k = 0; k < sources_[l].size(); ++k) sources_[l][layers[l].t_places[k]] = k;
    }
  }
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

const float* SparseStep::input_of(std::size_t l, const Panel& panel) const {
  const float* tile = l == 0 ? batches_.noisy() : hidden_[l - 1].output.data();
  return tile + network_.layers[l].inputs() * panel.first;
}

const float* SparseStep::delta_above(std::size_t l, const Panel& panel) const {
  const bool last = l + 2 == network_.layers.size();
  const float* tile = last ? batches_.target() : hidden_[l + 1].delta.data();
  return tile + network_.layers[l + 1].outputs() * panel.first;
}

SparseStep::Place SparseStep::place_of(std::size_t p, const Tile& tile, EpochState& state) {
  if (tile.alone > 0) return {panels_[p].gradients, panels_[p].losses.data(), false};
  return {gradients_, shards_->losses(state), !tile.first_of_shard || p > 0};
}

kernels::GradientJob SparseStep::gradient_of(std::size_t l, const Tile& tile,
                                             const Place& place) const {
  return {network_.layers[l].has_transposed() ? nullptr : place.gradients[l].weights.data(),
          place.gradients[l].bias.data(), 1.0f / static_cast<float>(tile.batch_samples), place.add};
}

void SparseStep::forward(std::size_t l, Range mine, const Tile& tile, const Panel& panel) {
  const SparseLayer& layer = network_.layers[l];
  kernels::ForwardJob job;
  job.layer = layer.by_output();
  job.bias = layer.bias.data();
  if (l == 0) job.blocks = blocks_;
  job.input = input_of(l, panel);
  job.output = hidden_[l].output.data() + layer.outputs() * panel.first;
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
  job.target = batches_.target() + layer.outputs() * panel.first;
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
  job.upper_delta = delta_above(l, panel);
  job.upper_gradient = place.gradients[l + 1].weights.data();
  if (l + 2 == network_.layers.size() && spread_parts_ > 0)
    job.spread = {spread_.data() + first, spread_parts_, layer.outputs() * batches_.stride()};
  job.layer = layer.by_output();
  job.input = input_of(l, panel);
  job.output = hidden_[l].output.data() + first;
  if (l == 0) job.blocks = blocks_;
  job.delta = hidden_[l].delta.empty() ? nullptr : hidden_[l].delta.data() + first;
  job.stride = panel.stride;
  job.activation = options_.activation;
  job.dropout = options_.dropout > 0;
  job.gradient = gradient_of(l, tile, place);
  kernels::backward(job, mine.begin, mine.end);
}

void step_layer(SparseLayer& layer, kernels::UpdateJob job, Range outputs, bool refresh) {
  const Range connections{layer.offsets[outputs.begin], layer.offsets[outputs.end]};
  step_by_sum(job, outputs, layer.has_transposed() ? Range{} : connections);
  if (!layer.has_transposed()) return;
  job.first_tile = job.last_tile = true;
  float gradients[kStepTogether];
  for (std::size_t k = connections.begin; k < connections.end; k += kStepTogether) {
    const Range some{k, std::min(k + kStepTogether, connections.end)};
    layer.gather_transposed(some, job.weights.gradient, gradients);
    kernels::update(job, job.weights, some.begin, some.size(), gradients);
    if (refresh) layer.refresh_transposed(some);
  }
}

void SparseStep::step_by_sums(int member, const Tile& tile) {
  for (std::size_t l = 0; l < network_.layers.size(); ++l) {
    SparseLayer& layer = network_.layers[l];
    step_layer(layer, update_job(options_, tile, layer, &gradients_[l]),
               forward_ranges_[l][static_cast<std::size_t>(member)], sources_.empty());
  }
  if (sources_.empty()) return;
  team_.barrier();
  for (std::size_t l = 0; l < network_.layers.size(); ++l) {
    SparseLayer& layer = network_.layers[l];
    const Range mine = share(sources_[l].size(), member, team_.size(), kLine);
    for (std::size_t k = mine.begin; k < mine.end; ++k)
      layer.t_weights[k] = layer.weights[sources_[l][k]];
  }
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

void SparseStep::add_panels(int member, const Tile& tile, EpochState& state) {
  const auto add = [&](auto* to, std::size_t size, bool first, auto&& of_panel) {
    const Range mine = share(size, member, team_.size(), kLine);
    for (std::size_t p = 0; p < tile.panels; ++p) {
      auto* const from = of_panel(panels_[p]);
      if (first && p == 0)
        std::copy_n(from + mine.begin, mine.size(), to + mine.begin);
      else
        for (std::size_t i = mine.begin; i < mine.end; ++i) to[i] += from[i];
    }
  };
  for (std::size_t l = 0; l < gradients_.size(); ++l) {
    GradientSum& sum = gradients_[l];
    add(sum.weights.data(), sum.weights.size(), tile.first_of_shard,
        [l](PanelSums& panel) { return panel.gradients[l].weights.data(); });
    add(sum.bias.data(), sum.bias.size(), tile.first_of_shard,
        [l](PanelSums& panel) { return panel.gradients[l].bias.data(); });
  }
  add(shards_->losses(state), batches_.features(), false,
      [](PanelSums& panel) { return panel.losses.data(); });
  const Range mine = share(batches_.features(), member, team_.size(), kLine);
  for (std::size_t p = 0; p < tile.panels; ++p)
    std::fill_n(panels_[p].losses.data() + mine.begin, mine.size(), 0.0);
}

void SparseStep::train_tile(int member, const Tile& tile, EpochState& state) {
  shards_->begin_tile(member, tile, state);
  const auto members = static_cast<std::size_t>(team_.size());
  for (std::size_t p = static_cast<std::size_t>(member); p < tile.alone; p += members)
    train_alone(p, tile, state);
  if (tile.alone < tile.panels)
    train_shared(member, tile, state);
  else
    team_.barrier();
  if (tile.alone > 0) {
    add_panels(member, tile, state);
    team_.barrier();
  }
  shards_->end_tile(member, tile, state);
  if (tile.last_of_batch) step_by_sums(member, tile);
}

}  // namespace quickselection
