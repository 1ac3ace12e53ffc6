// src/selectors/methods/quickselection.cpp: the paper's method: a sparse denoising autoencoder
// trained with SET; a feature's score is the strength of its input neuron.
#include <utility>

#include "network/layers/importance.h"
#include "network/training/train.h"
#include "selectors/method.h"

namespace quickselection {
namespace {

struct QuickSelectionOptions {
  TrainOptions train;
  Importance importance = Importance::strength;
};

template <class Self, class Visitor>
requires OptionsOf<Self, QuickSelectionOptions>
void for_each_field(Self& o, Visitor&& field) {
  for_each_field(o.train, field);
  field("importance", o.importance, choices_of<Importance>(),
        "What ranks a feature: strength is the sum of its absolute weights.");
}

void check(std::span<const GivenOption> given) {
  parse_options<QuickSelectionOptions>(given, kQuickSelection.name);
}

std::vector<double> scores_of(const Autoencoder& network, const QuickSelectionOptions& options) {
  return importance(network.layers, options.importance, options.train.zeta);
}

MethodOutput output_of(const MethodInput& in, const QuickSelectionOptions& options,
                       const Autoencoder& network, std::vector<double> loss) {
  MethodOutput out;
  out.scores = scores_of(network, options);
  out.options = settings_of(options);
  out.loss = std::move(loss);
  out.parameters = network.parameters();
  if (in.keep_network) out.network = weights_of(network);
  return out;
}

MethodOutput run(const MethodInput& in) {
  const auto options = parse_options<QuickSelectionOptions>(in.given, kQuickSelection.name);
  std::function<void(const TrainState&)> after_epoch;
  if (in.context.after_epoch)
    after_epoch = [&](const TrainState& state) {
      const std::vector<double> scores = scores_of(state.network, options);
      in.context.after_epoch({state.epoch, state.loss.back(), scores});
    };
  TrainResult trained = train(in.data, in.scaler, options.train, in.seed, in.team, in.context,
                              in.checkpoints, after_epoch);
  MethodOutput out = output_of(in, options, trained.network, std::move(trained.loss));
  out.warnings = std::move(trained.warnings);
  return out;
}

MethodOutput learn(const MethodInput& in, TrainingState& any) {
  const auto options = parse_options<QuickSelectionOptions>(in.given, kQuickSelection.name);
  auto& state = state_in<TrainState>(
      any, [&] { return initial_state(in.data.features(), options.train, in.seed); });
  const std::uint32_t epochs = state.epoch + 1;
  Trainer trainer(in.data, in.scaler, options.train, in.seed, in.team, std::exchange(state, {}));
  const StateKeeper keeper(trainer, state);
  run_and_tell(trainer, {epochs, options.train.learning_rate}, in.context,
               [&](const TrainState& now) { return scores_of(now.network, options); });
  return output_of(in, options, trainer.state().network, trainer.state().loss);
}

}  // namespace

const Method kQuickSelection{
    "quickselection",
    "Sparse denoising autoencoder with evolving connections; ranks by neuron strength.",
    ScaleMode::standard,
    true,
    describe_options<QuickSelectionOptions>,
    check,
    run,
    true,
    learn,
    true};

}  // namespace quickselection
