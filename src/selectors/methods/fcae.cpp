// src/selectors/methods/fcae.cpp: a dense denoising autoencoder; a feature's score is the strength
// of its input neuron.
#include "network/training/mean_loss.h"
#include "network/training/plain_model.h"
#include "selectors/trained_method.h"

namespace quickselection {
namespace {

struct FcaeOptions {
  TrainOptions train;
};

void for_each_field(OptionsOf<FcaeOptions> auto& o, auto&& field) {
  for_each_size_field(o.train, field);
  for_each_step_field(o.train, field);
  for_each_output_field(o.train, field);
  for_each_optimizer_field(o.train, field);
  for_each_shards_field(o.train, field);
}

struct DenseAutoencoder : DenseModel {
  static constexpr bool kEpochsMayGrow = true;
  FcaeOptions options;

  DenseAutoencoder(const FcaeOptions& given, const NetworkStart& start)
      : DenseModel(make_dense_model(start.features, given.train, start.seed)), options(given) {}

  DenseStep make_step(Batches& batches, const TrainOptions& given) {
    return DenseModel::make_step(batches, for_mean_loss(given, batches.features()));
  }
  std::vector<double> scores(const Scaler&) const { return strength(network.layers.front()); }
};

}  // namespace

constinit const Method kFcae = trained_method<DenseAutoencoder, kFcae>({
    .name = "fcae",
    .class_name = "FCAE",
    .summary = "Dense denoising autoencoder; ranks by neuron strength.",
});

}  // namespace quickselection
