// tests/support/dense.h: dense networks as sparse ones, for comparison with the slow reference.
#pragma once

#include "network/layers/autoencoder.h"
#include "network/layers/dense_network.h"

namespace quickselection {

/// The same network with all connections of a sparse one; without optimiser state.
inline Autoencoder as_sparse(const DenseNetwork& dense, kernels::Optimizer optimizer) {
  Autoencoder network;
  for (std::size_t l = 0; l < dense.layers.size(); ++l) {
    const DenseLayer& from = dense.layers[l];
    SparseLayer& layer = network.layers.emplace_back(
        SparseLayer::unfilled(from.inputs, from.outputs, from.weights.size(), optimizer, l > 0));
    for (std::size_t j = 0; j < from.outputs; ++j) {
      layer.offsets[j + 1] = (j + 1) * from.inputs;
      layer.bias[j] = from.bias[j];
      for (std::size_t i = 0; i < from.inputs; ++i) {
        layer.columns[j * from.inputs + i] = static_cast<std::uint32_t>(i);
        layer.weights[j * from.inputs + i] = from.weights[j * from.inputs + i];
      }
    }
    layer.rebuild_transposed();
  }
  return network;
}

}  // namespace quickselection
