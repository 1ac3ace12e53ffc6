// src/selectors/methods/quickselection.cpp: the paper's method: a sparse denoising autoencoder
// trained with SET; a feature's score is the strength of its input neuron.
#include "network/layers/importance.h"
#include "network/training/plain_model.h"
#include "selectors/trained_method.h"

namespace quickselection {
namespace {

struct QuickSelectionOptions {
  TrainOptions train;
  Importance importance = Importance::strength;
};

void for_each_field(OptionsOf<QuickSelectionOptions> auto& o, auto&& field) {
  for_each_field(o.train, field);
  field("importance", o.importance, choices_of<Importance>(),
        "What ranks a feature: strength is the sum of its absolute weights.");
}

struct EvolvingAutoencoder : SparseModel {
  static constexpr bool kEpochsMayGrow = true;
  static constexpr std::string_view kNotTraining = "importance";
  QuickSelectionOptions options;

  EvolvingAutoencoder(const QuickSelectionOptions& given, const NetworkStart& start)
      : SparseModel(make_sparse_model(start.features, given.train, start.seed)), options(given) {}

  std::vector<double> scores(const Scaler&) const {
    return importance(network.layers, options.importance, options.train.zeta);
  }
  bool scores_never_rest() const { return options.train.zeta > 0; }
};

}  // namespace

constinit const Method kQuickSelection = trained_method<EvolvingAutoencoder, kQuickSelection>({
    .name = "quickselection",
    .class_name = "QuickSelection",
    .summary = "Sparse denoising autoencoder with evolving connections; ranks by neuron strength.",
});

}  // namespace quickselection
