// src/network/layers/dense_network.h: layers in which every input is connected to every output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/aligned.h"
#include "core/team.h"
#include "kernels/layer/layer.h"
#include "network/training/train_options.h"
#include "quickselection/network.h"

namespace quickselection {

struct DenseLayer {
  DenseLayer() = default;
  /// All zeros.
  DenseLayer(std::size_t inputs, std::size_t outputs, kernels::Optimizer optimizer);

  /// Weights and biases.
  std::size_t parameters() const { return weights.size() + bias.size(); }

  std::size_t inputs = 0, outputs = 0;
  AlignedArray<float> weights;                         // (O, I)
  AlignedArray<float> state1, state2;                  // (O, I), state2 only for Adam
  AlignedArray<float> bias, bias_state1, bias_state2;  // (O)
};

struct DenseNetwork {
  std::vector<DenseLayer> layers;

  std::size_t parameters() const;
};

/// The weights (O, I) a layer begins with: N(0, 2 / (inputs + outputs)) (Glorot and Bengio 2010), a
/// pure function of the arguments.
AlignedArray<float> initial_weights(std::size_t inputs, std::size_t outputs, std::uint64_t seed,
                                    std::uint32_t index);

/// Layers between neighbouring sizes with initial weights and biases of 0.
DenseNetwork make_dense_network(std::span<const std::size_t> sizes, kernels::Optimizer optimizer,
                                std::uint64_t seed);

/// The same for an autoencoder: features, hidden …, features.
DenseNetwork make_dense_autoencoder(std::size_t features, const TrainOptions& options,
                                    std::uint64_t seed);

/// sums (rows, B) = W input + b for these outputs of a layer; input is (I, B), `stride` floats
/// wide.
void weighted_sums(const DenseLayer& layer, Range rows, const float* input, std::size_t stride,
                   float* sums);

/// A copy of the weights for others to look at, every place named.
std::vector<LayerWeights> weights_of(const DenseNetwork& network);

/// Sum of the absolute weights that leave each input.
std::vector<double> strength(const DenseLayer& layer);

}  // namespace quickselection
