// cli/evaluation_result.cpp: see evaluation_result.h.
#include "cli/evaluation_result.h"

#include <fmt/format.h>

#include <string_view>

#include "cli/terminal.h"
#include "evaluation/evaluation_fields.h"

namespace quickselection::cli {
namespace {

std::string percent(double mean, double std) {
  return fmt::format("{:.1f} ± {:4.1f}", 100 * mean, 100 * std);
}

std::string row_of(std::string_view title, std::string_view classified, std::string_view clustered,
                   std::string_view nmi, std::string_view ari, std::string_view rebuilt) {
  std::string line = fmt::format("{:<14}  {:>13}  {:>13}  {:>7}  {:>7}  {:>13}", title, classified,
                                 clustered, nmi, ari, rebuilt);
  return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

/// One line of the table: what was judged, or dashes.
std::string line_of(const std::string& title, const Judgement& judgement) {
  const auto& classes = judgement.classification;
  const auto& clusters = judgement.clustering;
  const auto& rebuilt = judgement.reconstruction;
  const auto number = [](double value) { return fmt::format("{:.3f}", value); };
  return row_of(title, classes ? percent(classes->mean, classes->std) : "-",
                clusters ? percent(clusters->accuracy, clusters->std) : "-",
                clusters ? number(clusters->nmi) : "-", clusters ? number(clusters->ari) : "-",
                !rebuilt            ? "-"
                : rebuilt->std == 0 ? fmt::format("{:.1f}{:7}", 100 * rebuilt->r2, "")
                                    : percent(rebuilt->r2, rebuilt->std));
}

std::string removal_table(const Removal& removal) {
  std::string text = fmt::format("\n{:>7}  {:>7}  {:>22}  {:>22}\n", "removed", "left",
                                 "least important first", "most important first");
  for (std::size_t i = 0; i < removal.least_important_first.size(); ++i) {
    const RemovalPoint &least = removal.least_important_first[i],
                       &most = removal.most_important_first[i];
    text += fmt::format("{:>7}  {:>7}  {:>22}  {:>22}\n", least.removed, least.left,
                        percent(least.mean, least.std), percent(most.mean, most.std));
  }
  return text;
}

}  // namespace

std::string readable(const Evaluation& evaluation) {
  std::string text =
      row_of("features", "classified %", "clustered %", "NMI", "ARI", "rebuilt %    ");
  for (const EvaluationOfK& entry : evaluation.entries) {
    text += line_of(fmt::format("best {}", entry.k), entry.chosen);
    if (entry.random) text += line_of(fmt::format("random {}", entry.k), *entry.random);
  }
  if (!evaluation.entries.empty() && evaluation.entries[0].all)
    text += line_of("all", *evaluation.entries[0].all);
  if (evaluation.removal) text += removal_table(*evaluation.removal);
  for (const EvaluationOfK& entry : evaluation.entries)
    if (entry.stability)
      text += fmt::format("\nbest {}: {}\n", entry.k, describe(*entry.stability));
  return text + duration(evaluation.seconds);
}

Json json_of(const Evaluation& evaluation) {
  Json json = quickselection::json_of(evaluation.entries);
  // The same for every K, as `all` is: each entry can be read by itself.
  if (evaluation.removal)
    for (Json& one : json) one["removal"] = quickselection::json_of(*evaluation.removal);
  return json;
}

}  // namespace quickselection::cli
