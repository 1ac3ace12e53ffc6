// cli/evaluation_result.cpp: see evaluation_result.h.
#include "cli/evaluation_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "cli/result.h"
#include "cli/terminal.h"

namespace quickselection::cli {
namespace {

using Json = nlohmann::ordered_json;

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

Json to_json(const Judgement& judgement) {
  Json json = Json::object();
  if (const auto& c = judgement.classification)
    json["classification"] = {
        {"classifier", c->classifier == Classifier::extra_trees ? "extra-trees" : "random-forest"},
        {"mean", c->mean},
        {"std", c->std},
        {"runs", c->runs}};
  if (const auto& c = judgement.clustering)
    json["clustering"] = {{"accuracy", c->accuracy},
                          {"nmi", c->nmi},
                          {"ari", c->ari},
                          {"std", c->std},
                          {"repetitions", c->repetitions}};
  if (const auto& r = judgement.reconstruction) json["reconstruction"] = {{"r2", r->r2}};
  return json;
}

Json to_json(const std::vector<RemovalPoint>& points) {
  Json json = Json::array();
  for (const RemovalPoint& point : points)
    json.push_back({{"removed", point.removed},
                    {"left", point.left},
                    {"mean", point.mean},
                    {"std", point.std}});
  return json;
}

const Stability* find(std::span<const Stability> stabilities, std::size_t k) {
  const auto found = std::find_if(stabilities.begin(), stabilities.end(),
                                  [&](const Stability& one) { return one.k == k; });
  return found == stabilities.end() ? nullptr : &*found;
}

}  // namespace

std::string readable(const Evaluation& evaluation, std::span<const Stability> stabilities) {
  std::string text =
      row_of("features", "classified %", "clustered %", "NMI", "ARI", "rebuilt %    ");
  for (const EvaluationOfK& entry : evaluation.entries) {
    text += line_of(fmt::format("best {}", entry.k), entry.chosen);
    if (entry.random) text += line_of(fmt::format("random {}", entry.k), *entry.random);
  }
  if (!evaluation.entries.empty() && evaluation.entries[0].all)
    text += line_of("all", *evaluation.entries[0].all);
  if (evaluation.removal) text += removal_table(*evaluation.removal);
  for (const Stability& stability : stabilities)
    text += fmt::format("\nbest {}: {}\n", stability.k, describe(stability, "rankings"));
  return text + duration(evaluation.seconds);
}

Json to_json(const Evaluation& evaluation, std::span<const Stability> stabilities) {
  Json json = Json::array();
  for (const EvaluationOfK& entry : evaluation.entries) {
    Json one = {{"k", entry.k}};
    one.update(to_json(entry.chosen));
    if (entry.random) one["random"] = to_json(*entry.random);
    if (entry.all) one["all"] = to_json(*entry.all);
    if (const Stability* stability = find(stabilities, entry.k))
      one["stability"] = to_json(*stability);
    // The same for every K, as `all` is: each entry can be read by itself.
    if (evaluation.removal)
      one["removal"] = {
          {"least_important_first", to_json(evaluation.removal->least_important_first)},
          {"most_important_first", to_json(evaluation.removal->most_important_first)}};
    json.push_back(std::move(one));
  }
  return json;
}

}  // namespace quickselection::cli
