// src/experiment/tables/table.h: tables as plain text, Markdown and LaTeX, and what stands in them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "quickselection/experiment.h"

namespace quickselection {

struct TableCell {
  std::string text;
  Place place = Place::none;
};

struct TableRow {
  std::string name;
  std::vector<TableCell> cells;
};

struct Table {
  std::string title;
  std::string corner;  ///< heading of the first column
  std::vector<std::string> columns;
  std::vector<TableRow> rows;
};

std::string render(const Table& table, TextFormat format);

/// A paragraph.
std::string render_text(std::string_view text, TextFormat format);

/// What may be the best. What looks equal shares a place, as in the paper's tables.
struct Candidate {
  Place* place;
  double value;
  std::string shown;  ///< the value as it is printed
};
/// The best and the second best; the others have none.
void mark_places(std::vector<Candidate> candidates, bool higher_is_better);

// What a summary and a grid show alike.

inline constexpr int kScore1Digits = 0, kScoreDigits = 2;  // the others are no whole numbers

/// "86.9": percent, seconds, megabytes, joules, thousands.
std::string format_mean(const Figure& figure, Measure measure);
/// "86.9 ± 1.1"; a single run and the number of parameters do without a deviation.
std::string format_figure(const Figure& figure, Measure measure);
/// The total of a score as it is shown.
std::string format_total(const Score& score, int digits);
/// What a cell shows: "mean ± standard deviation of 5 runs", or "one run".
std::string describe_runs(int runs);
/// What stands in a cell of a method that gave nothing: "-", or why.
std::string format_missing(const SummaryCell* cell);
/// A paragraph for each method that failed somewhere.
std::string describe_failures(const ExperimentSummary& summary, TextFormat format);

}  // namespace quickselection
