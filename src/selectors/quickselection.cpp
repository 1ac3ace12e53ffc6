// src/selectors/quickselection.cpp: the paper's method: a sparse denoising autoencoder trained with
// SET; a feature's score is the strength of its input neuron.
#include "network/importance.h"
#include "network/train.h"
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

MethodOutput run(const MethodInput& in) {
  const auto options = parse_options<QuickSelectionOptions>(in.given, kQuickSelection.name);
  const auto scores_of = [&](const Autoencoder& network) {
    return importance(network.layers, options.importance, options.train.zeta);
  };
  std::function<void(const TrainState&)> after_epoch;
  if (in.context.after_epoch)
    after_epoch = [&](const TrainState& state) {
      const std::vector<double> scores = scores_of(state.network);
      in.context.after_epoch({state.epoch, state.loss.back(), scores});
    };
  TrainResult trained = train(in.data, in.scaler, options.train, in.seed, in.team, in.context,
                              in.checkpoints, after_epoch);
  MethodOutput out;
  out.scores = scores_of(trained.network);
  out.options = settings_of(options);
  out.loss = std::move(trained.loss);
  out.parameters = trained.network.parameters();
  if (in.keep_network) out.network = weights_of(trained.network);
  out.warnings = std::move(trained.warnings);
  return out;
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
    true};

}  // namespace quickselection
