// src/report/experiment_report.cpp: a comparison of methods, or a grid of one method's options, as
// a page.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "experiment/tables/table.h"
#include "quickselection/words.h"
#include "report/page.h"
#include "report/reports.h"

namespace quickselection {

// As the page calls them.
inline constexpr std::string_view kPlaceNames[] = {"", "best", "second"};
template <>
inline constexpr std::span<const std::string_view> kChoices<Place> = kPlaceNames;

namespace {

std::string plural(std::size_t count, const std::string& one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

/// Measures that any method has a figure of.
Json measures_of(const ExperimentSummary& summary) {
  Json json = Json::array();
  for (const Measure measure : kAllMeasures)
    if (std::any_of(summary.cells.begin(), summary.cells.end(),
                    [&](const SummaryCell& cell) { return cell[measure].has_value(); }))
      json.push_back({{"key", name_of_measure(measure)},
                      {"title", title_of(measure)},
                      {"higher", higher_is_better(measure)}});
  return json;
}

Json cells_of(const ExperimentSummary& summary) {
  Json json = Json::array();
  for (const SummaryCell& cell : summary.cells) {
    Json figures = Json::object();
    for (const Measure measure : kAllMeasures)
      if (const auto& figure = cell[measure])
        figures[name_of_measure(measure)] = {{"mean", rounded(figure->mean, 5)},
                                             {"mark", name_of(figure->place)}};
    for (const Measure measure : kAllMeasures)
      if (const auto& figure = cell[measure]; figure && figure->runs > 1)
        figures[name_of_measure(measure)]["std"] = rounded(figure->std);
    Json one = {{"data", cell.data}, {"method", cell.method}, {"k", cell.k}};
    one["figures"] = std::move(figures);
    if (cell.failed > 0)
      one["failure"] = fmt::format("{} of {} runs failed: {}", cell.failed,
                                   cell.failed + cell.finished, cell.failure);
    json.push_back(std::move(one));
  }
  return json;
}

Json data_of(const ExperimentSummary& summary) {
  Json json = Json::array();
  for (std::size_t d = 0; d < summary.data.size(); ++d)
    json.push_back({{"name", summary.data[d]},
                    {"rows", summary.shapes[d].rows},
                    {"features", summary.shapes[d].features}});
  return json;
}

std::string text_of(const ExperimentMethod& method) {
  std::string text = method.method;
  for (const GivenOption& option : method.options)
    text += on_command_line(fmt::format(" ‹{} {}›", option.name, option.text));
  return text;
}

Json settings_of(const ExperimentPlan& plan, std::span<const ExperimentMethod> methods) {
  Json json = Json::array();
  for (const ExperimentData& data : plan.data) json.push_back({data.name, file_name(data.path)});
  for (const ExperimentMethod& method : methods) json.push_back({method.label, text_of(method)});
  json.push_back({"K", fmt::format("{}", fmt::join(plan.k, ", "))});
  json.push_back({"runs", std::to_string(plan.runs)});
  json.push_back({"first seed", std::to_string(plan.seed)});
  json.push_back({"threads", plan.threads == 0 ? "all" : std::to_string(plan.threads)});
  return json;
}

Json common(const char* kind, const ExperimentPlan& plan, const ExperimentSummary& summary,
            std::span<const ExperimentMethod> methods) {
  const std::string& source = summary.energy_source;
  return {{"kind", kind},
          {"methods", summary.methods},
          {"data", data_of(summary)},
          {"measures", measures_of(summary)},
          {"cells", cells_of(summary)},
          {"settings", settings_of(plan, methods)},
          {"energy_source", source.empty() ? "not measured" : source}};
}

/// A method's mean over all data sets and K; only of those that finished everything.
struct Ranked {
  std::string method;
  double mean = 0, std = 0;
};

/// The best first.
std::vector<Ranked> ranked_by(const ExperimentSummary& summary, Measure measure) {
  std::vector<Ranked> ranked;
  for (const std::string& method : summary.methods) {
    Ranked one{method};
    std::size_t cells = 0;
    bool whole = true;
    for (const SummaryCell& cell : summary.cells) {
      if (cell.method != method) continue;
      whole = whole && cell.failed == 0 && cell[measure];
      if (!whole) break;
      one.mean += cell[measure]->mean;
      one.std += cell[measure]->std;
      ++cells;
    }
    if (!whole || cells == 0) continue;
    one.mean /= static_cast<double>(cells);
    one.std /= static_cast<double>(cells);
    ranked.push_back(std::move(one));
  }
  std::stable_sort(ranked.begin(), ranked.end(), [&](const Ranked& a, const Ranked& b) {
    return higher_is_better(measure) ? a.mean > b.mean : a.mean < b.mean;
  });
  return ranked;
}

/// Who is the most accurate, and whether the others are clearly behind.
std::string accuracy_in_words(const ExperimentSummary& summary) {
  const Measure measure = natural_criterion(summary);
  const std::vector<Ranked> ranked = ranked_by(summary, measure);
  if (ranked.empty()) return "";
  const Ranked& best = ranked[0];
  std::string text = fmt::format("{} {} with {}", best.method,
                                 measure == Measure::classification ? "classifies best"
                                 : measure == Measure::clustering   ? "clusters best"
                                                                    : "rebuilds most",
                                 percent(best.mean));
  const auto close = std::count_if(ranked.begin() + 1, ranked.end(), [&](const Ranked& other) {
    return best.mean - other.mean <= std::max(best.std, other.std);
  });
  if (close == 1) text += fmt::format(" (not clearly: {} is within the spread)", ranked[1].method);
  if (close > 1) text += fmt::format(" (not clearly: {} others are within the spread)", close);
  return text;
}

/// Methods that are no better than choosing at random, where that was tried as well.
Json doubts(const ExperimentPlan& plan, const ExperimentSummary& summary) {
  const Measure measure = natural_criterion(summary);
  const std::vector<Ranked> ranked = ranked_by(summary, measure);
  const auto chance = std::find_if(plan.methods.begin(), plan.methods.end(),
                                   [](const auto& one) { return one.method == "random"; });
  const auto random = std::find_if(ranked.begin(), ranked.end(), [&](const Ranked& one) {
    return chance != plan.methods.end() && one.method == chance->label;
  });
  Json texts = Json::array();
  if (random == ranked.end()) return texts;
  for (const Ranked& one : ranked)
    if (one.method != random->method && one.mean <= random->mean + random->std)
      texts.push_back(fmt::format("No better than random: {} has {}, {} {}, give or take {}.",
                                  one.method, percent(one.mean), random->method,
                                  percent(random->mean), percent(random->std)));
  return texts;
}

/// Who costs the least, of those that do any work.
std::string cost_in_words(const ExperimentPlan& plan, const ExperimentSummary& summary) {
  const auto ranked = [&](Measure measure) {
    std::vector<Ranked> all = ranked_by(summary, measure);
    std::erase_if(all, [&](const Ranked& one) {
      return std::any_of(plan.methods.begin(), plan.methods.end(), [&](const auto& method) {
        return method.label == one.method && method.method == "random";
      });
    });
    return all;
  };
  const std::vector<Ranked> quick = ranked(Measure::seconds), small = ranked(Measure::memory);
  if (quick.empty() || small.empty()) return "";
  const double seconds = quick[0].mean;
  std::string text = fmt::format("{} is the quickest with {}", quick[0].method,
                                 seconds < 0.9995  ? fmt::format("{:.3g}\u00a0ms", 1000 * seconds)
                                 : seconds < 999.5 ? fmt::format("{:.3g}\u00a0s", seconds)
                                                   : fmt::format("{:.0f}\u00a0min", seconds / 60));
  const std::string memory = fmt::format("{:.0f}\u00a0MB", small[0].mean / 1e6);
  text += quick[0].method == small[0].method
              ? fmt::format(" and needs the least memory, {}", memory)
              : fmt::format(", {} needs the least memory, {}", small[0].method, memory);
  return text;
}

}  // namespace

std::string comparison_report(const ExperimentPlan& plan, const ExperimentSummary& summary) {
  Json json = common("comparison", plan, summary, plan.methods);
  Json headline = {fmt::format("{} on {}", plural(summary.methods.size(), "method"),
                               plural(summary.data.size(), "data set"))};
  Json scores = Json::array();
  if (summary.methods.size() > 1 && !summary.scores.empty()) {
    for (const std::string& text : {accuracy_in_words(summary), cost_in_words(plan, summary)})
      if (!text.empty()) headline.push_back(text);
    const auto score = [](const Score& one) {
      return Json{{"parts", json_of(one.parts, 4)}, {"mark", name_of(one.place)}};
    };
    for (const MethodScores& one : summary.scores)
      scores.push_back({{"method", one.method},
                        {"score1", score(one.score1)},
                        {"normalised", score(one.score1_normalised)},
                        {"score2", score(one.score2)}});
  }
  json["headline"] = std::move(headline);
  json["sentence"] =
      fmt::format("{} of each; {}", plural(static_cast<std::size_t>(plan.runs), "run"),
                  fmt::join(summary.data, ", "));
  json["warnings"] = doubts(plan, summary);
  json["scored"] = {"classification", "clustering", "time", "memory"};
  json["scores"] = std::move(scores);
  return report_page("Comparison of methods", json);
}

std::string tuning_report(const ExperimentPlan& plan, const ExperimentSummary& summary,
                          const Grid& grid, Measure criterion) {
  ExperimentMethod settings{"method", grid.method, grid.fixed};
  for (const GridAxis& axis : grid.axes)
    settings.options.push_back({axis.option, fmt::format("{}", fmt::join(axis.values, ","))});
  Json json = common("tuning", plan, marked_by_table(summary, grid), {&settings, 1});
  Json axes = Json::array(), points = Json::array();
  for (const GridAxis& axis : grid.axes)
    axes.push_back({{"option", axis.option}, {"values", axis.values}});
  for (const ExperimentMethod& point : grid_methods(grid)) {
    Json values = Json::array();
    for (const GridAxis& axis : grid.axes)
      for (const GivenOption& option : point.options)
        if (option.name == axis.option) values.push_back(option.text);
    points.push_back({{"method", point.label}, {"values", std::move(values)}});
  }
  Json headline = {fmt::format("{}: {} of a grid", grid.method, plural(points.size(), "point"))};
  Json best = Json::array();
  for (const GridBest& one : best_points(grid, summary, criterion))
    best.push_back(describe(one, criterion));
  // One is the headline; of several each has a line below it.
  if (best.size() == 1)
    headline.push_back(best[0]);
  else
    json["best"] = std::move(best);
  json["headline"] = std::move(headline);
  json["sentence"] = fmt::format("Judged by: {}. {} of each point.", title_of(criterion),
                                 plural(static_cast<std::size_t>(plan.runs), "run"));
  json["axes"] = std::move(axes);
  json["points"] = std::move(points);
  json["criterion"] = name_of_measure(criterion);
  return report_page(fmt::format("Tuning of {}", grid.method), json);
}

}  // namespace quickselection
