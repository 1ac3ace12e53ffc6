// src/selectors/methods/aefs.cpp: autoencoder feature selector (Han et al. 2018): an autoencoder
// whose first layer pays for every feature it uses (L2,1). A feature's score is the length of its
// weights.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "kernels/random/random.h"
#include "network/layers/apply.h"
#include "network/training/dense_trainer.h"
#include "network/training/train_loop.h"
#include "selectors/method.h"
#include "selectors/methods/group_lasso.h"

namespace quickselection {
namespace {

/// The paper's grid for alpha.
constexpr double kAlphas[] = {1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100, 1000};
/// Share of the rows on which `auto` compares them.
constexpr double kHeldOut = 0.2;

TrainOptions train_defaults() {
  TrainOptions options;
  options.noise = 0;
  options.dropout = 0;
  return options;
}

struct AefsOptions {
  TrainOptions train = train_defaults();
  std::optional<std::uint32_t> hidden;
  std::optional<double> alpha;
};

template <class Self, class Visitor>
requires OptionsOf<Self, AefsOptions>
void for_each_field(Self& o, Visitor&& field) {
  for_each_epochs_field(o.train, field);
  field("hidden", o.hidden, auto_or(between(1, 1e8)), "Hidden neurons; auto is ‹k›.");
  field("alpha", o.alpha, auto_or(at_least(0)),
        "Weight of the L2,1 norm; auto tries 1e-4, 1e-3 ... 1e3 on rows that were held out.");
  for_each_step_field(o.train, field);
  for_each_output_field(o.train, field);
}

void check(std::span<const GivenOption> given) { parse_options<AefsOptions>(given, kAefs.name); }

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

std::vector<double> scores_of(const DenseTrainState& state) {
  return column_lengths(state.network.layers.front());
}

/// Goes on with state.alpha until plan.epochs are done.
void train_to(const EpochPlan& plan, const MethodInput& in, const TrainOptions& train,
              LassoState& state, const RunContext& context, RowChoice choice) {
  DenseTrainer trainer(in.data, in.scaler, train, in.seed, in.team,
                       std::exchange(static_cast<DenseTrainState&>(state), {}), std::move(choice));
  const StateKeeper keeper(trainer, state);
  check_memory(in.data, plan_windows(in.data, in.context.memory), in.context.memory);
  // Momentum makes a lasting gradient 1 / (1 - momentum) times as large. So must be the step of the
  // penalty, for the training to rest where gradient and penalty are equal.
  const double threshold = state.alpha * train.learning_rate / (1 - train.momentum);
  trainer.after_batch = [&](int member, DenseNetwork& network) {
    DenseLayer& first = network.layers.front();
    shrink_columns(first, threshold, share(first.inputs, member, in.team.size(), 16));
  };
  run_and_tell(trainer, plan, context, scores_of);
}

LassoState initial_lasso_state(const MethodInput& in, const TrainOptions& train, double alpha) {
  LassoState state;
  static_cast<DenseTrainState&>(state) = initial_dense_state(in.data.features(), train, in.seed);
  state.alpha = alpha;
  return state;
}

/// The alpha of the paper's grid with the least loss on rows that it did not see.
double find_alpha(const MethodInput& in, const TrainOptions& train, EpochPlan& plan) {
  const Rows rows = hold_out(in.data.rows(), in.seed);
  RunContext context = in.context;
  context.after_epoch = {};  // these trainings are nobody's business
  double best = kAlphas[0], least = std::numeric_limits<double>::infinity();
  for (const double alpha : kAlphas) {
    LassoState state = initial_lasso_state(in, train, alpha);
    train_to(plan, in, train, state, context, {rows.train, {}});
    const double loss = reconstruction_loss(state.network, plan_of(train, true), in.data, in.scaler,
                                            rows.test, in.team, in.context);
    if (loss < least) {
      least = loss;
      best = alpha;
    }
    plan.epochs_before += plan.epochs;
    plan.epochs_after -= plan.epochs;
  }
  return best;
}

TrainOptions train_options(const MethodInput& in, const AefsOptions& options) {
  TrainOptions train = options.train;
  train.hidden = {options.hidden.value_or(static_cast<std::uint32_t>(in.k))};
  return train;
}

EpochPlan plan_of_all(const TrainOptions& train) {
  return {static_cast<std::uint32_t>(train.epochs), train.learning_rate};
}

/// Ready for its first epoch, with an alpha; `plan` counts what finding that took.
LassoState begin(const MethodInput& in, const AefsOptions& options, const TrainOptions& train,
                 EpochPlan& plan) {
  if (options.alpha) return initial_lasso_state(in, train, *options.alpha);
  plan.epochs_after = static_cast<std::uint32_t>(std::size(kAlphas)) * plan.epochs;
  return initial_lasso_state(in, train, find_alpha(in, train, plan));
}

MethodOutput output_of(const MethodInput& in, const AefsOptions& options, const LassoState& state) {
  MethodOutput out;
  out.scores = scores_of(state);
  out.options = settings_of(options);
  out.loss = state.loss;
  out.parameters = state.network.parameters();
  if (in.keep_network) out.network = weights_of(state.network);
  if (!options.alpha) out.measures.push_back({"alpha", state.alpha});
  return out;
}

MethodOutput run(const MethodInput& in) {
  const auto options = parse_options<AefsOptions>(in.given, kAefs.name);
  const TrainOptions train = train_options(in, options);
  const Windows windows = plan_windows(in.data, in.context.memory);
  EpochPlan plan = plan_of_all(train);
  LassoState state = begin(in, options, train, plan);
  train_to(plan, in, train, state, in.context, {{}, windows});
  MethodOutput out = output_of(in, options, state);
  out.warnings = warn_if_worse_than_mean(out.loss, in.scaler, train.learning_rate);
  const auto used = static_cast<std::size_t>(
      std::count_if(out.scores.begin(), out.scores.end(), [](double s) { return s > 0; }));
  if (used < in.k)
    out.warnings.push_back(
        {WarningKind::few_features_used,
         fmt::format("with --alpha {:g} only {} features are used at all; the {} others are in the "
                     "order of their columns. Try a smaller --alpha",
                     state.alpha, used, out.scores.size() - used)});
  return out;
}

MethodOutput learn(const MethodInput& in, TrainingState& any) {
  const auto options = parse_options<AefsOptions>(in.given, kAefs.name);
  const TrainOptions train = train_options(in, options);
  auto& state = state_in<LassoState>(any, [&] {
    EpochPlan plan = plan_of_all(train);
    return begin(in, options, train, plan);
  });
  train_to({state.epoch + 1, train.learning_rate}, in, train, state, in.context, {});
  return output_of(in, options, state);
}

}  // namespace

const Method kAefs{"aefs",
                   "Autoencoder with a group lasso (L2,1) on its first layer.",
                   ScaleMode::minmax,
                   false,
                   describe_options<AefsOptions>,
                   check,
                   run,
                   true,
                   learn,
                   false,
                   needs_k};

}  // namespace quickselection
