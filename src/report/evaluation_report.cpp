// src/report/evaluation_report.cpp: an evaluation as a page.
#include <fmt/format.h>

#include "evaluation/evaluation_fields.h"
#include "evaluation/judge.h"
#include "quickselection/words.h"
#include "report/page.h"
#include "report/reports.h"

namespace quickselection {
namespace {

std::string_view in_words(std::string_view judge) {
  return judge == "classification" ? "classified"
         : judge == "regression"   ? "labels predicted"
         : judge == "clustering"   ? "clustered"
                                   : "variance rebuilt";
}

Json headline(const Evaluation& evaluation) {
  Json parts = Json::array();
  if (evaluation.entries.empty()) return parts;
  const EvaluationOfK& last = evaluation.entries.back();
  parts.push_back(fmt::format("The best {} features", last.k));
  const std::vector<Share> chosen = shares_of(last.chosen);
  const std::vector<Share> random = last.random ? shares_of(*last.random) : std::vector<Share>{};
  for (const Share& share : chosen) {
    const std::string_view what = share.what;
    std::string text = fmt::format("{} {}", in_words(what), percent(share.mean));
    for (const Share& other : random)
      if (other.what == what) text += fmt::format(" (random {})", percent(other.mean));
    parts.push_back(std::move(text));
  }
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
               {"ranking", file_name(report.ranking)},
               {"data", about_data(report.data)},
               {"settings", about_settings(settings_of_evaluation(report.options))},
               {"costs", std::move(costs)},
               // What the reader should know comes first: above all "no better than random".
               {"warnings", on_command_line(evaluation.notes)},
               {"notes", Json::array()},
               {"entries", json_of(entries, 4)}};
  if (evaluation.removal) json["removal"] = json_of(*evaluation.removal, 4);
  return report_page(fmt::format("Evaluation of a ranking: {}", file_name(report.data.source)),
                     json);
}

}  // namespace quickselection
