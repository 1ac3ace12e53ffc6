// src/selectors/methods/wast_network.cpp: see wast_network.h.
#include "selectors/methods/wast_network.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "network/layers/topology.h"

namespace quickselection {
namespace {

/// Neurons that take new connections: all free places of each, but only some of the last one's.
struct Growth {
  std::vector<std::uint32_t> neurons;  // ascending, the last one left out
  std::uint32_t last = 0;
  std::size_t last_places = 0;
};

Growth choose(std::span<const double> importance, std::span<const std::uint32_t> degree,
              std::size_t places, std::size_t count) {
  std::vector<std::uint32_t> order(importance.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return importance[a] != importance[b] ? importance[a] > importance[b] : a < b;
  });
  Growth growth;
  for (const std::uint32_t neuron : order) {
    const std::size_t free = places - degree[neuron];
    if (free >= count) {
      growth.last = neuron;
      growth.last_places = count;
      break;
    }
    growth.neurons.push_back(neuron);
    count -= free;
  }
  std::sort(growth.neurons.begin(), growth.neurons.end());
  return growth;
}

/// The survivors of a row between drop_weakest and grow.
std::span<const std::uint32_t> survivors(const SparseLayer& layer,
                                         std::span<const std::uint64_t> ends, std::size_t row) {
  const std::uint64_t begin = row == 0 ? 0 : ends[row - 1];
  return {layer.columns.data() + begin, ends[row] - begin};
}

/// Free places of the outputs that grow, ascending.
std::vector<std::uint64_t> free_of_outputs(const SparseLayer& layer,
                                           std::span<const std::uint64_t> ends,
                                           std::span<const std::uint32_t> outputs) {
  std::vector<std::uint64_t> places;
  for (const std::uint32_t j : outputs) {
    const auto used = survivors(layer, ends, j);
    auto next = used.begin();
    for (std::uint32_t i = 0; i < layer.inputs(); ++i) {
      if (next != used.end() && *next == i)
        ++next;
      else
        places.push_back(std::uint64_t{j} * layer.inputs() + i);
    }
  }
  return places;
}

/// Free places of the inputs that grow, ascending.
std::vector<std::uint64_t> free_of_inputs(const SparseLayer& layer,
                                          std::span<const std::uint64_t> ends,
                                          std::span<const std::uint32_t> inputs) {
  std::vector<std::uint64_t> places;
  for (std::size_t j = 0; j < layer.outputs(); ++j) {
    const auto used = survivors(layer, ends, j);
    auto next = used.begin();
    for (const std::uint32_t i : inputs) {
      next = std::lower_bound(next, used.end(), i);
      if (next == used.end() || *next != i) places.push_back(j * layer.inputs() + i);
    }
  }
  return places;
}

}  // namespace

void rewire(SparseLayer& layer, std::span<const double> importance, LayerSide side, double share,
            kernels::RandomStream random) {
  if (layer.is_dense()) return;
  const bool inputs = side == LayerSide::inputs;
  std::vector<float> keys(layer.connections());
  for (std::size_t j = 0; j < layer.outputs(); ++j)
    for (std::uint64_t k = layer.offsets[j]; k < layer.offsets[j + 1]; ++k)
      keys[k] = layer.weights[k] * static_cast<float>(importance[inputs ? layer.columns[k] : j]);
  const auto ends = drop_weakest(layer, keys, share);
  const std::size_t count = layer.connections() - ends.back();
  if (count == 0) return;

  std::vector<std::uint32_t> degree(importance.size());
  if (inputs)
    for (std::uint64_t k = 0; k < ends.back(); ++k) ++degree[layer.columns[k]];
  else
    for (std::size_t j = 0; j < degree.size(); ++j)
      degree[j] = static_cast<std::uint32_t>(survivors(layer, ends, j).size());
  const Growth growth =
      choose(importance, degree, inputs ? layer.outputs() : layer.inputs(), count);

  const auto free_of = inputs ? free_of_inputs : free_of_outputs;
  auto places = free_of(layer, ends, growth.neurons);
  const auto of_last = free_of(layer, ends, {&growth.last, 1});
  const auto middle = static_cast<std::ptrdiff_t>(places.size());
  for (const std::uint64_t which :
       kernels::sample_distinct(of_last.size(), growth.last_places, random))
    places.push_back(of_last[which]);
  std::inplace_merge(places.begin(), places.begin() + middle, places.end());
  grow(layer, ends, places, std::vector<float>(places.size()));
}

