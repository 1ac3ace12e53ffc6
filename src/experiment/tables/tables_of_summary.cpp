// src/experiment/tables/tables_of_summary.cpp: a summary as tables, CSV and JSON.

#include <fmt/format.h>

#include <algorithm>

#include "data/formats/csv/csv.h"
#include "experiment/experiment_fields.h"
#include "experiment/tables/table.h"

namespace quickselection {
namespace {

double unit_of(Measure measure) {
  constexpr double kUnits[] = {100, 100, 100, 100, 100, 1, 1e-6, 1, 1e-3};
  static_assert(std::size(kUnits) == kMeasures);
  return kUnits[static_cast<std::size_t>(measure)];
}

int digits_of(Measure measure, double value) {
  if (higher_is_better(measure) || measure == Measure::memory) return 1;
  if (measure == Measure::parameters) return value < 1000 ? 1 : 0;
  return value < 10 ? 2 : value < 1000 ? 1 : 0;
}

/// A column of a table: a data set and a K.
struct Column {
  std::string data;
  std::size_t k = 0;
};

bool has_figures(const ExperimentSummary& summary, std::span<const Column> columns,
                 Measure measure) {
  return std::any_of(summary.cells.begin(), summary.cells.end(), [&](const SummaryCell& cell) {
    return cell[measure] && cell.method != kAllFeatures &&
           std::any_of(columns.begin(), columns.end(), [&](const Column& column) {
             return column.data == cell.data && column.k == cell.k;
           });
  });
}

Table measure_table(const ExperimentSummary& summary, std::span<const Column> columns,
                    Measure measure, const std::string& title) {
  Table table{title, "method", {}, {}};
  std::vector<std::string> methods = summary.methods;
  const bool reference = std::any_of(columns.begin(), columns.end(), [&](const Column& column) {
    const SummaryCell* const cell = summary.find(column.data, kAllFeatures, 0);
    return cell != nullptr && (*cell)[measure];
  });
  if (reference) methods.emplace_back(kAllFeatures);
  for (const std::string& method : methods)
    table.rows.push_back({method, std::vector<TableCell>(columns.size())});
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (std::size_t m = 0; m < methods.size(); ++m) {
      const bool all = methods[m] == kAllFeatures;
      const SummaryCell* const cell =
          summary.find(columns[c].data, methods[m], all ? 0 : columns[c].k);
      TableCell& shown = table.rows[m].cells[c];
      if (cell == nullptr || !(*cell)[measure]) {
        shown.text = format_missing(cell);
        continue;
      }
      const Figure& figure = *(*cell)[measure];
      shown = {format_figure(figure, measure), figure.place};
      if (cell->failed > 0)
        shown.text += fmt::format(" ({} of {})", cell->finished, cell->finished + cell->failed);
    }
  }
  return table;
}

/// One table of each measure over all data sets when each has one K, otherwise for each data set.
std::vector<Table> measure_tables(const ExperimentSummary& summary) {
  const bool one_k = std::all_of(summary.data.begin(), summary.data.end(),
                                 [&](const auto& data) { return summary.ks(data).size() <= 1; });
  std::vector<Table> tables;
  std::vector<Column> columns;
  std::vector<std::string> headings;
  for (const std::string& data : summary.data) {
    for (const std::size_t k : summary.ks(data)) {
      columns.push_back({data, k});
      headings.push_back(one_k ? fmt::format("{} (K {})", data, k) : fmt::format("K {}", k));
    }
    if (one_k && &data != &summary.data.back()) continue;
    for (const Measure measure : kAllMeasures) {
      if (!has_figures(summary, columns, measure)) continue;
      const std::string title = title_of(measure);
      tables.push_back(measure_table(summary, columns, measure,
                                     one_k ? title : fmt::format("{}: {}", data, title)));
      tables.back().columns = headings;
    }
    columns.clear();
    headings.clear();
  }
  return tables;
}

Table score_table(const std::vector<MethodScores>& scores, const std::string& title,
                  Score MethodScores::*which, int digits) {
  Table table{title, "method", {"classification", "clustering", "time", "memory", "total"}, {}};
  for (const MethodScores& method : scores) {
    TableRow& row = table.rows.emplace_back(TableRow{method.method, {}});
    for (const double part : (method.*which).parts)
      row.cells.push_back({fmt::format("{:.{}f}", part, digits)});
    row.cells.push_back({format_total(method.*which, digits), (method.*which).place});
  }
  return table;
}

Table group_table(const ExperimentSummary& summary) {
  Table table{"Score 1 by group of data sets", "method", {}, {}};
  for (const DataGroup& group : summary.groups)
    table.columns.push_back(fmt::format("{} ({})", group.name, group.data.size()));
  for (const MethodScores& method : summary.scores) {
    TableRow& row = table.rows.emplace_back(TableRow{method.method, {}});
    for (const GroupScore& group : method.score1_by_group)
      row.cells.push_back({fmt::format("{:.0f}", group.score.total())});
  }
  return table;
}

Json to_json(const Score& score) {
  Json json = Json::object();
  for (std::size_t p = 0; p < std::size(kScored); ++p)
    json[name_of_measure(kScored[p])] = score.parts[p];
  json["total"] = score.total();
  return json;
}

}  // namespace

