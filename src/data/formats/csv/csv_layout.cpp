// src/data/formats/csv/csv_layout.cpp: see csv_layout.h.
#include "data/formats/csv/csv_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "data/dataset/find_column.h"
#include "data/formats/csv/csv.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr std::array<std::string_view, 4> kLabelNames{"label", "class", "target", "y"};

bool is_label_name(std::string_view text) {
  return std::find(kLabelNames.begin(), kLabelNames.end(), lower_case(text)) != kLabelNames.end();
}

bool is_text(const CsvField& field) {
  double ignored;
  return !is_missing_token(field.text) && !parse_number(field.text, ignored);
}

/// 0, 1, 2, ... after an optional empty field: the header pandas writes for unnamed columns.
bool counts_from_zero(const std::vector<CsvField>& fields) {
  constexpr std::size_t kEnough = 3;
  const std::size_t first = fields.front().text.empty() ? 1 : 0;
  if (fields.size() < first + kEnough) return false;
  for (std::size_t i = first; i < fields.size(); ++i)
    if (fields[i].text != std::to_string(i - first)) return false;
  return true;
}

bool is_header(const std::vector<CsvField>& first, const std::vector<CsvField>& second,
               std::vector<std::string>& notes) {
  bool any_text = false, any_number = false, differs = false;
  for (std::size_t i = 0; i < first.size(); ++i) {
    double ignored;
    any_number |= parse_number(first[i].text, ignored);
    if (!is_text(first[i])) continue;
    if (is_label_name(first[i].text)) return true;
    any_text = true;
    differs |= i >= second.size() || !is_text(second[i]);
  }
  // Text that stands beside numbers in both records is a column of text, not a header.
  if (any_text) return !any_number || differs;
  if (!counts_from_zero(first)) return false;
  notes.push_back(
      "the first line counts 0, 1, 2, ... and is taken as the header (‹header no› to keep it)");
  return true;
}

void find_index(CsvLayout& layout, const ReadOptions& options) {
  if (options.index_column == "none") return;
  if (!options.index_column.empty()) {
    layout.roles[resolve_column(options.index_column, layout.header, layout.roles.size(),
                                "index-column")] = CsvRole::skip;
  } else if (layout.roles.size() > 1 && !layout.header.empty() && layout.header[0].empty()) {
    layout.roles[0] = CsvRole::skip;
    layout.notes.push_back(
        "the first column has no name and is taken as the index (‹index-column none› to keep it)");
  }
}

void find_label(CsvLayout& layout, const ReadOptions& options) {
  if (options.label == "none") return;
  if (!options.label.empty()) {
    const std::size_t column =
        resolve_column(options.label, layout.header, layout.roles.size(), "label");
    if (layout.roles[column] == CsvRole::skip)
      throw InvalidArgument(fmt::format("column {} cannot be both index and label", column));
    layout.roles[column] = CsvRole::label;
    return;
  }
  for (std::string_view wanted : kLabelNames)
    for (std::size_t i = 0; i < layout.header.size(); ++i)
      if (layout.roles[i] == CsvRole::value && lower_case(layout.header[i]) == wanted) {
        layout.roles[i] = CsvRole::label;
        layout.notes.push_back(fmt::format(
            "the column '{}' is taken as the labels (‹label none› to keep it as a feature)",
            layout.header[i]));
        return;
      }
}

}  // namespace

CsvLayout find_csv_layout(CsvCursor cursor, const ReadOptions& options) {
  if (options.header != "auto" && options.header != "yes" && options.header != "no")
    throw InvalidArgument(
        fmt::format("‹header› is '{}', but must be one of auto, yes, no", options.header));
  CsvLayout layout;
  layout.data = cursor;
  if (skip_blank_line(cursor))
    throw Error(fmt::format("{}, line 1 is blank", cursor.path),
                "begin the file with the header or the first row");

  layout.delimiter = find_delimiter(cursor);
  const std::vector<CsvField> first = scan_record(cursor, layout.delimiter);
  CsvCursor ahead = cursor;
  std::vector<CsvField> second;
  if (!skip_blank_line(ahead)) second = scan_record(ahead, layout.delimiter);

  layout.roles.assign(first.size(), CsvRole::value);
  if (options.header == "yes" ||
      (options.header == "auto" && is_header(first, second, layout.notes))) {
    for (const CsvField& field : first) layout.header.push_back(to_string(field));
    layout.data = cursor;
    if (second.empty())
      throw Error(fmt::format("{} has a header but no rows", cursor.path),
                  "if its only line is data, say so with ‹header no›");
  }
  find_index(layout, options);
  find_label(layout, options);
  for (CsvRole role : layout.roles) {
    layout.features += role == CsvRole::value;
    layout.has_label |= role == CsvRole::label;
  }
  if (layout.features == 0)
    throw Error(fmt::format("{} has no column left for features", cursor.path),
                "its columns are all labels or index");
  return layout;
}

}  // namespace quickselection
