// tests/support/reference.cpp: see reference.h.
#include "support/reference.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/random/random.h"
#include "support/packed.h"

namespace quickselection::reference {

using kernels::Purpose;
using kernels::random_block;

double activate(Activation kind, double x) {
  switch (kind) {
    case Activation::sigmoid:
      return 1 / (1 + std::exp(-x));
    case Activation::tanh:
      return std::tanh(x);
    case Activation::relu:
      return x > 0 ? x : 0;
    case Activation::leaky_relu:
      return x > 0 ? x : 0.01 * x;
    case Activation::linear:
      break;
  }
  return x;
}

double derivative(Activation kind, double x) {
  switch (kind) {
    case Activation::sigmoid:
      return activate(kind, x) * (1 - activate(kind, x));
    case Activation::tanh:
      return 1 - std::tanh(x) * std::tanh(x);
    case Activation::relu:
      return x > 0 ? 1 : 0;
    case Activation::leaky_relu:
      return x > 0 ? 1 : 0.01;
    case Activation::linear:
      break;
  }
  return 1;
}

namespace {

/// a'(x) from a(x).
double slope(Activation kind, double y) {
  if (kind == Activation::sigmoid) return y * (1 - y);
  if (kind == Activation::tanh) return 1 - y * y;
  return derivative(kind, y);
}

}  // namespace

double primitive(Activation kind, double x) {
  switch (kind) {
    case Activation::sigmoid:
      return std::log1p(std::exp(x));
    case Activation::tanh:
      return std::log(std::cosh(x));
    case Activation::relu:
      return x > 0 ? x * x / 2 : 0;
    case Activation::leaky_relu:
      return (x > 0 ? 1 : 0.01) * x * x / 2;
    case Activation::linear:
      break;
  }
  return x * x / 2;
}

std::pair<double, double> normal_pair(std::uint32_t bits) {
  const double radius = std::sqrt(-2 * std::log(((bits >> 16) + 0.5) / 65536));
  const double angle = ((bits & 0x3FFF) - 8191.5) / 16384 * std::numbers::pi / 2;
  const double cosine = (bits & 0x8000) != 0 ? -std::cos(angle) : std::cos(angle);
  const double sine = std::sin(angle);
  const bool swap = (bits & 0x4000) != 0;
  return swap ? std::pair(radius * sine, radius * cosine)
              : std::pair(radius * cosine, radius * sine);
}

double noise(std::uint64_t seed, std::uint32_t epoch, std::uint32_t row, std::size_t feature) {
  const auto block =
      random_block(seed, Purpose::noise, static_cast<std::uint32_t>(feature / 8), row, epoch);
  const auto pair = normal_pair(block[feature % 8 / 2]);
  return feature % 2 == 0 ? pair.first : pair.second;
}

bool keeps(double rate, std::uint64_t seed, std::uint32_t epoch, std::uint32_t layer,
           std::size_t unit, std::uint32_t row) {
  const auto block = random_block(seed, Purpose::dropout,
                                  static_cast<std::uint32_t>(unit / 8) * 64 + layer, row, epoch);
  const std::uint32_t word = block[unit % 8 / 2];
  const std::uint32_t value = unit % 2 == 0 ? word & 0xFFFF : word >> 16;
  return value >= std::round(rate * 65536);
}

void update(Parameter& parameter, Optimizer optimizer, double learning_rate, double momentum,
            double weight_decay, std::uint64_t step) {
  auto& [value, state1, state2, gradient] = parameter;
  const double decayed = weight_decay * value;
  switch (optimizer) {
    case Optimizer::sgd:
      state1 = momentum * state1 - learning_rate * gradient;
      value += state1;
      break;
    case Optimizer::adagrad:
      state1 += gradient * gradient;
      value -= learning_rate * gradient / (std::sqrt(state1) + 1e-8);
      break;
    case Optimizer::adam: {
      state1 = 0.9 * state1 + 0.1 * gradient;
      state2 = 0.999 * state2 + 0.001 * gradient * gradient;
      const double mean = state1 / (1 - std::pow(0.9, step));
      const double square = state2 / (1 - std::pow(0.999, step));
      value -= learning_rate * mean / (std::sqrt(square) + 1e-8);
      break;
    }
  }
  value -= decayed;
}

Network::Network(const Autoencoder& network, const TrainOptions& train_options,
                 std::uint64_t train_seed)
    : options(train_options), seed(train_seed) {
  for (const SparseLayer& from : network.layers) {
    Layer& to = layers.emplace_back(from.inputs(), from.outputs());
    const auto state2 = [](const AlignedArray<float>& states, std::size_t i) {
      return states.empty() ? 0.0 : states[i];
    };
    for (std::size_t j = 0; j < from.outputs(); ++j) {
      to.bias.push_back({from.bias[j], from.bias_state1[j], state2(from.bias_state2, j), 0});
      for (std::uint64_t k = from.offsets[j]; k < from.offsets[j + 1]; ++k)
        to.connections.push_back(
            {j, from.columns[k], {from.weights[k], from.state1[k], state2(from.state2, k), 0}});
    }
  }
}

double Network::stored(double x) const { return packs ? rounded(static_cast<float>(x)) : x; }

Network::Pass Network::forward(const std::vector<double>& clean, std::uint32_t row,
                               std::uint32_t epoch) const {
  Pass pass;
  std::vector<double> values = clean;
  const std::uint32_t noise_epoch = options.noise_mode == NoiseMode::fresh ? epoch : 0;
  for (std::size_t f = 0; f < values.size(); ++f)
    values[f] = stored(values[f] + options.noise * noise(seed, noise_epoch, row, f));
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const bool last = l + 1 == layers.size();
    std::vector<double> sum(layers[l].outputs);
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] = layers[l].bias[j].value;
    for (const Connection& c : layers[l].connections)
      sum[c.output] += c.weight.value * values[c.input];
    pass.input.push_back(std::move(values));
    values.assign(sum.size(), 0);
    for (std::size_t j = 0; j < sum.size(); ++j)
      if (last || keeps(options.dropout, seed, epoch, static_cast<std::uint32_t>(l), j, row))
        values[j] = last ? activate(options.output_activation, sum[j])
                         : stored(activate(options.activation, sum[j]));
    pass.sum.push_back(std::move(sum));
  }
  pass.result = std::move(values);
  return pass;
}

