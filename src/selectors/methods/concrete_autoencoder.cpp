// src/selectors/methods/concrete_autoencoder.cpp: the concrete autoencoder (Abid, Balin and Zou
// 2019). The features of its K selector units come first, then the others by their best
// probability.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "network/training/train_loop.h"
#include "selectors/method.h"
#include "selectors/methods/concrete_network.h"

namespace quickselection {
namespace {

/// The mean of the units' largest probabilities from which on the authors call it converged.
constexpr double kConverged = 0.99;

TrainOptions train_defaults() {
  TrainOptions options;
  options.noise = 0;
  options.dropout = 0;
  options.learning_rate = 0.001;
  options.weight_decay = 0;
  options.activation = Activation::leaky_relu;
  options.optimizer = Optimizer::adam;
  return options;
}

struct ConcreteOptions {
  TrainOptions train = train_defaults();
  std::optional<std::uint32_t> hidden, batch_size;
  Temperature temperature;
};

template <class Self, class Visitor>
requires OptionsOf<Self, ConcreteOptions>
void for_each_field(Self& o, Visitor&& field) {
  for_each_epochs_field(o.train, field);
  field("hidden", o.hidden, auto_or(between(1, 1e8)),
        "Hidden neurons of the decoder; auto is 3/2 of ‹k›.");
  field("start-temperature", o.temperature.start, above(0), "Temperature of the first step.");
  field("end-temperature", o.temperature.end, above(0), "Temperature of the last step.");
  field("batch-size", o.batch_size, auto_or(between(1, 1e6)),
        "Rows in a training step; auto is a 256th of the rows, at least 16.");
  field("learning-rate", o.train.learning_rate, above(0), "Step size of the optimizer (adam).");
  field("dropout", o.train.dropout, from_below(0, 1),
        "Share of hidden units left out of each sample.");
  field("activation", o.train.activation, choices_of<Activation>(),
        "Activation of hidden neurons.");
  for_each_output_field(o.train, field);
}

void check(std::span<const GivenOption> given) {
  parse_options<ConcreteOptions>(given, kConcreteAutoencoder.name);
}

/// Chosen features lie above 1, by their probability; the others below, by their best one.
std::vector<double> scores_of(std::span<const double> probabilities, std::size_t features,
                              const std::vector<UnitChoice>& chosen) {
  std::vector<double> scores(features);
  for (std::size_t p = 0; p < probabilities.size(); ++p)
    scores[p % features] = std::max(scores[p % features], probabilities[p]);
  for (const UnitChoice& choice : chosen) scores[choice.feature] = 1 + choice.probability;
  return scores;
}

/// The selector as a layer of probabilities, and the decoder.
std::vector<LayerWeights> weights_of(const ConcreteState& state, std::span<const double> p,
                                     std::size_t features) {
  const std::size_t units = p.size() / features;
  DenseNetwork selector;
  DenseLayer& layer = selector.layers.emplace_back(features, units, Optimizer::sgd);
  std::copy(p.begin(), p.end(), layer.weights.begin());
  std::vector<LayerWeights> layers = quickselection::weights_of(selector);
  for (LayerWeights& copy : quickselection::weights_of(state.decoder))
    layers.push_back(std::move(copy));
  return layers;
}

TrainOptions train_options(const MethodInput& in, const ConcreteOptions& options) {
  TrainOptions train = options.train;
  train.hidden = {options.hidden.value_or(static_cast<std::uint32_t>(in.k * 3 / 2 + in.k % 2))};
  train.batch_size = options.batch_size.value_or(
      static_cast<std::uint32_t>(std::clamp<std::size_t>(in.data.rows() / 256, 16, 1000000)));
  return train;
}

/// Constant features: no unit may end with one.
std::vector<bool> barred_by(const Scaler& scaler) {
  std::vector<bool> barred(scaler.mean.size());
  for (std::size_t f = 0; f < barred.size(); ++f) barred[f] = scaler.is_constant(f);
  return barred;
}

std::vector<double> probabilities_of(const ConcreteState& state, std::size_t features) {
  return probabilities({state.logits.data(), state.logits.size()}, features);
}

/// Goes on until that many epochs are done.
void train_to(std::uint32_t epochs, const MethodInput& in, const ConcreteOptions& options,
              const TrainOptions& train, ConcreteState& state) {
  const Windows windows = plan_windows(in.data, in.context.memory);
  ConcreteTrainer trainer(in.data, in.scaler, train, options.temperature, in.seed, in.team,
                          std::exchange(state, {}), windows);
  const StateKeeper keeper(trainer, state);
  check_memory(in.data, windows, in.context.memory);
  const std::size_t features = in.data.features();
  run_and_tell(trainer, {epochs, train.learning_rate}, in.context, [&](const ConcreteState& now) {
    const auto p = probabilities_of(now, features);
    return scores_of(p, features, choose_distinct(p, features, barred_by(in.scaler)));
  });
}

struct Outcome {
  MethodOutput out;
  double mean = 0;  ///< of the units' largest probabilities
};

Outcome outcome_of(const MethodInput& in, const ConcreteOptions& options,
                   const ConcreteState& state) {
  const std::size_t features = in.data.features();
  const auto p = probabilities_of(state, features);
  double mean = 0;
  for (std::size_t unit = 0; unit < in.k; ++unit)
    mean += *std::max_element(p.begin() + static_cast<std::ptrdiff_t>(unit * features),
                              p.begin() + static_cast<std::ptrdiff_t>((unit + 1) * features)) /
            static_cast<double>(in.k);
  std::vector<bool> favourites(features);
  for (std::size_t unit = 0; unit < in.k; ++unit) {
    const auto row = p.begin() + static_cast<std::ptrdiff_t>(unit * features);
    favourites[static_cast<std::size_t>(
        std::max_element(row, row + static_cast<std::ptrdiff_t>(features)) - row)] = true;
  }
  const auto distinct =
      static_cast<std::int64_t>(std::count(favourites.begin(), favourites.end(), true));

  MethodOutput out;
  out.scores = scores_of(p, features, choose_distinct(p, features, barred_by(in.scaler)));
  out.options = settings_of(options);
  out.loss = state.loss;
  out.parameters = state.logits.size() + state.decoder.parameters();
  out.measures = {{"mean of the maxima of the selector", mean},
                  {"different favourites of its units", distinct}};
  if (in.keep_network) out.network = weights_of(state, p, features);
  return {std::move(out), mean};
}

MethodOutput run(const MethodInput& in) {
  const auto options = parse_options<ConcreteOptions>(in.given, kConcreteAutoencoder.name);
  const TrainOptions train = train_options(in, options);
  ConcreteState state = initial_concrete_state(in.data.features(), in.k, train, in.seed);
  train_to(static_cast<std::uint32_t>(train.epochs), in, options, train, state);
  Outcome outcome = outcome_of(in, options, state);
  MethodOutput& out = outcome.out;
  out.warnings = warn_if_worse_than_mean(out.loss, in.scaler, train.learning_rate);
  if (outcome.mean < kConverged)
    out.warnings.push_back(
        {WarningKind::not_converged,
         fmt::format(
             "the selector did not converge: the mean of its units' largest probabilities is "
             "{:.3f}, and should be {} or more. Try more --epochs (now {})",
             outcome.mean, kConverged, train.epochs)});
  return std::move(out);
}

MethodOutput learn(const MethodInput& in, TrainingState& any) {
  const auto options = parse_options<ConcreteOptions>(in.given, kConcreteAutoencoder.name);
  const TrainOptions train = train_options(in, options);
  auto& state = state_in<ConcreteState>(
      any, [&] { return initial_concrete_state(in.data.features(), in.k, train, in.seed); });
  train_to(state.epoch + 1, in, options, train, state);
  return outcome_of(in, options, state).out;
}

}  // namespace

const Method kConcreteAutoencoder{
    "concrete_autoencoder",
    "Selector units that learn to take one feature each, and a decoder; works for one K.",
    ScaleMode::minmax,
    false,
    describe_options<ConcreteOptions>,
    check,
    run,
    true,
    learn,
    false,
    always_needs_k};

}  // namespace quickselection
