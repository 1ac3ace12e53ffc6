// src/experiment/tables/table.h: tables as plain text, Markdown and LaTeX.
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

}  // namespace quickselection
