// src/selectors/fcae.cpp: a dense denoising autoencoder; a feature's score is the strength of its
// input neuron.
#include "network/dense_trainer.h"
#include "network/train_loop.h"
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

MethodOutput run(const MethodInput& in) {
  const auto options = parse_options<FcaeOptions>(in.given, kFcae.name);
  const TrainOptions& train = options.train;
  const Windows windows = plan_windows(in.data, in.context.memory);
  DenseTrainer trainer(in.data, in.scaler, train, in.seed, in.team, {{}, windows});
  check_memory(in.data, windows, in.context.memory);
  const auto scores = [&] { return strength(trainer.state().network.layers.front()); };
  run_epochs(trainer, {static_cast<std::uint32_t>(train.epochs), train.learning_rate}, in.context,
             tell_each_epoch(in.context, trainer.state(), scores));
  MethodOutput out;
  out.scores = scores();
  out.options = settings_of(options);
  out.loss = trainer.state().loss;
  out.parameters = trainer.state().network.parameters();
  out.warnings = warn_if_worse_than_mean(out.loss, in.scaler, train.learning_rate);
  return out;
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
                   true};

}  // namespace quickselection
