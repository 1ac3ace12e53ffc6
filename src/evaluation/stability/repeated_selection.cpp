// src/evaluation/stability/repeated_selection.cpp: the same selection with other seeds or other
// rows.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "core/pace.h"
#include "core/processes/comm.h"
#include "core/processes/meters.h"
#include "core/team.h"
#include "core/text/fields_json.h"
#include "data/dataset/subset.h"
#include "evaluation/stability/run_crew.h"
#include "evaluation/streams.h"
#include "quickselection/error.h"
#include "quickselection/stability.h"
#include "selectors/method.h"
#include "selectors/ranking.h"

namespace quickselection {
namespace {

constexpr std::size_t kMostWarnings = 3;

/// As many rows as there are, drawn with replacement; sorted, so that they are read in order.
std::vector<std::uint32_t> draw_rows(std::size_t rows, std::uint64_t seed, std::uint32_t run) {
  auto random = stream_of(seed, Stream::bootstrap_rows, run);
  std::vector<std::uint32_t> drawn(rows);
  for (std::uint32_t& row : drawn) row = static_cast<std::uint32_t>(random.below(rows));
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

/// The network of each sample has its own seed too: with the same one the samples would share
/// their random connections, and look more alike than the rows make them.
Selection select_once(const Dataset& data, const Scaler& scaler, SelectOptions options,
                      const RepeatOptions& repeat, std::size_t run, const RunContext& context) {
  const std::uint64_t first_seed = options.seed;
  options.seed += run;
  options.keep_network = false;  // what would be one network of several?
  try {
    if (!repeat.bootstrap) return select_features(data, options, &scaler, context);
    const auto rows = draw_rows(data.rows(), first_seed, static_cast<std::uint32_t>(run));
    return select_features(copy_rows(data, rows), options, context);
  } catch (const Error& error) {
    throw Error(
        fmt::format("run {} of {} (seed {}): {}", run + 1, repeat.runs, options.seed, error.what()),
        error.hint());
  }
}

/// A feature that varies in the data, but not in this run's sample, is no better there than the
/// worst that does vary: its score of 0 would be the best of a method whose scores are negative.
void lower_constant_scores(Selection& run, const Dataset& data, const Scaler& scaler) {
  const std::size_t varying = run.ranking.size() - run.constant_features;
  if (varying == 0) return;
  const double worst = run.scores[run.ranking[varying - 1]];
  for (std::size_t r = varying; r < run.ranking.size(); ++r)
    if (!is_constant(run.ranking[r], data, scaler))
      for (const std::uint32_t column : data.columns_of({&run.ranking[r], 1}))
        run.scores[column] = worst;
}

void add_means(std::vector<double>& sums, const std::vector<double>& values, double runs) {
  sums.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) sums[i] += values[i] / runs;
}

/// Trainings may end at different epochs: one that ended earlier stays where it ended.
void make_losses_equally_long(std::vector<Selection>& runs) {
  std::size_t most = 0;
  for (const Selection& run : runs) most = std::max(most, run.loss.size());
  for (Selection& run : runs)
    if (!run.loss.empty()) run.loss.resize(most, run.loss.back());
}

/// What several runs say is said once.
std::vector<Warning> collect_warnings(const std::vector<Selection>& runs) {
  std::vector<Warning> distinct;
  std::map<std::string, std::size_t> count, first;
  for (std::size_t r = 0; r < runs.size(); ++r)
    for (const Warning& warning : runs[r].warnings) {
      if (warning.kind == WarningKind::constant_features) continue;  // said for the whole data
      if (count[warning.text]++ > 0) continue;
      first[warning.text] = r;
      distinct.push_back(warning);
    }
  const std::size_t more = distinct.size() - std::min(distinct.size(), kMostWarnings);
  distinct.resize(distinct.size() - more);
  for (Warning& warning : distinct) {
    const std::size_t times = count[warning.text];
    if (times == 1)
      warning.text =
          fmt::format("run {} of {}: {}", first[warning.text] + 1, runs.size(), warning.text);
    else if (times < runs.size())
      warning.text = fmt::format("{} of {} runs: {}", times, runs.size(), warning.text);
  }
  if (more > 0)
    distinct.push_back(
        {WarningKind::other, fmt::format("{} more such warnings came from other runs", more)});
  return distinct;
}

double number_of(const SettingValue& value) {
  const auto* const whole = std::get_if<std::int64_t>(&value);
  return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value);
}

/// Numbers are averaged; what else a method says of itself is that of the first run.
std::vector<Setting> mean_measures(const std::vector<Selection>& runs) {
  std::vector<Setting> measures = runs[0].measures;
  for (std::size_t m = 0; m < measures.size(); ++m) {
    if (std::holds_alternative<std::string>(measures[m].value)) continue;
    double sum = 0;
    for (const Selection& run : runs) sum += number_of(run.measures[m].value);
    measures[m].value = sum / static_cast<double>(runs.size());
  }
  return measures;
}

/// What another process tells of a run: all that a mean of runs needs.
std::string pack(const Selection& run) {
  Json json{{"scores", run.scores},
            {"ranking", run.ranking},
            {"loss", run.loss},
            {"constant", run.constant_features}};
  if (run.settled) json["settled"] = *run.settled;
  for (const Setting& measure : run.measures) {
    const auto* const text = std::get_if<std::string>(&measure.value);
    json["measures"].push_back(text != nullptr ? 0.0 : number_of(measure.value));
  }
  for (const Warning& warning : run.warnings)
    json["warnings"].push_back({static_cast<int>(warning.kind), warning.text});
  return dump_line(json);
}
Selection unpack(const std::string& text) {
  const Json json = Json::parse(text);
  Selection run;
  run.scores = json.at("scores").get<std::vector<double>>();
  run.ranking = json.at("ranking").get<std::vector<std::uint32_t>>();
  run.loss = json.at("loss").get<std::vector<double>>();
  run.constant_features = json.at("constant").get<std::size_t>();
  if (json.contains("settled")) run.settled = json.at("settled").get<bool>();
  for (const Json& measure : json.value("measures", Json::array()))
    run.measures.push_back({"", measure.get<double>()});
  for (const Json& warning : json.value("warnings", Json::array()))
    run.warnings.push_back(
        {static_cast<WarningKind>(warning.at(0).get<int>()), warning.at(1).get<std::string>()});
  return run;
}

/// Runs for all processes as they become free; process 0 makes the first, and has all in the end.
void hand_out_runs(std::vector<Selection>& runs,
                   const std::function<void(std::size_t, const RunContext&)>& make,
                   const RunContext& context) {
  constexpr double kUnits = 1000;  // of progress, for each run
  Pace pace("", kUnits * static_cast<double>(runs.size()), context);
  std::size_t next = 0, finished = 0;
  RunContext own;
  own.threads = context.threads;
  own.memory = context.memory;
  own.stop = &comm::stop().agreed;
  const auto report = [&](double share) {
    comm::listen();
    Progress now;
    now.task = fmt::format("{} of {} runs", finished, runs.size());
    if (comm::speaks()) pace.reach(kUnits * (static_cast<double>(finished) + share), now);
  };
  own.progress = [&](const Progress& now) {
    report(now.total > 0 ? static_cast<double>(now.done) / static_cast<double>(now.total) : 0);
  };
  const comm::HandOut work{
      .next = [&]() -> std::optional<std::uint64_t> {
        if (next == runs.size()) return std::nullopt;
        return next++;
      },
      .make =
          [&](std::uint64_t run) {
            make(run, own);
            return comm::speaks() ? std::string() : pack(runs[run]);
          },
      .take =
          [&](std::uint64_t run, const std::string& made) {
            if (!made.empty()) runs[run] = unpack(made);
            ++finished;
          },
  };
  comm::hand_out(work, context.stop);
}

/// The selection by the mean scores.
Selection combine(std::vector<Selection>& runs, const Dataset& data, const Scaler& scaler) {
  const auto count = static_cast<double>(runs.size());
  make_losses_equally_long(runs);
  Selection mean = runs[0];
  mean.scores.clear();
  mean.loss.clear();
  mean.constant_features = 0;
  mean.measures = mean_measures(runs);
  mean.warnings = collect_warnings(runs);
  for (Selection& run : runs) {
    lower_constant_scores(run, data, scaler);
    add_means(mean.scores, run.scores, count);
    add_means(mean.loss, run.loss, count);
    if (mean.settled) mean.settled = *mean.settled && *run.settled;
  }
  mean.ranking = rank_features(mean.scores, data, scaler);
  for (const std::uint32_t f : mean.ranking) mean.constant_features += is_constant(f, data, scaler);
  if (mean.constant_features > 0)
    mean.warnings.push_back(constant_warning(mean.constant_features, mean.ranking.size()));
  return mean;
}

}  // namespace

