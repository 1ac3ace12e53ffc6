// src/network/training/train_options.h: the options of a sparse training, described once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/text/options.h"
#include "kernels/layer/layer.h"

namespace quickselection {

using kernels::Activation;
using kernels::Loss;
using kernels::Optimizer;

enum class NoiseMode : std::uint8_t { fixed, fresh };

inline constexpr std::string_view kActivationNames[] = {"sigmoid", "tanh", "relu", "leaky_relu",
                                                        "linear"};
inline constexpr std::string_view kLossNames[] = {"squared", "matching"};
inline constexpr std::string_view kOptimizerNames[] = {"sgd", "adagrad", "adam"};
inline constexpr std::string_view kNoiseModeNames[] = {"fixed", "fresh"};
template <>
inline constexpr std::span<const std::string_view> kChoices<Activation> = kActivationNames;
template <>
inline constexpr std::span<const std::string_view> kChoices<Loss> = kLossNames;
template <>
inline constexpr std::span<const std::string_view> kChoices<Optimizer> = kOptimizerNames;
template <>
inline constexpr std::span<const std::string_view> kChoices<NoiseMode> = kNoiseModeNames;

/// What `auto` trains for at most, and the paper always.
inline constexpr int kMostEpochs = 100;

struct TrainOptions {
  std::optional<int> epochs = kMostEpochs;  ///< unset = auto: until the ranking has settled
  std::vector<std::uint32_t> hidden = {1000};
  double epsilon = 13;
  double zeta = 0.2;
  double noise = 0.2;
  NoiseMode noise_mode = NoiseMode::fixed;
  std::uint32_t batch_size = 100;
  double learning_rate = 0.01;
  double momentum = 0.9;
  double weight_decay = 0;
  double dropout = 0.2;
  Activation activation = Activation::sigmoid;
  Activation output_activation = Activation::linear;
  Loss loss = Loss::squared;
  Optimizer optimizer = Optimizer::sgd;
  std::uint32_t shards = 1;
};

inline std::uint32_t most_epochs(const TrainOptions& options) {
  return static_cast<std::uint32_t>(options.epochs.value_or(kMostEpochs));
}

/// inputs, the hidden layers, outputs.
inline std::vector<std::size_t> layer_sizes(std::size_t inputs, const TrainOptions& options,
                                            std::size_t outputs) {
  std::vector<std::size_t> sizes{inputs};
  sizes.insert(sizes.end(), options.hidden.begin(), options.hidden.end());
  sizes.push_back(outputs);
  return sizes;
}

// The fields in groups: a method shows those that it has.

void for_each_epochs_field(OptionsOf<TrainOptions> auto& o, auto&& field) {
  field("epochs", o.epochs, auto_or(between(1, 1e6)),
        "Passes over the data; auto stops when the ranking has settled, after 100 at most.");
}
/// Where a shorter training is not the beginning of a longer one, or nothing is ranked.
void for_each_fixed_epochs_field(OptionsOf<TrainOptions> auto& o, auto&& field) {
  field("epochs", o.epochs, auto_or(between(1, 1e6)), "Passes over the data; auto is 100.");
}

void for_each_hidden_field(OptionsOf<TrainOptions> auto& o, auto&& field) {
  field("hidden", o.hidden, between(1, 1e8), "Neurons of each hidden layer, separated by commas.");
}

void for_each_size_field(OptionsOf<TrainOptions> auto& o, auto&& field) {
  for_each_epochs_field(o, field);
  for_each_hidden_field(o, field);
}

void for_each_sparsity_field(OptionsOf<TrainOptions> auto& o, auto&& field) {
  field("epsilon", o.epsilon, above(0),
        "Sparsity: a layer gets epsilon x (inputs + outputs) connections.");
}

void for_each_zeta_field(OptionsOf<TrainOptions> auto& o, auto&& field) {
  field("zeta", o.zeta, from_below(0, 1),
        "Share of the weakest connections replaced after each epoch.");
}

void for_each_step_field(OptionsOf<TrainOptions> auto& o, auto&& field) {
  field("noise", o.noise, at_least(0), "Standard deviation of the noise added to scaled inputs.");
  field("noise-mode", o.noise_mode, choices_of<NoiseMode>(),
        "Noise drawn once for the whole training, or anew in each epoch.");
  field("batch-size", o.batch_size, between(1, 1e6), "Rows in a training step.");
  field("learning-rate", o.learning_rate, above(0), "Step size of the optimizer.");
  field("momentum", o.momentum, from_below(0, 1), "Momentum of sgd; the others ignore it.");
  field("weight-decay", o.weight_decay, from_below(0, 1),
        "Share of each weight and bias lost in every step.");
  field("dropout", o.dropout, from_below(0, 1), "Share of hidden units left out of each sample.");
  field("activation", o.activation, choices_of<Activation>(), "Activation of hidden neurons.");
}

void for_each_output_field(OptionsOf<TrainOptions> auto& o, auto&& field) {
  field("output-activation", o.output_activation, choices_of<Activation>(),
        "Activation of output neurons.");
  field("loss", o.loss, choices_of<Loss>(),
        "Squared error, or the loss that matches the output activation: saturated outputs still "
        "learn.");
}

void for_each_optimizer_field(OptionsOf<TrainOptions> auto& o, auto&& field) {
  field("optimizer", o.optimizer, choices_of<Optimizer>(), "How gradients change weights.");
}

/// For methods whose steps add up over shards whatever they take from the rows (BatchSum).
void for_each_shards_field(OptionsOf<TrainOptions> auto& o, auto&& field) {
  field("shards", o.shards, between(1, 4096),
        "Parts of the rows, each in an order of its own, that processes can share.");
}

void for_each_field(OptionsOf<TrainOptions> auto& o, auto&& field) {
  for_each_size_field(o, field);
  for_each_sparsity_field(o, field);
  for_each_zeta_field(o, field);
  for_each_step_field(o, field);
  for_each_output_field(o, field);
  for_each_optimizer_field(o, field);
  for_each_shards_field(o, field);
}

}  // namespace quickselection
