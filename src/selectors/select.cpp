// src/selectors/select.cpp: the way from a data set to a ranking, the same for every method.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "core/processes/comm.h"
#include "core/processes/meters.h"
#include "quickselection/error.h"
#include "quickselection/selection.h"
#include "selectors/method.h"
#include "selectors/ranking.h"

namespace quickselection {
namespace {

void check_scores(const std::vector<double>& scores, const std::string& method) {
  for (std::size_t f = 0; f < scores.size(); ++f)
    if (!std::isfinite(scores[f]))
      throw Error(fmt::format("{} gave feature {} a score that is not a finite number", method, f),
                  "lower ‹learning-rate›, bound outliers with ‹clip 10›, or try ‹scale minmax›");
}

std::vector<std::string> scaling_notes(const Dataset& data, std::optional<ScaleMode> asked,
                                       const Scaler& scaler) {
  if (!data.is_sparse()) return {};
  if (!asked && scaler.mode == ScaleMode::deviation)
    return {
        "the data is sparse: features are scaled by their deviation and not centred; "
        "‹scale standard› centres them"};
  if (std::any_of(scaler.mean.begin(), scaler.mean.end(), [](double mean) { return mean != 0; }))
    return {fmt::format("the data is sparse, and ‹scale {}› moves its zeros away from zero",
                        name_of(scaler.mode))};
  return {};
}

/// What ‹shards› says, 1 unless something else.
std::size_t shards_of(const SelectOptions& options) {
  std::size_t shards = 1;
  for (const GivenOption& given : options.method_options)
    if (given.name == "shards") shards = std::strtoul(given.text.c_str(), nullptr, 10);
  return shards;
}

/// Processes that share the rows stop together.
RunContext shared_context(const RunContext& context) {
  RunContext shared = context;
  if (comm::size() == 1) return shared;
  comm::stop().asked = context.stop;
  shared.stop = &comm::stop().agreed;
  return shared;
}

/// Whether a method's rows can be shared by several processes.
bool shares_rows(const Method& method) {
  const std::vector<OptionInfo> options = method.options.describe();
  return std::any_of(options.begin(), options.end(),
                     [](const OptionInfo& option) { return option.name == "shards"; });
}

}  // namespace

Selection selection_of(MethodOutput output, const Dataset& data, const SelectOptions& options,
                       const Scaler& scaler, std::size_t k, int threads) {
  check_scores(output.scores, options.method);
  Selection selection;
  selection.method = options.method;
  selection.options = std::move(output.options);
  selection.scale = scaler.mode;
  selection.clip = options.clip;
  selection.k = k;
  selection.seed = options.seed;
  selection.threads = threads;
  for (std::size_t f = 0; f < data.features(); ++f)
    if (scaler.is_constant(f)) output.scores[f] = std::min(output.scores[f], 0.0);
  for (const std::uint32_t f : data.ranked())
    selection.constant_features += is_constant(f, data, scaler);
  share_scores(output.scores, data, scaler);
  selection.ranking = rank_features(output.scores, data, scaler);
  selection.scores = std::move(output.scores);
  selection.loss = std::move(output.loss);
  selection.settled = output.settled;
  selection.parameters = output.parameters;
  selection.network = std::move(output.network);
  selection.measures = std::move(output.measures);
  selection.warnings = std::move(output.warnings);
  selection.notes = scaling_notes(data, options.scale, scaler);
  if (!scaler.reason.empty()) selection.notes.push_back("‹scale auto›: " + scaler.reason);
  if (selection.constant_features > 0)
    selection.warnings.push_back(
        constant_warning(selection.constant_features, data.ranked_count()));
  return selection;
}

std::size_t resolve_k(std::size_t asked, std::size_t features) {
  constexpr std::size_t kDefault = 50;
  if (asked == 0) return std::min(kDefault, features);
  if (asked > features)
    throw InvalidArgument(
        fmt::format("‹k› is {}, but must be 1 to {}, the number of features", asked, features));
  return asked;
}

void check_options(const SelectOptions& options) {
  const Method& method = find_method(options.method);
  if (!(options.clip >= 0))
    throw InvalidArgument(fmt::format("‹clip› is {}, but must be at least 0", options.clip));
  if (options.checkpoint_every < 1)
    throw InvalidArgument(
        fmt::format("‹checkpoint-every› is {}, but must be at least 1", options.checkpoint_every));
  if (!method.trains() && !(options.checkpoint.empty() && options.resume.empty()))
    throw InvalidArgument(fmt::format("{} keeps no checkpoints", method.name),
                          "leave out ‹checkpoint› and ‹resume›");
  method.options.check(options.method_options, method.name);
  if (comm::size() > 1 && !shares_rows(method))
    throw InvalidArgument(
        fmt::format("{} does not share its rows between processes, but there are {}", method.name,
                    comm::size()),
        "start one process, or give them whole trainings with ‹runs›");
}

Selection select_features(const Dataset& data, const SelectOptions& options,
                          const RunContext& context) {
  return select_features(data, options, nullptr, context);
}

Selection select_features(const Dataset& data, const SelectOptions& options, const Scaler* fitted,
                          const RunContext& context) {
  const Stopwatch watch;
  const Method& method = find_method(options.method);
  check_options(options);
  const std::size_t k = resolve_k(options.k, data.ranked_count());
  Team team(context.threads);
  const RunContext shared = shared_context(context);
  const auto fit = [&] {
    return fit_scaler(data, scale_used(options, data), static_cast<float>(options.clip), team,
                      shards_of(options));
  };
  const Scaler own = fitted == nullptr ? fit() : Scaler{};
  const Scaler& scaler = fitted == nullptr ? own : *fitted;
  const CheckpointPlan checkpoints{options.checkpoint, options.checkpoint_every, options.resume};
  MethodOutput output = method.run({data, scaler, options.method_options, k, options.seed, team,
                                    shared, checkpoints, options.keep_network});
  Selection selection = selection_of(std::move(output), data, options, scaler, k, team.size());
  selection.seconds = watch.seconds();
  return selection;
}

}  // namespace quickselection
