// src/evaluation/evaluate.cpp: the whole judgement of a ranking.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/iota.h"
#include "evaluation/clustering/metrics.h"
#include "evaluation/evaluation_fields.h"
#include "evaluation/judge.h"
#include "evaluation/streams.h"
#include "quickselection/error.h"
#include "quickselection/evaluation.h"

namespace quickselection {
namespace {

// Seeds are numbered: those of the ranking and of all features are the same, random draws go on
// from here, so that no run of one is a run of the other.
constexpr std::uint32_t kFirstDrawSeed = 1u << 24;
constexpr std::uint32_t kFirstRemovalSeed = 1u << 25;

void check_ranking(std::span<const std::uint32_t> ranking, const Dataset& data,
                   const EvaluationOptions& options) {
  const std::vector<std::uint32_t> ranked = data.ranked();
  const std::size_t features = ranked.size(), columns = data.features();
  if (options.k.empty() && options.removal == 0)
    throw InvalidArgument("no K is given, so there is nothing to judge",
                          "for example ‹k 10,25,50›");
  for (const std::size_t k : options.k) {
    if (k > features)
      throw InvalidArgument(fmt::format("K is {}, but the data has only {} features", k, features),
                            fmt::format("give a K of at most {}", features));
    if (k > ranking.size())
      throw InvalidArgument(
          fmt::format("K is {}, but the ranking has only {} features", k, ranking.size()),
          "rank more features, or give a smaller K");
  }
  if (options.removal > 0 && ranking.size() != features)
    throw InvalidArgument(fmt::format("the ranking has {} of {} features, but removal needs all",
                                      ranking.size(), features),
                          "rank all features");
  std::vector<bool> seen(columns, true);
  for (const std::uint32_t feature : ranked) seen[feature] = false;
  for (const std::uint32_t feature : ranking) {
    if (feature >= columns)
      throw InvalidArgument(
          fmt::format("the ranking names feature {}, but the data has only {}", feature, columns),
          "features are counted from 0; is this the ranking of other data?");
    if (seen[feature])
      throw InvalidArgument(
          fmt::format("the ranking names feature {} twice, or as a part of another", feature));
    seen[feature] = true;
  }
}

/// The features kept at each step: at first all, at last one.
std::vector<std::size_t> removal_steps(std::size_t features, int steps) {
  std::vector<std::size_t> left;
  for (int step = 0; step <= steps; ++step) {
    const auto removed =
        static_cast<std::size_t>(std::llround(static_cast<double>(features - 1) * step / steps));
    if (left.empty() || left.back() != features - removed) left.push_back(features - removed);
  }
  return left;
}

double estimate_cost(std::size_t holdouts, const Dataset& data, const EvaluationOptions& options) {
  const std::size_t features = data.features();
  const bool labels = data.labels.has_value();
  const double forests = labels && options.classification ? options.runs : 0;
  const bool measured = labels && data.labels->measured;
  const double clusterings = labels && !measured && options.clustering ? options.repetitions : 0;
  const auto cost = [&](std::size_t k, double runs, double repetitions) {
    return runs * forest_cost(k, options, measured) + repetitions * kmeans_cost(k, options);
  };
  double total = 0;
  if (options.reconstruction && !options.k.empty())
    total += (options.baselines ? options.draws + 1 : 1) *
             ridge_cost(*std::max_element(options.k.begin(), options.k.end()), features);
  for (const std::size_t k : options.k) {
    total += cost(k, forests, clusterings);
    if (options.baselines)
      total += options.draws * cost(k, forests > 0 ? 1 : 0, clusterings > 0 ? 1 : 0);
  }
  if (options.baselines && !options.k.empty()) total += cost(features, forests, clusterings);
  if (labels && options.removal > 0)
    for (const std::size_t left : removal_steps(features, options.removal))
      total += 2 * options.runs * forest_cost(left, options, measured);
  return total * static_cast<double>(holdouts);
}

struct RemovalFigures {
  std::vector<std::vector<double>> least_first, most_first;  // per step
};

void append(std::vector<std::vector<double>>& to, std::vector<std::vector<double>> from) {
  to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i)
    to[i].insert(to[i].end(), from[i].begin(), from[i].end());
}

/// Says where the chosen features are hardly better than random ones: a reader may miss it in a
/// table.
void note_chance(const EvaluationOfK& entry, std::vector<std::string>& notes) {
  const std::vector<Share> all_chosen = shares_of(entry.chosen), drawn = shares_of(*entry.random);
  for (std::size_t i = 0; i < all_chosen.size(); ++i) {
    const double chosen = all_chosen[i].mean, random = drawn[i].mean, std = drawn[i].std;
    if (chosen > random + std) continue;
    notes.push_back(fmt::format(
        "{} with the best {} ({:.1f} %) is {} than with {} drawn at random "
        "({:.1f} ± {:.1f} %)",
        all_chosen[i].what, entry.k, 100 * chosen,
        chosen > random ? "not clearly better" : "no better", entry.k, 100 * random, 100 * std));
  }
}

std::vector<RemovalPoint> curve(const std::vector<std::vector<double>>& figures,
                                std::span<const std::size_t> left, std::size_t features) {
  std::vector<RemovalPoint> points;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const MeanStd figure = mean_and_std(figures[i]);
    points.push_back({features - left[i], left[i], figure.mean, figure.std});
  }
  return points;
}

}  // namespace