std::string format_mean(const Figure& figure, Measure measure) {
  const double mean = unit_of(measure) * figure.mean;
  return fmt::format("{:.{}f}", mean, digits_of(measure, mean));
}

std::string format_figure(const Figure& figure, Measure measure) {
  if (measure == Measure::parameters || figure.runs == 1) return format_mean(figure, measure);
  const int digits = digits_of(measure, unit_of(measure) * figure.mean);
  return fmt::format("{} ± {:.{}f}", format_mean(figure, measure), unit_of(measure) * figure.std,
                     digits);
}

std::string format_total(const Score& score, int digits) {
  return fmt::format("{:.{}f}", score.total(), digits);
}

std::string describe_runs(int runs) {
  return runs == 1 ? "one run" : fmt::format("mean ± standard deviation of {} runs", runs);
}

std::string format_missing(const SummaryCell* cell) {
  if (cell == nullptr || cell->failed == 0) return "-";
  return cell->failure.substr(0, cell->failure.find(':'));
}

std::string describe_failures(const ExperimentSummary& summary, TextFormat format) {
  std::string text;
  for (const SummaryCell& cell : summary.cells)
    if (cell.failed > 0)
      text += render_text(
          fmt::format("{} on {}, K {}: {} of {} runs failed ({})", cell.method, cell.data, cell.k,
                      cell.failed, cell.failed + cell.finished, cell.failure),
          format);
  return text;
}

std::string describe(const ExperimentSummary& summary, TextFormat format) {
  const std::string cells = "Each cell: " + describe_runs(summary.runs);
  std::string text =
      format == TextFormat::plain
          ? cells + "; * best, + second best of each column\n\n"
          : render_text(cells + "; the best of each column is bold, the second best italic.",
                        format);
  for (const Table& table : measure_tables(summary)) text += render(table, format);
  if (summary.methods.size() > 1) {
    text += render(
        score_table(summary.scores, "Score 1: first and second places over all data sets and K",
                    &MethodScores::score1, kScore1Digits),
        format);
    if (summary.groups.size() > 1) text += render(group_table(summary), format);
    text += render(score_table(summary.scores, "Score 1, normalised by group of data sets",
                               &MethodScores::score1_normalised, kScoreDigits),
                   format);
    text += render(score_table(summary.scores, "Score 2: sum of the normalised measures",
                               &MethodScores::score2, kScoreDigits),
                   format);
  }
  return text + describe_failures(summary, format);
}

std::string summary_csv(const ExperimentSummary& summary) {
  std::string text = "data,method,k,measure,mean,std,runs,failed\n";
  for (const SummaryCell& cell : summary.cells) {
    const std::string head = fmt::format("{},{},{}", spreadsheet_field(cell.data),
                                         spreadsheet_field(cell.method), cell.k);
    for (const Measure measure : kAllMeasures)
      if (const auto& figure = cell[measure])
        text += fmt::format("{},{},{},{},{},{}\n", head, name_of_measure(measure), figure->mean,
                            figure->std, figure->runs, cell.failed);
    if (cell.finished == 0) text += fmt::format("{},,,,0,{}\n", head, cell.failed);
  }
  return text;
}

std::string summary_json(const ExperimentPlan& plan, const ExperimentSummary& summary) {
  Json json{{"version", kJsonVersion}, {"data", Json::array()}, {"runs", summary.runs}};
  for (std::size_t d = 0; d < summary.data.size(); ++d)
    json["data"].push_back({{"name", summary.data[d]},
                            {"rows", summary.shapes[d].rows},
                            {"features", summary.shapes[d].features}});
  json["energy_source"] = summary.energy_source;
  json["methods"] = json_of(plan.methods);
  json["cells"] = json_of(summary.cells);
  Json& groups = json["groups"] = Json::array();
  for (const DataGroup& group : summary.groups)
    groups.push_back({{"name", group.name}, {"data", group.data}});
  Json& scores = json["scores"] = Json::array();
  for (const MethodScores& method : summary.scores) {
    Json by_group = Json::object();
    for (const GroupScore& group : method.score1_by_group)
      by_group[group.group] = to_json(group.score);
    scores.push_back({{"method", method.method},
                      {"score1", to_json(method.score1)},
                      {"score1_by_group", by_group},
                      {"score1_normalised", to_json(method.score1_normalised)},
                      {"score2", to_json(method.score2)}});
  }
  return dump_pretty(json);
}

}  // namespace quickselection
