// tests/support/reference.h: the training step, slow and obvious, in double precision.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "data/scaling/scaler.h"
#include "network/layers/autoencoder.h"
#include "network/training/train_options.h"
#include "quickselection/dataset.h"

namespace quickselection::reference {

using Matrix = std::vector<std::vector<double>>;  // [row][column]

double activate(Activation kind, double x);
/// a'(x) at the pre-activation x; at the kink of relu and leaky relu, that of negative x.
double derivative(Activation kind, double x);

/// A function whose derivative is a.
double primitive(Activation kind, double x);

/// Two normal numbers from 32 random bits: Box-Muller with 16 bits for the radius and 16 for the
/// angle (see NormalPair in kernels/random/random-inl.h for which bit does what).
std::pair<double, double> normal_pair(std::uint32_t bits);
/// The noise of one value, before its level is applied.
double noise(std::uint64_t seed, std::uint32_t epoch, std::uint32_t row, std::size_t feature);
/// Whether dropout keeps a hidden unit for a row of the data.
bool keeps(double rate, std::uint64_t seed, std::uint32_t epoch, std::uint32_t layer,
           std::size_t unit, std::uint32_t row);

/// A weight or bias with its optimiser state and the gradient of the last batch.
struct Parameter {
  double value = 0, state1 = 0, state2 = 0, gradient = 0;
};
/// One optimiser step; `step` counts from 1 (Adam needs it).
void update(Parameter& parameter, Optimizer optimizer, double learning_rate, double momentum,
            double weight_decay, std::uint64_t step);

struct Connection {
  std::size_t output = 0, input = 0;
  Parameter weight;
};

struct Layer {
  std::size_t inputs = 0, outputs = 0;
  std::vector<Connection> connections;
  std::vector<Parameter> bias;
};

struct Network {
  Network(const Autoencoder& network, const TrainOptions& train_options, std::uint64_t train_seed);

  /// Twice what training minimises, over these rows of the scaled data, with noise and dropout:
  /// the sum of squared errors, unless options.loss says otherwise.
  double loss(const Matrix& clean, std::span<const std::uint32_t> rows, std::uint32_t epoch) const;
  /// Fills in every gradient, of loss / (2 x rows); returns the sum of squared errors.
  double backpropagate(const Matrix& clean, std::span<const std::uint32_t> rows,
                       std::uint32_t epoch);
  /// One optimiser step on every parameter; `step` counts from 1.
  void update_all(std::uint64_t step);

  std::vector<Layer> layers;
  TrainOptions options;
  std::uint64_t seed = 0;
  /// Inputs, activations and deltas are rounded as in packed rows (kernels/layer/layer.h).
  bool packs = false;

 private:
  double stored(double x) const;
  /// Everything that one row leaves behind on its way through the network.
  struct Pass {
    Matrix input;  // [layer][neuron], what enters a layer
    Matrix sum;    // [layer][neuron], pre-activations
    std::vector<double> result;
  };
  Pass forward(const std::vector<double>& clean, std::uint32_t row, std::uint32_t epoch) const;
};

/// The data as the network sees it, before noise.
Matrix scaled(const Dataset& data, const Scaler& scaler);

}  // namespace quickselection::reference
