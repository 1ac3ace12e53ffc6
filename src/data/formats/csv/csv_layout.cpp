// src/data/formats/csv/csv_layout.cpp: see csv_layout.h.
#include "data/formats/csv/csv_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "data/dataset/find_column.h"
#include "data/formats/csv/csv.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr std::array<std::string_view, 4> kLabelColumns{"label", "class", "target", "y"};

bool is_label_name(std::string_view text) {
  return std::find(kLabelColumns.begin(), kLabelColumns.end(), lower_case(text)) !=
         kLabelColumns.end();
}

bool is_text(const CsvField& field) {
  double ignored;
  return !is_missing_token(field.text) && !parse_cell(field.text, ',', ignored);
}

/// Ascending whole numbers, at least three, after an optional empty field: years, or the 0, 1, 2
/// that pandas writes for unnamed columns. Evenly: each as far from the last.
struct Ascent {
  bool ascends = false, evenly = false;
};
Ascent ascent_of(const std::vector<CsvField>& fields) {
  constexpr std::size_t kEnough = 3;
  const std::size_t first = !fields.empty() && fields.front().text.empty() ? 1 : 0;
  if (fields.size() < first + kEnough) return {};
  std::vector<double> numbers(fields.size());
  Ascent ascent{true, true};
  for (std::size_t i = first; i < fields.size(); ++i) {
    if (!parse_number(fields[i].text, numbers[i]) || numbers[i] != std::nearbyint(numbers[i]))
      return {};
    if (i > first) ascent.ascends &= numbers[i] > numbers[i - 1];
    ascent.evenly &= numbers[i] - numbers[first] ==
                     static_cast<double>(i - first) * (numbers[first + 1] - numbers[first]);
  }
  return ascent.ascends ? ascent : Ascent{};
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
  const Ascent ascent = ascent_of(first);
  // From zero it is what pandas writes; elsewhere the second line could ascend as well.
  const std::string begin = first.front().text.empty()
                                ? to_string(first[std::min<std::size_t>(1, first.size() - 1)])
                                : to_string(first.front());
  if (!ascent.ascends || (begin != "0" && ascent_of(second).ascends)) return false;
  notes.push_back(
      ascent.evenly
          ? fmt::format("the first line counts {}, ... and is taken as the header (‹header no› to "
                        "keep it as a row)",
                        begin)
          : fmt::format("the first line, {}, ..., is taken as a row of data (‹header yes› if it "
                        "holds names)",
                        begin));
  return ascent.evenly;
}

/// Lines that begin with # before the table: comments. The last of them is the header when it has
/// a name for each column, as NumPy and genome tables write it; `header` is then its fields.
void skip_comments(CsvCursor& cursor, std::vector<std::string>& header) {
  CsvCursor last = cursor;
  bool any = false;
  while (cursor.at != cursor.end && *cursor.at == '#') {
    any = true;
    last = cursor;
    while (cursor.at != cursor.end && !at_newline(cursor.at)) ++cursor.at;
    skip_newline(cursor);
  }
  if (!any || cursor.at == cursor.end) return;
  last.end = cursor.at;
  while (last.at != last.end && *last.at == '#') ++last.at;
  const char delimiter = find_delimiter(cursor);
  CsvCursor ahead = cursor;
  const std::vector<CsvField> names = scan_record(last, delimiter);
  const std::vector<CsvField> row = scan_record(ahead, delimiter);
  if (names.size() < 2 || names.size() != row.size() ||
      std::all_of(row.begin(), row.end(), is_text))
    return;
  for (const CsvField& name : names) header.push_back(to_string(name));
}