std::vector<OptionInfo> evaluation_options() { return describe_options<EvaluationOptions>(); }

EvaluationOptions parse_evaluation_options(std::span<const GivenOption> given) {
  return parse_options<EvaluationOptions>(given, "evaluate");
}

std::vector<Setting> settings_of_evaluation(const EvaluationOptions& options) {
  return settings_of(options);
}

Holdout make_holdout(const Dataset& train, const Dataset& test) {
  return {&train, iota(train.rows()), &test, iota(test.rows())};
}

Evaluation evaluate(std::span<const Holdout> holdouts, std::span<const std::uint32_t> ranking,
                    const EvaluationOptions& options, const RunContext& context) {
  validate_options(options);
  if (holdouts.empty()) throw InvalidArgument("there is nothing to evaluate on: no rows are given");
  const Dataset& data = *holdouts[0].train;
  check_ranking(ranking, data, options);
  Team team(context.threads);
  Pace pace("evaluate", estimate_cost(holdouts.size(), data, options), context);

  const std::vector<std::size_t>& ks = options.k;
  const std::size_t most = ks.empty() ? 0 : *std::max_element(ks.begin(), ks.end());
  const std::vector<std::uint32_t> everything = data.ranked();
  const std::size_t features = everything.size();
  const std::vector<std::size_t> left =
      options.removal > 0 ? removal_steps(features, options.removal) : std::vector<std::size_t>{};
  std::vector<Figures> chosen(ks.size()), random(ks.size()), all(1);
  RemovalFigures removal;
  Evaluation evaluation;
  for (std::uint32_t h = 0; h < holdouts.size(); ++h) {
    if (holdouts[h].train->features() != data.features())
      throw InvalidArgument(fmt::format("holdouts have {} and {} features", data.features(),
                                        holdouts[h].train->features()));
    Judge judge(holdouts[h], h, options, team, pace, evaluation.notes);
    if (most > 0) {
      const auto best = ranking.first(most);
      judge.judge(best, ks, options.runs, options.repetitions, 0, chosen);
      judge.reconstruct(best, ks, chosen);
    }
    if (most > 0 && options.baselines) {
      for (std::uint32_t draw = 0; draw < static_cast<std::uint32_t>(options.draws); ++draw) {
        std::vector<std::uint32_t> order = kernels::random_permutation(
            features, stream_of(options.seed, Stream::random_features, draw));
        for (std::uint32_t& feature : order) feature = everything[feature];
        const auto drawn = std::span(order).first(most);
        judge.judge(drawn, ks, 1, 1, kFirstDrawSeed + draw, random);
        judge.reconstruct(drawn, ks, random);
      }
      const std::size_t whole[] = {features};
      judge.judge(everything, whole, options.runs, options.repetitions, 0, all);
      // What is known need not be predicted.
      if (!chosen.empty() && !chosen[0].r2.empty()) all[0].r2.push_back(1);
    }
    if (!left.empty() && judge.can_predict()) {
      std::vector<Range> best, worst;
      for (const std::size_t count : left) {
        best.push_back({0, count});
        worst.push_back({features - count, features});
      }
      append(removal.least_first,
             judge.predictions(ranking, best, options.runs, kFirstRemovalSeed));
      append(removal.most_first,
             judge.predictions(ranking, worst, options.runs, kFirstRemovalSeed));
    }
  }

  for (std::size_t i = 0; i < ks.size(); ++i) {
    EvaluationOfK& entry = evaluation.entries.emplace_back();
    entry.k = ks[i];
    entry.chosen = summarize(chosen[i], options.classifier);
    if (!options.baselines) continue;
    entry.random = summarize(random[i], options.classifier);
    entry.all = summarize(all[0], options.classifier);
    if (entry.k < features) note_chance(entry, evaluation.notes);
  }
  if (!removal.least_first.empty())
    evaluation.removal = Removal{curve(removal.least_first, left, features),
                                 curve(removal.most_first, left, features)};
  evaluation.seconds = pace.seconds();
  return evaluation;
}

}  // namespace quickselection
