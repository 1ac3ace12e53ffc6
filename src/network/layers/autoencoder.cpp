// src/network/layers/autoencoder.cpp: see autoencoder.h.
#include "network/layers/autoencoder.h"

#include <algorithm>
#include <cmath>

namespace quickselection {

std::size_t Autoencoder::parameters() const {
  std::size_t sum = 0;
  for (const SparseLayer& layer : layers) sum += layer.parameters();
  return sum;
}

std::uint64_t connections_of(double epsilon, std::size_t inputs, std::size_t outputs) {
  const double wanted = std::round(epsilon * static_cast<double>(inputs + outputs));
  const double most = static_cast<double>(inputs) * static_cast<double>(outputs);
  return static_cast<std::uint64_t>(std::max(1.0, std::min(wanted, most)));
}

Autoencoder make_autoencoder(std::size_t features, const TrainOptions& options,
                             std::uint64_t seed) {
  const std::vector<std::size_t> sizes = layer_sizes(features, options, features);
  Autoencoder network;
  for (std::size_t l = 0; l + 1 < sizes.size(); ++l)
    network.layers.emplace_back(
        sizes[l], sizes[l + 1], connections_of(options.epsilon, sizes[l], sizes[l + 1]),
        options.optimizer, needs_transposed(l, sizes.size() - 1, sizes[l], sizes[l + 1]), seed,
        static_cast<std::uint32_t>(l));
  return network;
}

std::vector<LayerWeights> weights_of(const Autoencoder& network) {
  std::vector<LayerWeights> copies;
  for (const SparseLayer& layer : network.layers)
    copies.push_back({layer.inputs(),
                      layer.outputs(),
                      {layer.offsets.begin(), layer.offsets.end()},
                      {layer.columns.begin(), layer.columns.end()},
                      {layer.weights.begin(), layer.weights.end()},
                      {layer.bias.begin(), layer.bias.end()}});
  return copies;
}

}  // namespace quickselection
