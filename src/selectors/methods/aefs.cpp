// src/selectors/methods/aefs.cpp: autoencoder feature selector (Han et al. 2018): an autoencoder
// whose first layer pays for every feature it uses (L2,1). A feature's score is the length of its
// weights.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "kernels/random/random.h"
#include "network/layers/apply.h"
#include "network/training/dense_step.h"
#include "selectors/methods/group_lasso.h"
#include "selectors/trained_method.h"

namespace quickselection {
namespace {

/// The paper's grid for alpha.
constexpr double kAlphas[] = {1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100, 1000};
/// Share of the rows on which `auto` compares them.
constexpr double kHeldOut = 0.2;

TrainOptions aefs_train_defaults() {
  TrainOptions options;
  options.noise = 0;
  options.dropout = 0;
  return options;
}

struct AefsOptions {
  TrainOptions train = aefs_train_defaults();
  std::optional<std::uint32_t> hidden;
  std::optional<double> alpha;
};

void for_each_field(OptionsOf<AefsOptions> auto& o, auto&& field) {
  for_each_fixed_epochs_field(o.train, field);
  field("hidden", o.hidden, auto_or(between(1, 1e8)), "Hidden neurons; auto is ‹k›.");
  field("alpha", o.alpha, auto_or(at_least(0)),
        "Weight of the L2,1 norm; auto tries 1e-4, 1e-3 ... 1e3 on rows that were held out, and "
        "takes none that uses fewer than ‹k› features.");
  for_each_step_field(o.train, field);
  for_each_output_field(o.train, field);
  for_each_shards_field(o.train, field);
}

bool needs_k(std::span<const GivenOption> given) {
  return !parse_options<AefsOptions>(given, kAefs.name).hidden;
}

struct Rows {
  std::vector<std::uint32_t> train, test;
};

/// Rows for the comparison of alphas; data of one row is its own test.
Rows hold_out(std::size_t rows, std::uint64_t seed) {
  auto order =
      kernels::random_permutation(rows, kernels::RandomStream(seed, kernels::Purpose::split));
  if (rows == 1) return {order, order};
  const auto count =
      static_cast<std::ptrdiff_t>(std::max(1.0, std::floor(kHeldOut * static_cast<double>(rows))));
  return {{order.begin() + count, order.end()}, {order.begin(), order.begin() + count}};
}

/// A step of the dense network and of its penalty.
class LassoStep : public DenseStep {
 public:
  LassoStep(DenseNetwork& network, const TrainOptions& train, double alpha, Batches& batches)
      : DenseStep(network, train, batches),
        first_(network.layers.front()),
        // Momentum makes a lasting gradient 1 / (1 - momentum) times as large. So must be the step
        // of the penalty, for the training to rest where gradient and penalty are equal.
        threshold_(alpha * train.learning_rate / (1 - train.momentum)),
        threads_(batches.team().size()) {}

  void end_batch(int member, const EpochState&) {
    shrink_columns(first_, threshold_, share(first_.inputs, member, threads_, 16));
  }

 private:
  DenseLayer& first_;
  const double threshold_;
  const int threads_;
};

std::size_t count_used(const std::vector<double>& scores) {
  return static_cast<std::size_t>(
      std::count_if(scores.begin(), scores.end(), [](double score) { return score > 0; }));
}

struct LassoAutoencoder {
  static constexpr bool kEpochsMayGrow = false;  // they count for the search of alpha
  AefsOptions options;
  NetworkStart start;
  DenseNetwork network;
  /// alpha of this network; with `auto` the best so far, its loss on rows that were held out, and
  /// how many features it has to use.
  std::vector<double> found;

  LassoAutoencoder(const AefsOptions& given, const NetworkStart& from)
      : options(given),
        start(from),
        found{given.alpha.value_or(kAlphas[0]), kAlphas[0], std::numeric_limits<double>::max(), 0} {
    begin_network();
  }
  void begin_network() {
    network = make_dense_autoencoder(start.features, train_options(0), start.seed);
  }
  double& alpha() { return found[0]; }

  TrainOptions train_options(std::size_t /*rows*/) const {
    TrainOptions train = options.train;
    train.hidden = {options.hidden.value_or(static_cast<std::uint32_t>(start.k))};
    return train;
  }
  /// With `auto` one for each alpha of the grid, on some of the rows; then that of the best one.
  std::vector<Stage> stages(const TrainOptions& train, std::size_t rows) const {
    const auto epochs = most_epochs(train);
    std::vector<Stage> stages;
    if (!options.alpha)
      stages.assign(std::size(kAlphas), {epochs, hold_out(rows, start.seed).train, true});
    stages.push_back({epochs});
    return stages;
  }
  void end_stage(const TrainingState& state, const TrainingInput& in) {
    const double loss =
        reconstruction_loss(network, plan_of(train_options(0), true), in.data, in.scaler,
                            hold_out(in.data.rows(), start.seed).test, in.team, in.context);
    // Where nothing can be learnt, a network without inputs loses least. But K features are wanted,
    // or as many as the least alpha uses: constant ones never are.
    const auto used = static_cast<double>(count_used(scores(in.scaler)));
    if (state.stage == 0) found[3] = std::min(used, static_cast<double>(start.k));
    if (used >= found[3] && loss < found[2]) found = {alpha(), alpha(), loss, found[3]};
    const std::size_t next = state.stage + 1;
    alpha() = next < std::size(kAlphas) ? kAlphas[next] : found[1];
    begin_network();
  }
  LassoStep make_step(Batches& batches, const TrainOptions& train) {
    return {network, train, alpha(), batches};
  }
  static void for_each_part(LassoAutoencoder& self, PartsVisitor& visit) {
    visit(self.network);
    visit(self.found);
  }
  std::vector<double> scores(const Scaler&) const { return column_lengths(network.layers.front()); }
  std::vector<Setting> measures() const {
    if (options.alpha) return {};
    return {{"alpha", found[0]}};
  }
  void doubt(const MethodInput& in, MethodOutput& out) const {
    const std::size_t used = count_used(out.scores);
    if (used < in.k)
      out.warnings.push_back(
          {WarningKind::few_features_used,
           fmt::format(
               "with ‹alpha {:g}› only {} features are used at all; the {} others are in the "
               "order of their columns. Try a smaller ‹alpha›",
               found[0], used, out.scores.size() - used)});
  }
};

}  // namespace

constinit const Method kAefs = trained_method<LassoAutoencoder, kAefs>({
    .name = "aefs",
    .class_name = "AEFS",
    .summary = "Autoencoder with a group lasso (L2,1) on its first layer.",
    .scale = ScaleMode::minmax,
    .needs_k = needs_k,
});

}  // namespace quickselection
