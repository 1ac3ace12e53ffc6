// src/network/layers/dense_network.cpp: see dense_network.h.
#include "network/layers/dense_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/gemm.h"
#include "kernels/random/random.h"
#include "quickselection/error.h"

namespace quickselection {

DenseLayer::DenseLayer(std::size_t layer_inputs, std::size_t layer_outputs,
                       kernels::Optimizer optimizer)
    : inputs(layer_inputs), outputs(layer_outputs) {
  constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max();
  if (inputs > kMost / outputs)
    throw InvalidArgument(
        fmt::format("a dense layer of {} x {} neurons is too large; at most {} weights are "
                    "supported",
                    inputs, outputs, kMost),
        "lower ‹hidden›, or use a sparse method such as quickselection");
  const std::size_t size = inputs * outputs;
  const bool adam = optimizer == kernels::Optimizer::adam;
  weights = AlignedArray<float>(size);
  state1 = AlignedArray<float>(size);
  state2 = AlignedArray<float>(adam ? size : 0);
  bias = AlignedArray<float>(outputs);
  bias_state1 = AlignedArray<float>(outputs);
  bias_state2 = AlignedArray<float>(adam ? outputs : 0);
}

std::size_t DenseNetwork::parameters() const {
  std::size_t sum = 0;
  for (const DenseLayer& layer : layers) sum += layer.parameters();
  return sum;
}

AlignedArray<float> initial_weights(std::size_t inputs, std::size_t outputs, std::uint64_t seed,
                                    std::uint32_t index) {
  AlignedArray<float> weights(inputs * outputs);
  const double scale = std::sqrt(2.0 / static_cast<double>(inputs + outputs));
  kernels::fill_normal(weights.data(), weights.size(), static_cast<float>(scale), seed,
                       kernels::Purpose::weights, 0, index);
  return weights;
}

DenseNetwork make_dense_network(std::span<const std::size_t> sizes, kernels::Optimizer optimizer,
                                std::uint64_t seed) {
  DenseNetwork network;
  for (std::size_t l = 0; l + 1 < sizes.size(); ++l)
    network.layers.emplace_back(sizes[l], sizes[l + 1], optimizer).weights =
        initial_weights(sizes[l], sizes[l + 1], seed, static_cast<std::uint32_t>(l));
  return network;
}

DenseNetwork make_dense_autoencoder(std::size_t features, const TrainOptions& options,
                                    std::uint64_t seed) {
  return make_dense_network(layer_sizes(features, options, features), options.optimizer, seed);
}

void weighted_sums(const DenseLayer& layer, Range rows, const float* input, std::size_t stride,
                   float* sums) {
  for (std::size_t j = 0; j < rows.size(); ++j)
    std::fill_n(sums + j * stride, stride, layer.bias[rows.begin + j]);
  kernels::gemm(rows.size(), stride, layer.inputs, 1,
                {layer.weights.data() + rows.begin * layer.inputs, layer.inputs}, {input, stride},
                sums, stride, true);
}

std::vector<LayerWeights> weights_of(const DenseNetwork& network) {
  std::vector<LayerWeights> copies;
  for (const DenseLayer& layer : network.layers)
    copies.push_back({layer.inputs,
                      layer.outputs,
                      {},
                      {},
                      {layer.weights.begin(), layer.weights.end()},
                      {layer.bias.begin(), layer.bias.end()}});
  return copies;
}

std::vector<double> strength(const DenseLayer& layer) {
  std::vector<double> sums(layer.inputs);
  for (std::size_t j = 0; j < layer.outputs; ++j)
    for (std::size_t i = 0; i < layer.inputs; ++i)
      sums[i] += std::fabs(layer.weights[j * layer.inputs + i]);
  return sums;
}

}  // namespace quickselection