void find_index(CsvLayout& layout, const ReadOptions& options) {
  if (options.index_column == "none") return;
  if (!options.index_column.empty()) {
    layout.roles[resolve_column(options.index_column, layout.header, layout.roles.size(),
                                "index-column")] = CsvRole::skip;
  } else if (layout.roles.size() > 1 && !layout.header.empty() &&
             (layout.header[0].empty() || layout.header[0] == "Unnamed: 0")) {
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
  for (std::string_view wanted : kLabelColumns)
    for (std::size_t i = 0; i < layout.header.size(); ++i)
      if (layout.roles[i] == CsvRole::value && lower_case(layout.header[i]) == wanted) {
        layout.roles[i] = CsvRole::label;
        layout.notes.push_back(fmt::format(
            "the column '{}' is taken as the labels (‹label none› to keep it as a feature)",
            layout.header[i]));
        return;
      }
}

void leave_out(CsvLayout& layout, const ReadOptions& options) {
  const std::vector<bool> kept = kept_columns(options, layout.header, layout.roles.size());
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (!kept[i] && layout.roles[i] == CsvRole::value) {
      layout.roles[i] = CsvRole::skip;
      layout.narrowed = true;
    }
}

}  // namespace

void assign_roles(CsvLayout& layout, const ReadOptions& options) {
  find_index(layout, options);
  find_label(layout, options);
  leave_out(layout, options);
}

void name_features(const CsvLayout& layout, Dataset& data) {
  for (std::size_t i = 0; i < layout.roles.size(); ++i) {
    if (layout.roles[i] == CsvRole::value) data.names.push_back(layout.name(i));
    if (layout.roles[i] != CsvRole::text) continue;
    const auto begin = static_cast<std::uint32_t>(data.names.size());
    for (const std::string& value : layout.categories[i])
      data.names.push_back(fmt::format("{}={}", layout.name(i), value));
    data.groups.push_back({layout.name(i), begin, static_cast<std::uint32_t>(data.names.size())});
  }
}

CsvLayout find_csv_layout(CsvCursor cursor, const ReadOptions& options) {
  if (options.header != "auto" && options.header != "yes" && options.header != "no")
    throw InvalidArgument(
        fmt::format("‹header› is '{}', but must be one of auto, yes, no", options.header));
  CsvLayout layout;
  std::vector<std::string> commented;
  if (options.header != "no") skip_comments(cursor, commented);
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
  if (!commented.empty()) {
    layout.header = std::move(commented);
  } else if (options.header == "yes" ||
             (options.header == "auto" && is_header(first, second, layout.decisions))) {
    for (const CsvField& field : first) layout.header.push_back(to_string(field));
    layout.data = cursor;
    if (second.empty())
      throw Error(fmt::format("{} has a header but no rows", cursor.path),
                  "if its only line is data, say so with ‹header no›");
  }
  layout.notes = layout.decisions;
  find_index(layout, options);
  find_label(layout, options);
  if (options.transpose) {
    // The names of the features: the index, or the first column when it does not hold numbers.
    const auto index = std::find(layout.roles.begin(), layout.roles.end(), CsvRole::skip);
    const std::vector<CsvField>& row = layout.header.empty() ? first : second;
    if (index != layout.roles.end())
      *index = CsvRole::name;
    else if (layout.roles[0] == CsvRole::value && !row.empty() && is_text(row[0]))
      layout.roles[0] = CsvRole::name;
  }
  leave_out(layout, options);
  layout.count_features();
  return layout;
}

void CsvLayout::count_features() {
  features = 0;
  for (std::size_t i = 0; i < roles.size(); ++i) {
    features += roles[i] == CsvRole::value;
    if (roles[i] == CsvRole::text) features += categories[i].size();
    has_label |= roles[i] == CsvRole::label;
  }
  if (features == 0)
    throw Error(fmt::format("{} has no column left for features", data.path),
                narrowed ? "‹columns› and ‹drop› leave no column but labels, index, text or "
                           "dates"
                : table.empty() ? "its columns are all labels or index"
                                : "its columns are all labels, index, text or dates; ‹text encode› "
                                  "makes features of text");
}

}  // namespace quickselection
