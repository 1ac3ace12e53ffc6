// src/selectors/methods/wast.cpp: sparse training with attention to neurons (Sokar et al. 2022). A
// feature's score is the importance of its input neuron, summed over all batches.
#include "selectors/methods/wast_network.h"

#include <algorithm>
#include <optional>

#include "kernels/gemm.h"
#include "kernels/random/random.h"
#include "network/training/mean_loss.h"
#include "selectors/cover/columns.h"
#include "selectors/trained_method.h"

namespace quickselection {
namespace {

// `auto`: the error tells which features matter where they have little in common, the strength
// where they can be rebuilt from each other. docs/method.md says where the numbers come from.
constexpr double kLambdaApart = 0.9, kLambdaAlike = 0.05, kAlike = 0.01;
constexpr std::size_t kMostRows = 1000, kLeastRows = 32, kValues = std::size_t{16} << 20;

TrainOptions wast_train_defaults() {
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
  TrainOptions train = wast_train_defaults();
  std::uint32_t hidden = 200;
  WastRule rule;
  std::optional<double> lambda;
};

void for_each_field(OptionsOf<WastOptions> auto& o, auto&& field) {
  for_each_epochs_field(o.train, field);
  field("hidden", o.hidden, between(1, 1e8), "Hidden neurons.");
  field("density", o.rule.density, between(1e-9, 1), "Connections as a share of all places.");
  field("zeta", o.rule.share, from_below(0, 1), "Share of the connections moved after each batch.");
  field("lambda", o.lambda, auto_or(between(0, 1)),
        "Weight of the reconstruction error in a neuron's importance; the rest is its strength. "
        "auto is 0.9 where features have little in common, else 0.05.");
  for_each_step_field(o.train, field);
  for_each_shards_field(o.train, field);
}

/// The mean squared correlation of two features that vary, beyond what chance gives; in a sample of
/// the rows.
double mean_squared_correlation(const TrainingInput& in) {
  const kernels::SerialBlas serial;
  const std::size_t most = std::clamp(kValues / in.data.features(), kLeastRows, kMostRows);
  std::vector<std::uint32_t> rows;
  if (in.data.rows() > most)
    for (const std::uint64_t row : kernels::sample_distinct(
             in.data.rows(), most, kernels::RandomStream(0, kernels::Purpose::selection, 3)))
      rows.push_back(static_cast<std::uint32_t>(row));
  Columns columns({&in.data, rows, &in.scaler}, Look::values, in.team, 0);
  const std::size_t n = columns.rows();
  // With features of length 1 the products of rows have the same sum of squares as those of
  // features: their correlations.
  std::vector<double> products(n * n);
  double varying = 0;
  for (std::size_t b = 0; b < columns.count(); ++b) {
    check_stop(in.context);
    const float* const block = columns.block(b);
    const Range range = columns.range(b);
    std::vector<float> weight;
    for (const double square : columns.squares().subspan(range.begin, range.size())) {
      weight.push_back(square > 0 ? static_cast<float>(1 / square) : 0);
      varying += square > 0;
    }
    add_products(block, n, range.size(), weight, products, in.team);
  }
  if (n < 2 || varying < 2) return 0;
  mirror(products, n);
  double sum = 0;
  for (const double product : products) sum += product * product;
  return (sum - varying) / (varying * (varying - 1)) - 1 / static_cast<double>(n - 1);
}

struct AttentiveAutoencoder {
  static constexpr bool kEpochsMayGrow = true;
  WastOptions options;
  WastNetwork wast;
  std::vector<double> lambda;  ///< one number, that of the training

  AttentiveAutoencoder(const WastOptions& given, const NetworkStart& start)
      : options(given),
        wast(make_wast(start.features, given.hidden, given.rule, start.seed)),
        lambda{given.lambda.value_or(kLambdaApart)} {}

  TrainOptions train_options(std::size_t /*rows*/) const {
    TrainOptions train = options.train;
    train.hidden = {options.hidden};
    train.zeta = 0;  // connections move after batches, not between epochs
    return train;
  }
  /// With `auto` lambda is found before the first epoch, on the first chunk of chunks.
  std::vector<Stage> stages(const TrainOptions& train, std::size_t /*rows*/) const {
    std::vector<Stage> stages;
    if (!options.lambda) stages.push_back({.epochs = 0, .preparation = true});
    stages.push_back({most_epochs(train)});
    return stages;
  }
  void end_stage(const TrainingState&, const TrainingInput& in) {
    if (mean_squared_correlation(in) > kAlike) lambda[0] = kLambdaAlike;
  }
  WastStep make_step(Batches& batches, const TrainOptions& train) {
    WastRule rule = options.rule;
    rule.lambda = lambda[0];
    return {wast, for_mean_loss(train, batches.features()), rule, batches};
  }
  static void for_each_part(AttentiveAutoencoder& self, PartsVisitor& visit) {
    visit(self.wast.layers);
    visit(self.wast.input_importance);
    visit(self.wast.output_importance);
    visit(self.lambda);
  }
  std::vector<double> scores(const Scaler&) const { return wast.input_importance; }
  std::size_t parameters() const { return wast.layers.parameters(); }
  std::vector<LayerWeights> weights() const { return weights_of(wast.layers); }
  std::vector<Setting> measures() const {
    if (options.lambda) return {};
    return {{"lambda", lambda[0]}};
  }
};

}  // namespace

constinit const Method kWast = trained_method<AttentiveAutoencoder, kWast>({
    .name = "wast",
    .class_name = "WAST",
    .summary = "Sparse autoencoder that moves its connections to important neurons after every "
               "batch.",
    .scale = ScaleMode::center,
});

}  // namespace quickselection
