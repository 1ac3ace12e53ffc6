// src/data/formats/csv/csv_columns.cpp: see csv_columns.h.
#include "data/formats/csv/csv_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>
#include <unordered_set>

#include "data/formats/csv/csv.h"
#include "data/io/contents.h"

namespace quickselection {
namespace {

constexpr std::size_t kMostRemembered = 1u << 17;  // values, to tell whether one comes twice

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// 2024-05-31, 31.5.2024, 5/31/2024, 2024/05/31, each with or without a time behind it.
bool is_date(std::string_view text) {
  std::size_t at = 0, years = 0;
  for (int part = 0; part < 3; ++part) {
    const std::size_t begin = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    const std::size_t digits = at - begin;
    if (digits == 4 && part != 1)
      ++years;
    else if (digits < 1 || digits > 2)
      return false;
    if (part == 2) break;
    const char separator = at < text.size() ? text[at] : '\0';
    if ((separator != '-' && separator != '/' && separator != '.') ||
        (part == 1 && separator != text[begin - 1]))
      return false;
    ++at;
  }
  if (years != 1) return false;
  if (at == text.size()) return true;
  return (text[at] == ' ' || text[at] == 'T') && at + 1 < text.size() && is_digit(text[at + 1]);
}

ColumnKind kind_of(const SeenColumn& seen) {
  if (seen.values == 0) return ColumnKind::empty;
  if (seen.booleans == seen.values) return ColumnKind::boolean;
  const bool distinct = !seen.repeated && seen.values > 1;
  if (2 * seen.numbers >= seen.values)
    return distinct && seen.numbers == seen.values && seen.whole && seen.id_name
               ? ColumnKind::identifier
               : ColumnKind::number;
  if (2 * seen.dates >= seen.values) return ColumnKind::date;
  return distinct ? ColumnKind::identifier : ColumnKind::text;
}

std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 8;
  std::string list = fmt::format(
      "{}",
      fmt::join(names.begin(),
                names.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, names.size())), ", "));
  if (names.size() > kShown) list += fmt::format(" and {} more", names.size() - kShown);
  return list;
}

}  // namespace

bool is_id_name(std::string_view name) {
  if (!lower_case(name).ends_with("id")) return false;
  if (name.size() == 2) return true;
  const char before = name[name.size() - 3];
  return before == '_' || before == ' ' || before == '-' || before == '.' ||
         (name[name.size() - 2] == 'I' && std::islower(static_cast<unsigned char>(before)));
}

void see(SeenColumn& seen, const CsvField& field, char delimiter, std::size_t line) {
  ++seen.values;
  double number = 0;
  const bool is_number = parse_cell(field.text, delimiter, number);
  if (is_number) {
    ++seen.numbers;
    seen.booleans += std::string_view("tTfF").find(field.text[0]) != std::string_view::npos;
    seen.whole &= number == std::nearbyint(number);
  } else {
    seen.dates += is_date(field.text);
    if (seen.text_line == 0) {
      seen.text_line = line;
      seen.text = to_string(field);
    }
  }
  if ((!is_number || seen.id_name) && seen.remembered.size() < kMostRemembered && !seen.repeated)
    seen.repeated = !seen.remembered.insert(to_string(field)).second;
  if (seen.categories.size() <= kMostIndicators) seen.categories.insert(to_string(field));
}

bool looks_mixed(const CsvLayout& layout) {
  CsvCursor cursor = layout.data;
  const std::vector<CsvField> row = scan_record(cursor, layout.delimiter);
  for (std::size_t i = 0; i < layout.roles.size(); ++i) {
    if (layout.roles[i] != CsvRole::value) continue;
    if (!layout.header.empty() && is_id_name(layout.header[i])) return true;
    double ignored;
    if (i < row.size() && !is_missing_token(row[i].text) &&
        !parse_cell(row[i].text, layout.delimiter, ignored))
      return true;
  }
  return false;
}

