// src/selectors/methods/wast.cpp: sparse training with attention to neurons (Sokar et al. 2022). A
// feature's score is the importance of its input neuron, summed over all batches.
#include "selectors/methods/wast_network.h"

#include <utility>

#include "network/training/train_loop.h"
#include "selectors/method.h"

namespace quickselection {
namespace {

TrainOptions train_defaults() {
  TrainOptions options;
  options.epochs = 10;
  options.noise_mode = NoiseMode::fresh;
  options.batch_size = 128;
  options.learning_rate = 0.1;
  options.weight_decay = 0;
  options.dropout = 0;
  return options;
}

struct WastOptions {
  TrainOptions train = train_defaults();
  std::uint32_t hidden = 200;
  WastRule rule;
};

template <class Self, class Visitor>
requires OptionsOf<Self, WastOptions>
void for_each_field(Self& o, Visitor&& field) {
  for_each_epochs_field(o.train, field);
  field("hidden", o.hidden, between(1, 1e8), "Hidden neurons.");
  field("density", o.rule.density, between(1e-9, 1), "Connections as a share of all places.");
  field("zeta", o.rule.share, from_below(0, 1), "Share of the connections moved after each batch.");
  field("lambda", o.rule.lambda, between(0, 1),
        "Weight of the reconstruction error in a neuron's importance; the rest is its strength.");
  for_each_step_field(o.train, field);
}

void check(std::span<const GivenOption> given) { parse_options<WastOptions>(given, kWast.name); }

WastState initial_state_of(const MethodInput& in, const WastOptions& options) {
  return initial_wast_state(in.data.features(), options.hidden, options.rule, in.seed);
}

/// Goes on until that many epochs are done.
MethodOutput train_to(std::uint32_t epochs, const MethodInput& in, const WastOptions& options,
                      WastState& state) {
  TrainOptions train = options.train;
  train.hidden = {options.hidden};
  // The published learning rate belongs to the mean of the squared errors over all features. Our
  // gradient is that of half their sum.
  train.learning_rate *= 2.0 / static_cast<double>(in.data.features());
  const Windows windows = plan_windows(in.data, in.context.memory);
  WastTrainer trainer(in.data, in.scaler, train, options.rule, in.seed, in.team,
                      std::exchange(state, {}), windows);
  const StateKeeper keeper(trainer, state);
  check_memory(in.data, windows, in.context.memory);
  run_and_tell(trainer, {epochs, options.train.learning_rate}, in.context,
               [](const WastState& now) { return now.input_importance; });
  MethodOutput out;
  out.scores = trainer.state().input_importance;
  out.options = settings_of(options);
  out.loss = trainer.state().loss;
  out.parameters = trainer.state().network.parameters();
  if (in.keep_network) out.network = weights_of(trainer.state().network);
  return out;
}

MethodOutput run(const MethodInput& in) {
  const auto options = parse_options<WastOptions>(in.given, kWast.name);
  WastState state = initial_state_of(in, options);
  return train_to(static_cast<std::uint32_t>(options.train.epochs), in, options, state);
}

MethodOutput learn(const MethodInput& in, TrainingState& any) {
  const auto options = parse_options<WastOptions>(in.given, kWast.name);
  auto& state = state_in<WastState>(any, [&] { return initial_state_of(in, options); });
  return train_to(state.epoch + 1, in, options, state);
}

}  // namespace

const Method kWast{"wast",
                   "Sparse autoencoder that moves its connections to important neurons after "
                   "every batch.",
                   ScaleMode::standard,
                   false,
                   describe_options<WastOptions>,
                   check,
                   run,
                   true,
                   learn,
                   true};

}  // namespace quickselection
