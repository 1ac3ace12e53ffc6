// cli/result.cpp: see result.h.
#include "cli/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "cli/terminal.h"
#include "core/files/atomic_file.h"
#include "core/text/counted.h"
#include "core/text/visible.h"
#include "evaluation/evaluation_fields.h"
#include "selectors/selection_fields.h"

namespace quickselection::cli {
namespace {

constexpr std::size_t kMostLines = 20;
constexpr std::size_t kNameWidth = 24;

/// Cut to a width in characters, not within one (UTF-8).
std::string shorten(const std::string& name) {
  std::size_t characters = 0, end = 0;
  for (; end < name.size(); ++end) {
    const bool starts = (static_cast<unsigned char>(name[end]) & 0xC0) != 0x80;
    if (starts && ++characters > kNameWidth) break;
  }
  return end == name.size() ? name : name.substr(0, end) + "…";
}

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
  const auto& numbers = judgement.regression;
  const auto& clusters = judgement.clustering;
  const auto& rebuilt = judgement.reconstruction;
  const auto number = [](double value) { return fmt::format("{:.3f}", value); };
  return row_of(title,
                classes   ? percent(classes->mean, classes->std)
                : numbers ? percent(numbers->r2, numbers->std)
                          : "-",
                clusters ? percent(clusters->accuracy, clusters->std) : "-",
                clusters ? number(clusters->nmi) : "-", clusters ? number(clusters->ari) : "-",
                !rebuilt            ? "-"
                : rebuilt->std == 0 ? fmt::format("{:.1f}{:7}", 100 * rebuilt->r2, "")
                                    : percent(rebuilt->r2, rebuilt->std));
}

/// With as many digits as are read; --json has all of them.
std::string measure_in_words(const SettingValue& value) {
  const auto* const number = std::get_if<double>(&value);
  return number != nullptr ? fmt::format("{:.5g}", *number) : to_text(value);
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

std::string readable(const Dataset& data, const Selection& selection, std::size_t k,
                     const Measured& measured, const std::optional<Stability>& stability) {
  const std::size_t shown = std::min(k, kMostLines);
  const double best = selection.scores[selection.ranking[0]];
  std::string text = fmt::format("{} of {} features by {}, scaled: {}\n", k, data.ranked_count(),
                                 selection.method, to_text(selection.scale));
  for (std::size_t r = 0; r < shown; ++r) {
    const std::uint32_t feature = selection.ranking[r];
    const double score = selection.scores[feature];
    text +=
        fmt::format("{:>5}  {:<{}}  {}  {:.5g}", r + 1, shorten(visible(data.ranked_name(feature))),
                    kNameWidth, bar(best > 0 ? score / best : 0, 24), score);
    if (stability)
      text += fmt::format("  in {:.0f} of {} runs",
                          stability->frequency[feature] * static_cast<double>(stability->runs),
                          stability->runs);
    text += "\n";
  }
  if (shown < k)
    text += fmt::format("       … and {} more (--ranking FILE writes all)\n", k - shown);
  if (!selection.loss.empty())
    text += fmt::format("{} epochs: {}\n", selection.loss.size(), training_in_words(selection));
  for (const auto& [name, value] : selection.measures)
    text += fmt::format("{}: {}\n", name, measure_in_words(value));
  text += fmt::format("{} in all, {} selecting · peak memory {} · {:.3g} J ({})",
                      duration(measured.total_seconds), duration(selection.seconds),
                      bytes(static_cast<double>(peak_rss_bytes())), measured.energy.joules,
                      measured.energy.source);
  if (selection.parameters > 0) text += fmt::format(" · {} parameters", selection.parameters);
  return text;
}

Json about(const Dataset& data) {
  return {{"path", data.source}, {"rows", data.rows()}, {"features", data.features()}};
}

Json with_scaling(Json json) {
  Json options = {{"scale", json["scale"]}, {"clip", json["clip"]}};
  options.update(json["options"]);
  json["options"] = std::move(options);
  json.erase("scale");
  json.erase("clip");
  return json;
}

Json json_of(const Dataset& data, const Selection& selection, std::size_t k,
             const Measured& measured) {
  Json json = {{"method", selection.method}, {"data", about(data)}};
  const std::span selected = std::span(selection.ranking).first(k);
  const Json all = with_scaling(quickselection::json_of(selection));
  for (const auto& [name, value] : all.items()) {
    if (name == "k" || name == "constant_features" || name == "network") continue;
    if (name == "ranking") {
      json["selected"] = quickselection::json_of(selected);
      json["names"] = Json::array();
      for (const std::uint32_t feature : selected)
        json["names"].push_back(data.ranked_name(feature));
    } else if (name == "loss") {
      json[name] = value;
      if (value.empty()) continue;
      json["epochs"] = value.size();
      json["training"] = training_in_words(selection);
    } else if (name == "seconds") {
      json[name] = {
          {"read", measured.read_seconds}, {"train", value}, {"total", measured.total_seconds}};
      json["peak_rss_bytes"] = peak_rss_bytes();
      json["energy"] = {{"joules", measured.energy.joules}, {"source", measured.energy.source}};
    } else {
      json[name] = value;
    }
  }
  return json;
}

std::string readable(const Stability& stability) {
  const auto& frequency = stability.frequency;
  const auto always = std::count(frequency.begin(), frequency.end(), 1.0);
  const auto often =
      std::count_if(frequency.begin(), frequency.end(), [](double f) { return f >= 0.5; });
  return describe(stability) +
         fmt::format(
             "\n{} {} among the best {} in every run, {} in at least half of the runs. The ranking "
             "by the mean of all runs is steadier than that of one run.",
             counted(static_cast<std::size_t>(always), "feature"), always == 1 ? "is" : "are",
             stability.k, often);
}

std::string readable(const Evaluation& evaluation) {
  const bool numbers = !evaluation.entries.empty() && evaluation.entries[0].chosen.regression;
  std::string text = row_of("features", numbers ? "predicted %" : "classified %", "clustered %",
                            "NMI", "ARI", "rebuilt %    ");
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

void write_json(const std::string& path, const Json& json) {
  if (path.empty()) return;
  Json whole = {{"version", kJsonVersion}};
  whole.update(json);
  write_file(path, dump_pretty(whole));
}

}  // namespace quickselection::cli
