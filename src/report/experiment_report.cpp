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

constexpr std::size_t kMostInHeadline = 3;

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
                                             {"std", rounded(figure->std)},
                                             {"text", format_figure(*figure, measure)},
                                             {"mark", name_of(figure->place)}};
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
  for (const ExperimentData& data : plan.data) json.push_back({data.name, data.path});
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

std::string leader(const ExperimentSummary& summary, Score MethodScores::*score) {
  const auto best = std::max_element(summary.scores.begin(), summary.scores.end(),
                                     [&](const MethodScores& a, const MethodScores& b) {
                                       return (a.*score).total() < (b.*score).total();
                                     });
  return best->method;
}

}  // namespace

std::string comparison_report(const ExperimentPlan& plan, const ExperimentSummary& summary) {
  Json json = common("comparison", plan, summary, plan.methods);
  Json headline = {fmt::format("{} on {}", plural(summary.methods.size(), "method"),
                               plural(summary.data.size(), "data set"))};
  Json scores = Json::array();
  if (summary.methods.size() > 1 && !summary.scores.empty()) {
    const std::string first = leader(summary, &MethodScores::score1);
    const std::string second = leader(summary, &MethodScores::score2);
    headline.push_back(first == second
                           ? fmt::format("{} leads in both scores", first)
                           : fmt::format("{} leads in Score 1, {} in Score 2", first, second));
    const auto score = [](const Score& one, int digits) {
      return Json{{"parts", json_of(one.parts, 4)},
                  {"text", format_total(one, digits)},
                  {"mark", name_of(one.place)}};
    };
    for (const MethodScores& one : summary.scores)
      scores.push_back({{"method", one.method},
                        {"score1", score(one.score1, kScore1Digits)},
                        {"normalised", score(one.score1_normalised, kScoreDigits)},
                        {"score2", score(one.score2, kScoreDigits)}});
  }
  json["headline"] = std::move(headline);
  json["sentence"] =
      fmt::format("{} of each; {}", plural(static_cast<std::size_t>(plan.runs), "run"),
                  fmt::join(summary.data, ", "));
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
  const std::vector<GridBest> best = best_points(grid, summary, criterion);
  for (std::size_t i = 0; i < std::min<std::size_t>(best.size(), kMostInHeadline); ++i)
    headline.push_back(
        fmt::format("best on {} with K {}: {}", best[i].data, best[i].k, best[i].label));
  json["headline"] = std::move(headline);
  json["sentence"] = fmt::format("Judged by: {}. {} of each point.", title_of(criterion),
                                 plural(static_cast<std::size_t>(plan.runs), "run"));
  json["axes"] = std::move(axes);
  json["points"] = std::move(points);
  json["criterion"] = name_of_measure(criterion);
  return report_page(fmt::format("Tuning of {}", grid.method), json);
}

}  // namespace quickselection