double Network::loss(const Matrix& clean, std::span<const std::uint32_t> rows,
                     std::uint32_t epoch) const {
  double total = 0;
  for (const std::uint32_t row : rows) {
    const Pass pass = forward(clean[row], row, epoch);
    for (std::size_t f = 0; f < pass.result.size(); ++f) {
      const double sum = pass.sum.back()[f], error = pass.result[f] - clean[row][f];
      total += options.loss == Loss::squared
                   ? error * error
                   : 2 * (primitive(options.output_activation, sum) - clean[row][f] * sum);
    }
  }
  return total;
}

double Network::backpropagate(const Matrix& clean, std::span<const std::uint32_t> rows,
                              std::uint32_t epoch) {
  for (Layer& layer : layers) {
    for (Connection& c : layer.connections) c.weight.gradient = 0;
    for (Parameter& bias : layer.bias) bias.gradient = 0;
  }
  const double share = 1.0 / static_cast<double>(rows.size());
  double total = 0;
  for (const std::uint32_t row : rows) {
    const Pass pass = forward(clean[row], row, epoch);
    std::vector<double> delta(pass.result.size());
    for (std::size_t f = 0; f < delta.size(); ++f) {
      const double error = pass.result[f] - clean[row][f];
      total += error * error;
      delta[f] = error;
      if (options.loss == Loss::squared)
        delta[f] *= derivative(options.output_activation, pass.sum.back()[f]);
    }
    for (std::size_t l = layers.size(); l-- > 0;) {
      for (std::size_t j = 0; j < delta.size(); ++j) {
        layers[l].bias[j].gradient += share * delta[j];
        delta[j] = stored(delta[j]);
      }
      std::vector<double> below(layers[l].inputs);
      for (Connection& c : layers[l].connections) {
        c.weight.gradient += share * delta[c.output] * pass.input[l][c.input];
        below[c.input] += c.weight.value * delta[c.output];
      }
      if (l == 0) break;
      // A dropped unit was 0 on the way up, but its own weights still learn.
      for (std::size_t i = 0; i < below.size(); ++i)
        below[i] *= packs ? slope(options.activation,
                                  stored(activate(options.activation, pass.sum[l - 1][i])))
                          : derivative(options.activation, pass.sum[l - 1][i]);
      delta = std::move(below);
    }
  }
  return total;
}

void Network::update_all(std::uint64_t step) {
  const auto apply = [&](Parameter& parameter) {
    update(parameter, options.optimizer, options.learning_rate, options.momentum,
           options.weight_decay, step);
  };
  for (Layer& layer : layers) {
    for (Connection& c : layer.connections) apply(c.weight);
    for (Parameter& bias : layer.bias) apply(bias);
  }
}

Matrix scaled(const Dataset& data, const Scaler& scaler) {
  Matrix result(data.rows(), std::vector<double>(data.features()));
  for (std::size_t r = 0; r < data.rows(); ++r)
    for (std::size_t f = 0; f < data.features(); ++f) {
      const double value = data.at(r, f);
      const double used = scaler.mode == ScaleMode::log ? std::log1p(value) : value;
      double& x = result[r][f] = (used - scaler.mean[f]) * scaler.scale[f];
      if (scaler.clip > 0) x = std::clamp<double>(x, -scaler.clip, scaler.clip);
    }
  return result;
}

}  // namespace quickselection::reference
