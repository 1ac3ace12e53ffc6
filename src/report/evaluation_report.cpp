// src/report/evaluation_report.cpp: see evaluation_report.h.
#include "report/evaluation_report.h"

#include <fmt/format.h>

#include "evaluation/evaluation_fields.h"
#include "quickselection/words.h"
#include "report/page.h"

namespace quickselection {
namespace {

Json headline(const Evaluation& evaluation) {
  Json parts = Json::array();
  if (evaluation.entries.empty()) return parts;
  const EvaluationOfK& last = evaluation.entries.back();
  // A narrow page must not break between a number and its sign.
  const auto percent = [](double share) { return fmt::format("{:.1f}\u00a0%", 100 * share); };
  parts.push_back(fmt::format("The best {} features", last.k));
  const auto add = [&](const char* what, double value, auto baseline) {
    std::string text = fmt::format("{} {}", what, percent(value));
    if (last.random) {
      if (const std::optional<double> random = baseline(*last.random))
        text += fmt::format(" (random {})", percent(*random));
    }
    parts.push_back(std::move(text));
  };
  using Share = std::optional<double>;
  if (const auto& c = last.chosen.classification)
    add("classified", c->mean, [](const Judgement& j) -> Share {
      return j.classification ? Share(j.classification->mean) : std::nullopt;
    });
  if (const auto& c = last.chosen.clustering)
    add("clustered", c->accuracy, [](const Judgement& j) -> Share {
      return j.clustering ? Share(j.clustering->accuracy) : std::nullopt;
    });
  if (const auto& r = last.chosen.reconstruction)
    add("variance rebuilt", r->r2, [](const Judgement& j) -> Share {
      return j.reconstruction ? Share(j.reconstruction->r2) : std::nullopt;
    });
  return parts;
}

}  // namespace

std::string evaluation_report(const EvaluationReport& report) {
  const Evaluation& evaluation = report.evaluation;
  std::vector<EvaluationOfK> entries = evaluation.entries;
  for (EvaluationOfK& entry : entries) entry.stability.reset();  // not shown
  Json costs = about_costs(report.measured);
  costs["evaluate_seconds"] = rounded(evaluation.seconds);
  Json json = {{"kind", "evaluation"},
               {"headline", headline(evaluation)},
               {"ranking", report.ranking},
               {"data", about_data(report.data)},
               {"settings", about_settings(settings_of_evaluation(report.options))},
               {"costs", std::move(costs)},
               {"warnings", Json::array()},
               {"notes", on_command_line(evaluation.notes)},
               {"entries", json_of(entries, 4)}};
  if (evaluation.removal) json["removal"] = json_of(*evaluation.removal, 4);
  return report_page(fmt::format("Evaluation of a ranking: {}", report.data.source), json);
}

}  // namespace quickselection
