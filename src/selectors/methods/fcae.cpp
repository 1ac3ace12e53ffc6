// src/selectors/methods/fcae.cpp: a dense denoising autoencoder; a feature's score is the strength
// of its input neuron.
#include <utility>

#include "network/training/dense_trainer.h"
#include "network/training/train_loop.h"
#include "selectors/method.h"

namespace quickselection {
namespace {

struct FcaeOptions {
  TrainOptions train;
};

template <class Self, class Visitor>
requires OptionsOf<Self, FcaeOptions>
void for_each_field(Self& o, Visitor&& field) {
  for_each_size_field(o.train, field);
  for_each_step_field(o.train, field);
  for_each_output_field(o.train, field);
  for_each_optimizer_field(o.train, field);
}

void check(std::span<const GivenOption> given) { parse_options<FcaeOptions>(given, kFcae.name); }

std::vector<double> scores_of(const DenseTrainState& state) {
  return strength(state.network.layers.front());
}

/// Goes on until that many epochs are done.
MethodOutput train_to(std::uint32_t epochs, const MethodInput& in, const FcaeOptions& options,
                      DenseTrainState& state) {
  const TrainOptions& train = options.train;
  const Windows windows = plan_windows(in.data, in.context.memory);
  DenseTrainer trainer(in.data, in.scaler, train, in.seed, in.team, std::exchange(state, {}),
                       {{}, windows});
  const StateKeeper keeper(trainer, state);
  check_memory(in.data, windows, in.context.memory);
  run_and_tell(trainer, {epochs, train.learning_rate}, in.context, scores_of);
  const DenseNetwork& network = trainer.state().network;
  MethodOutput out;
  out.scores = scores_of(trainer.state());
  out.options = settings_of(options);
  out.loss = trainer.state().loss;
  out.parameters = network.parameters();
  if (in.keep_network) out.network = weights_of(network);
  return out;
}

MethodOutput run(const MethodInput& in) {
  const auto options = parse_options<FcaeOptions>(in.given, kFcae.name);
  const TrainOptions& train = options.train;
  DenseTrainState state = initial_dense_state(in.data.features(), train, in.seed);
  MethodOutput out = train_to(static_cast<std::uint32_t>(train.epochs), in, options, state);
  out.warnings = warn_if_worse_than_mean(out.loss, in.scaler, train.learning_rate);
  return out;
}

MethodOutput learn(const MethodInput& in, TrainingState& any) {
  const auto options = parse_options<FcaeOptions>(in.given, kFcae.name);
  auto& state = state_in<DenseTrainState>(
      any, [&] { return initial_dense_state(in.data.features(), options.train, in.seed); });
  return train_to(state.epoch + 1, in, options, state);
}

}  // namespace

const Method kFcae{"fcae",
                   "Dense denoising autoencoder; ranks by neuron strength.",
                   ScaleMode::standard,
                   false,
                   describe_options<FcaeOptions>,
                   check,
                   run,
                   true,
                   learn,
                   true};

}  // namespace quickselection
