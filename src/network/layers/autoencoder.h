// src/network/layers/autoencoder.h: the sparse denoising autoencoder: layers from d inputs to d
// outputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "network/layers/sparse_layer.h"
#include "network/training/train_options.h"
#include "quickselection/network.h"

namespace quickselection {

struct Autoencoder {
  std::vector<SparseLayer> layers;

  std::size_t parameters() const;
};

/// Connections of a layer: min(round(epsilon * (inputs + outputs)), inputs * outputs), at least 1.
std::uint64_t connections_of(double epsilon, std::size_t inputs, std::size_t outputs);

/// A random network for `features` inputs, a pure function of its arguments.
Autoencoder make_autoencoder(std::size_t features, const TrainOptions& options, std::uint64_t seed);

/// A copy of the weights for others to look at.
std::vector<LayerWeights> weights_of(const Autoencoder& network);

}  // namespace quickselection
