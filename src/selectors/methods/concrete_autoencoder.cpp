// src/selectors/methods/concrete_autoencoder.cpp: the concrete autoencoder (Abid, Balin and Zou
// 2019). The features of its K selector units come first, then the others by their best
// probability.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "selectors/methods/concrete_network.h"
#include "selectors/trained_method.h"

namespace quickselection {
namespace {

/// The mean of the units' largest probabilities from which on the authors call it converged.
constexpr double kConverged = 0.99;

TrainOptions concrete_train_defaults() {
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
  TrainOptions train = concrete_train_defaults();
  std::optional<std::uint32_t> hidden, batch_size;
  Temperature temperature;
};

void for_each_field(OptionsOf<ConcreteOptions> auto& o, auto&& field) {
  for_each_fixed_epochs_field(o.train, field);
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
  for_each_shards_field(o.train, field);
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

/// Constant features: no unit may end with one.
std::vector<bool> barred_by(const Scaler& scaler) {
  std::vector<bool> barred(scaler.mean.size());
  for (std::size_t f = 0; f < barred.size(); ++f) barred[f] = scaler.is_constant(f);
  return barred;
}

struct ConcreteAutoencoder {
  static constexpr bool kEpochsMayGrow = false;  // the temperature falls towards the last one
  ConcreteOptions options;
  std::size_t features, units;
  ConcreteNetwork concrete;

  ConcreteAutoencoder(const ConcreteOptions& given, const NetworkStart& start)
      : options(given),
        features(start.features),
        units(start.k),
        concrete(make_concrete(features, units, train_options(0), start.seed)) {}

  TrainOptions train_options(std::size_t rows) const {
    TrainOptions train = options.train;
    train.hidden = {options.hidden.value_or(static_cast<std::uint32_t>(units * 3 / 2 + units % 2))};
    train.batch_size = options.batch_size.value_or(
        static_cast<std::uint32_t>(std::clamp<std::size_t>(rows / 256, 16, 1000000)));
    return train;
  }
  ConcreteStep make_step(Batches& batches, const TrainOptions& train) {
    return {concrete, train, options.temperature, batches};
  }
  static void for_each_part(ConcreteAutoencoder& self, PartsVisitor& visit) {
    visit(self.concrete.decoder);
    visit(self.concrete.logits);
    visit(self.concrete.state1);
    visit(self.concrete.state2);
  }

  std::vector<double> all_probabilities() const {
    return probabilities({concrete.logits.data(), concrete.logits.size()}, features);
  }
  std::vector<double> scores(const Scaler& scaler) const {
    const auto p = all_probabilities();
    return scores_of(p, features, choose_distinct(p, features, barred_by(scaler)));
  }
  std::size_t parameters() const { return concrete.logits.size() + concrete.decoder.parameters(); }
  /// The selector as a layer of probabilities, and the decoder.
  std::vector<LayerWeights> weights() const {
    DenseNetwork selector;
    DenseLayer& layer = selector.layers.emplace_back(features, units, Optimizer::sgd);
    const auto p = all_probabilities();
    std::copy(p.begin(), p.end(), layer.weights.begin());
    std::vector<LayerWeights> layers = weights_of(selector);
    for (LayerWeights& copy : weights_of(concrete.decoder)) layers.push_back(std::move(copy));
    return layers;
  }
  std::vector<Setting> measures() const {
    const auto p = all_probabilities();
    double mean = 0;
    std::vector<bool> favourites(features);
    for (std::size_t unit = 0; unit < units; ++unit) {
      const auto row = p.begin() + static_cast<std::ptrdiff_t>(unit * features);
      const auto best = std::max_element(row, row + static_cast<std::ptrdiff_t>(features));
      mean += *best / static_cast<double>(units);
      favourites[static_cast<std::size_t>(best - row)] = true;
    }
    const auto distinct = std::count(favourites.begin(), favourites.end(), true);
    return {{"mean of the maxima of the selector", mean},
            {"different favourites of its units", static_cast<std::int64_t>(distinct)}};
  }
  void doubt(const MethodInput&, MethodOutput& out) const {
    const double mean = std::get<double>(out.measures[0].value);
    if (mean < kConverged)
      out.warnings.push_back(
          {WarningKind::not_converged,
           fmt::format(
               "the selector did not converge: the mean of its units' largest probabilities "
               "is {:.3f}, and should be {} or more. Try more ‹epochs› (now {})",
               mean, kConverged, most_epochs(options.train))});
  }
};

}  // namespace

constinit const Method kConcreteAutoencoder =
    trained_method<ConcreteAutoencoder, kConcreteAutoencoder>({
        .name = "concrete_autoencoder",
        .class_name = "ConcreteAutoencoder",
        .summary =
            "Selector units that learn to take one feature each, and a decoder; works for one K.",
        .scale = ScaleMode::minmax,
        .needs_k = always_needs_k,
    });

}  // namespace quickselection
