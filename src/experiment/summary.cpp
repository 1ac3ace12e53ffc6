// src/experiment/summary.cpp: from rows to means, deviations and groups of data sets.
#include <algorithm>
#include <map>
#include <set>

#include "evaluation/clustering/metrics.h"
#include "experiment/tables/table.h"
#include "quickselection/experiment.h"

namespace quickselection {
namespace {

// Where data sets of the paper part: PCMAC (3289 features) is one of many features, MNIST (60000
// rows) one of many rows, HAR (7352 rows) is not.
constexpr std::size_t kManyFeatures = 2000, kManyRows = 20000;

std::optional<double> value_of(const ResultRow& row, Measure measure) {
  const std::optional<double> values[] = {
      row.classification,
      row.random_forest,
      row.regression,
      row.clustering,
      row.reconstruction,
      row.seconds,
      static_cast<double>(row.peak_rss_bytes),
      row.joules,
      row.parameters > 0 ? std::optional(static_cast<double>(row.parameters)) : std::nullopt};
  return values[static_cast<std::size_t>(measure)];
}

bool is_cost(Measure measure) { return measure >= Measure::seconds; }

SummaryCell cell_of(const std::vector<const ResultRow*>& rows) {
  SummaryCell cell;
  cell.data = rows[0]->data;
  cell.method = rows[0]->method;
  cell.k = rows[0]->k;
  for (const ResultRow* row : rows) {
    if (row->status == RunStatus::ok) {
      ++cell.finished;
      continue;
    }
    if (cell.failed++ == 0)
      cell.failure = to_text(row->status) + (row->message.empty() ? "" : ": " + row->message);
  }
  for (const Measure measure : kAllMeasures) {
    if (cell.method == kAllFeatures && is_cost(measure)) continue;
    std::vector<double> values;
    for (const ResultRow* row : rows)
      if (row->status == RunStatus::ok)
        if (const auto value = value_of(*row, measure)) values.push_back(*value);
    if (values.empty()) continue;
    const MeanStd figure = mean_and_std(values);
    cell[measure] = Figure{.mean = figure.mean, .std = figure.std, .runs = values.size()};
  }
  return cell;
}

DataShape shape_of(const std::vector<ResultRow>& rows_of_data) {
  for (const ResultRow& row : rows_of_data)
    if (row.features > 0) return {row.rows, row.features};
  return {};
}

std::string group_by_size(const DataShape& shape) {
  return shape.features >= kManyFeatures ? "many features"
         : shape.rows >= kManyRows       ? "many rows"
                                         : "small";
}

/// The best and the second best among methods, on each data set, for each K and by each measure.
void mark_methods(ExperimentSummary& summary) {
  for (const std::string& data : summary.data)
    for (const std::size_t k : summary.ks(data))
      for (const Measure measure : kAllMeasures) {
        std::vector<Candidate> candidates;
        for (SummaryCell& cell : summary.cells)
          if (cell.data == data && cell.k == k && cell.method != kAllFeatures && cell.failed == 0 &&
              cell[measure])
            candidates.push_back(
                {&cell[measure]->place, cell[measure]->mean, format_mean(*cell[measure], measure)});
        mark_places(std::move(candidates), higher_is_better(measure));
      }
}

}  // namespace

std::string title_of(Measure measure) {
  constexpr const char* kTitles[] = {"Classification accuracy, extra trees (%)",
                                     "Classification accuracy, random forest (%)",
                                     "Prediction of the labels, R² (%)",
                                     "Clustering accuracy (%)",
                                     "Reconstruction, R² (%)",
                                     "Running time (s)",
                                     "Peak memory (MB)",
                                     "Energy (J)",
                                     "Number of parameters (thousands)"};
  return kTitles[static_cast<std::size_t>(measure)];
}

std::string name_of_measure(Measure measure) {
  constexpr const char* kNames[] = {"classification", "random_forest",  "regression",
                                    "clustering",     "reconstruction", "seconds",
                                    "peak_rss_bytes", "joules",         "parameters"};
  return kNames[static_cast<std::size_t>(measure)];
}

bool higher_is_better(Measure measure) { return !is_cost(measure); }

const SummaryCell* ExperimentSummary::find(const std::string& data_name, const std::string& method,
                                           std::size_t k) const {
  const auto found = std::find_if(cells.begin(), cells.end(), [&](const SummaryCell& cell) {
    return cell.data == data_name && cell.method == method && cell.k == k;
  });
  return found == cells.end() ? nullptr : &*found;
}

std::vector<std::size_t> ExperimentSummary::ks(const std::string& data_name) const {
  std::set<std::size_t> found;
  for (const SummaryCell& cell : cells)
    if (cell.data == data_name && cell.method != kAllFeatures) found.insert(cell.k);
  return {found.begin(), found.end()};
}

ExperimentSummary summarize(const ExperimentPlan& plan, std::span<const ResultRow> rows,
                            std::span<const std::string> unscored) {
  ExperimentSummary summary;
  summary.runs = plan.runs;
  for (const ExperimentMethod& method : plan.methods) summary.methods.push_back(method.label);
  std::vector<std::string> order = summary.methods;
  order.emplace_back(kAllFeatures);
  for (const ExperimentData& data : plan.data) {
    summary.data.push_back(data.name);
    std::vector<ResultRow> of_data;
    for (const ResultRow& row : rows)
      if (row.data == data.name) of_data.push_back(row);
    for (const std::string& method : order) {
      std::map<std::size_t, std::vector<const ResultRow*>> by_k;
      for (const ResultRow& row : of_data)
        if (row.method == method) by_k[row.k].push_back(&row);
      for (const auto& [k, own] : by_k) summary.cells.push_back(cell_of(own));
    }
    summary.shapes.push_back(shape_of(of_data));
    const std::string group =
        data.group.empty() ? group_by_size(summary.shapes.back()) : data.group;
    const auto found = std::find_if(summary.groups.begin(), summary.groups.end(),
                                    [&](const DataGroup& one) { return one.name == group; });
    if (found == summary.groups.end())
      summary.groups.push_back({group, {data.name}});
    else
      found->data.push_back(data.name);
  }
  mark_methods(summary);
  std::vector<std::string> scored;
  for (const std::string& method : summary.methods)
    if (std::find(unscored.begin(), unscored.end(), method) == unscored.end())
      scored.push_back(method);
  summary.scores = score_methods(summary.cells, scored, summary.groups, plan.runs);
  for (const ResultRow& row : rows)
    if (summary.energy_source.empty()) summary.energy_source = row.energy_source;
  return summary;
}

}  // namespace quickselection