namespace {

/// Scans all records, and returns their number.
std::size_t settle_roles(CsvLayout& layout, TextColumns text) {
  const std::size_t columns = layout.roles.size();
  std::vector<SeenColumn> seen(columns);
  for (std::size_t i = 0; i < layout.header.size(); ++i)
    seen[i].id_name = is_id_name(layout.header[i]);
  std::size_t rows = 0;
  for (CsvCursor cursor = layout.data; cursor.at != cursor.end; ++rows) {
    if (skip_blank_line(cursor)) break;
    const std::size_t line = cursor.line;
    const std::vector<CsvField> record = scan_record(cursor, layout.delimiter);
    for (std::size_t i = 0; i < std::min(columns, record.size()); ++i)
      if (!is_missing_token(record[i].text)) see(seen[i], record[i], layout.delimiter, line);
  }
  give_roles(layout, seen, rows, text);
  return rows;
}

}  // namespace

void give_roles(CsvLayout& layout, const std::vector<SeenColumn>& seen, std::size_t rows,
                TextColumns text) {
  const std::size_t columns = layout.roles.size();
  layout.categories.assign(columns, {});
  layout.table.clear();
  std::vector<std::string> dates, ids, texts, empties;
  for (std::size_t i = 0; i < columns; ++i) {
    CsvRole& role = layout.roles[i];
    TableColumn column;
    column.name = layout.name(i);
    column.kind = kind_of(seen[i]);
    column.missing = rows - seen[i].values;
    if (role != CsvRole::value) {
      column.use = role == CsvRole::label  ? "labels"
                   : role == CsvRole::name ? "names of the features"
                                           : "left out";
      layout.table.push_back(std::move(column));
      continue;
    }
    column.use = "feature";
    if (text == TextColumns::error ? seen[i].text_line > 0
                                   : column.kind == ColumnKind::number && seen[i].text_line > 0)
      column.use =
          fmt::format("refused: '{}' in line {} is no number", seen[i].text, seen[i].text_line);
    if (text == TextColumns::error) {
      layout.table.push_back(std::move(column));
      continue;
    }
    std::vector<std::string>* left_out = nullptr;
    if (column.kind == ColumnKind::date) left_out = &dates;
    if (column.kind == ColumnKind::identifier) left_out = &ids;
    if (column.kind == ColumnKind::empty) left_out = &empties;
    if (column.kind == ColumnKind::text && text != TextColumns::encode) left_out = &texts;
    if (column.kind == ColumnKind::text && text == TextColumns::encode) {
      if (seen[i].categories.size() > kMostIndicators) {
        left_out = &texts;
      } else {
        role = CsvRole::text;
        layout.categories[i].assign(seen[i].categories.begin(), seen[i].categories.end());
        // Two values without a gap: one indicator says all.
        if (layout.categories[i].size() == 2 && column.missing == 0)
          layout.categories[i].erase(layout.categories[i].begin());
        column.use = fmt::format("one feature of {} indicator{}", layout.categories[i].size(),
                                 layout.categories[i].size() == 1 ? "" : "s");
      }
    }
    if (left_out != nullptr) {
      role = CsvRole::skip;
      column.use = "left out";
      left_out->push_back(column.name);
    }
    layout.table.push_back(std::move(column));
  }
  const auto note = [&](const std::vector<std::string>& names, std::string_view what) {
    if (names.empty()) return;
    layout.notes.push_back(fmt::format("left out, {}: {}", what, list_of(names)));
    layout.decisions.push_back(layout.notes.back());
  };
  note(dates, "dates");
  // A first column of names over many rows and few columns: perhaps the table lies on its side.
  const bool tall = !ids.empty() && ids.front() == layout.name(0) && rows > 4 * columns;
  note(ids, tall ? "a different value in every row (if each row is a feature, such as a gene, "
                   "‹transpose› turns the table)"
                 : "a different value in every row, as identifiers have");
  note(empties, "no values");
  note(texts, text == TextColumns::encode
                  ? fmt::format("text with more than {} different values", kMostIndicators)
                  : "text (‹text encode› makes features of it)");
}

void settle_columns(CsvLayout& layout, TextColumns text) {
  settle_roles(layout, text);
  layout.count_features();
}

TableLook look_at_csv(const std::string& path, const ReadOptions& options) {
  Contents file(path);
  file.decode_utf16();
  CsvLayout layout = find_csv_layout(start_csv(file.text(), path), options);
  TableLook look;
  look.rows = settle_roles(layout, options.text);
  look.columns = std::move(layout.table);
  look.notes = std::move(layout.notes);
  return look;
}

}  // namespace quickselection