Autoencoder make_wast_network(std::size_t features, std::uint32_t hidden, double density,
                              std::uint64_t seed) {
  const double places = static_cast<double>(features) * hidden;
  const auto connections = static_cast<std::uint64_t>(std::max(1.0, std::round(density * places)));
  Autoencoder network;
  const std::size_t sizes[] = {features, hidden, features};
  for (std::uint32_t l = 0; l < 2; ++l) {
    SparseLayer& layer =
        network.layers.emplace_back(sizes[l], sizes[l + 1], connections, kernels::Optimizer::sgd,
                                    needs_transposed(l, 2, sizes[l], sizes[l + 1]), seed, l);
    const double scale = 1 / std::sqrt(3.0 * static_cast<double>(sizes[l])) / kInitialWeightScale;
    for (float& w : layer.weights) w *= static_cast<float>(scale);
    layer.rebuild_transposed();
  }
  return network;
}

WastNetwork make_wast(std::size_t features, std::uint32_t hidden, const WastRule& rule,
                      std::uint64_t seed) {
  return {make_wast_network(features, hidden, rule.density, seed), std::vector<double>(features),
          std::vector<double>(features)};
}

WastStep::WastStep(WastNetwork& network, const TrainOptions& options, const WastRule& rule,
                   Batches& batches)
    : rule_(rule),
      network_(network),
      batches_(batches),
      step_(network.layers, options, batches, true),
      errors_(batches.features()),
      error_sum_(batches, {}, errors_) {}

void WastStep::train_tile(int member, const Tile& tile, EpochState& state) {
  step_.train_tile(member, tile, state);
  // Outputs are linear, so a delta is an error.
  const Range mine = share(errors_.size(), member, batches_.team().size(), 16);
  if (tile.first_of_shard) std::fill_n(errors_.data() + mine.begin, mine.size(), 0.0);
  for (std::size_t p = 0; p < tile.panels; ++p) {
    const Panel panel = tile.panel(p);
    const kernels::Packed* const deltas = step_.deltas(panel);
    for (std::size_t f = mine.begin; f < mine.end; ++f) {
      float sum = 0;  // in the padding all are 0
      for (std::size_t w = 0; w < panel.words; ++w)
        for (const float delta : kernels::unpacked(deltas[f * panel.words + w]))
          sum += std::fabs(delta);
      errors_[f] += sum;
    }
  }
  if (member == 0) batch_samples_ = tile.batch_samples;
  error_sum_.end_tile(member, tile);
  batches_.team().barrier();
}

void WastStep::end_batch(int member, const EpochState& state) {
  const double samples = static_cast<double>(batch_samples_);
  for (std::size_t l = 0; l < 2; ++l) {
    if (static_cast<int>(l) % batches_.team().size() != member) continue;
    SparseLayer& layer = network_.layers.layers[l];
    const LayerSide side = l == 0 ? LayerSide::inputs : LayerSide::outputs;
    std::vector<double> strength(errors_.size());
    for (std::size_t j = 0; j < layer.outputs(); ++j)
      for (std::uint64_t k = layer.offsets[j]; k < layer.offsets[j + 1]; ++k)
        strength[l == 0 ? layer.columns[k] : j] += std::fabs(layer.weights[k]);
    auto& importance = l == 0 ? network_.input_importance : network_.output_importance;
    for (std::size_t f = 0; f < strength.size(); ++f)
      importance[f] += rule_.lambda * errors_[f] / samples + (1 - rule_.lambda) * strength[f];
    // Steps beyond 2^32 begin again: they only separate random numbers.
    rewire(layer, importance, side, rule_.share,
           kernels::RandomStream(batches_.seed(), kernels::Purpose::topology,
                                 static_cast<std::uint32_t>(state.step + 1),
                                 static_cast<std::uint32_t>(l)));
  }
  batches_.team().barrier();
  if (member == 0) step_.cut_ranges();
}

}  // namespace quickselection
