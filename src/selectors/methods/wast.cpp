// src/selectors/methods/wast.cpp: sparse training with attention to neurons (Sokar et al. 2022). A
// feature's score is the importance of its input neuron, summed over all batches.
#include "selectors/methods/wast_network.h"

#include "network/training/mean_loss.h"
#include "selectors/trained_method.h"

namespace quickselection {
namespace {

TrainOptions wast_train_defaults() {
  TrainOptions options;
  options.epochs = 10;
  options.noise_mode = NoiseMode::fresh;
  options.batch_size = 128;
  options.learning_rate = 1;  // 0.1 / (1 - momentum): docs/method.md
  options.weight_decay = 0;
  options.dropout = 0;
  return options;
}

struct WastOptions {
  TrainOptions train = wast_train_defaults();
  std::uint32_t hidden = 200;
  WastRule rule;
};

void for_each_field(OptionsOf<WastOptions> auto& o, auto&& field) {
  for_each_epochs_field(o.train, field);
  field("hidden", o.hidden, between(1, 1e8), "Hidden neurons.");
  field("density", o.rule.density, between(1e-9, 1), "Connections as a share of all places.");
  field("zeta", o.rule.share, from_below(0, 1), "Share of the connections moved after each batch.");
  field("lambda", o.rule.lambda, between(0, 1),
        "Weight of the reconstruction error in a neuron's importance; the rest is its strength. "
        "The authors take 0.4 for images.");
  for_each_step_field(o.train, field);
  for_each_shards_field(o.train, field);
}

struct AttentiveAutoencoder {
  static constexpr bool kEpochsMayGrow = true;
  WastOptions options;
  WastNetwork wast;

  AttentiveAutoencoder(const WastOptions& given, const NetworkStart& start)
      : options(given), wast(make_wast(start.features, given.hidden, given.rule, start.seed)) {}

  TrainOptions train_options(std::size_t /*rows*/) const {
    TrainOptions train = options.train;
    train.hidden = {options.hidden};
    train.zeta = 0;  // connections move after batches, not between epochs
    return train;
  }
  WastStep make_step(Batches& batches, const TrainOptions& train) {
    return {wast, for_mean_loss(train, batches.features()), options.rule, batches};
  }
  static void for_each_part(AttentiveAutoencoder& self, PartsVisitor& visit) {
    visit(self.wast.layers);
    visit(self.wast.input_importance);
    visit(self.wast.output_importance);
  }
  std::vector<double> scores(const Scaler&) const { return wast.input_importance; }
  std::size_t parameters() const { return wast.layers.parameters(); }
  std::vector<LayerWeights> weights() const { return weights_of(wast.layers); }
};

}  // namespace

constinit const Method kWast = trained_method<AttentiveAutoencoder, kWast>({
    .name = "wast",
    .class_name = "WAST",
    .summary = "Sparse autoencoder that moves its connections to important neurons after every "
               "batch.",
});

}  // namespace quickselection