void check_options(const SelectOptions& options, const RepeatOptions& repeat) {
  check_options(options);
  if (repeat.runs < 2)
    throw InvalidArgument(
        fmt::format("‹runs› is {}, but at least 2 runs are needed to compare them", repeat.runs));
  if (!options.checkpoint.empty() || !options.resume.empty())
    throw InvalidArgument(
        fmt::format("{} keeps one training, but ‹runs› makes {}",
                    options.checkpoint.empty() ? "‹resume›" : "‹checkpoint›", repeat.runs),
        "leave it out, or make single runs with other ‹seed›");
  if (!repeat.bootstrap && !find_method(options.method).seeded)
    throw InvalidArgument(
        fmt::format("{} ranks the same for every seed, so {} runs would all be equal",
                    options.method, repeat.runs),
        "add ‹bootstrap› to see how its ranking changes with the rows, or leave out ‹runs›");
  if (static_cast<std::uint64_t>(repeat.runs - 1) >
      std::numeric_limits<std::uint64_t>::max() - options.seed)
    throw InvalidArgument(
        fmt::format("‹seed› is {}, which leaves no seeds for {} runs", options.seed, repeat.runs));
}

RepeatedSelection select_repeatedly(const Dataset& data, const SelectOptions& options,
                                    const RepeatOptions& repeat, const RunContext& context) {
  const Stopwatch watch;
  check_options(options, repeat);
  const std::size_t ranked = data.ranked_count();
  if (repeat.k < 1 || repeat.k > ranked)
    throw InvalidArgument(
        fmt::format("‹k› is {}, but must be 1 to {}, the number of features", repeat.k, ranked));
  if (repeat.bootstrap && context.memory > 0 && data.value_bytes() > context.memory / 2)
    throw InvalidArgument(
        fmt::format("‹bootstrap› copies rows of {} MB, more than half of ‹memory› ({} MB)",
                    data.value_bytes() >> 20, context.memory >> 20),
        "allow more memory, or leave out ‹bootstrap›");
  // Also finds what is wrong with the data while its rows still have their own numbers.
  const Scaler scaler = [&] {
    Team team(context.threads);
    return fit_scaler(data, scale_used(options, data), static_cast<float>(options.clip), team);
  }();

  std::vector<Selection> runs(static_cast<std::size_t>(repeat.runs));
  RepeatedSelection result;
  const auto make = [&](std::size_t run, const RunContext& own) {
    runs[run] = select_once(data, scaler, options, repeat, run, own);
  };
  if (comm::started() > 1) {
    hand_out_runs(runs, make, context);
    result.at_once = comm::started();
    if (!comm::speaks()) return result;
  } else {
    result.at_once = run_crew(runs.size(), make, context);
  }
  result.selection = combine(runs, data, scaler);
  for (Selection& run : runs) result.rankings.push_back(std::move(run.ranking));
  if (repeat.k < ranked)
    result.stability = stability(
        result.rankings, data.features(), repeat.k,
        repeat.bootstrap ? "runs on bootstrap samples of the rows" : "runs with different seeds");
  else
    result.selection.notes.push_back(
        "all features are selected, so there is no stability to measure: give a smaller ‹k›");
  result.selection.threads = resolve_threads(context.threads);
  result.selection.seconds = watch.seconds();
  return result;
}

}  // namespace quickselection
