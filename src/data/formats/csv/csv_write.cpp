// src/data/formats/csv/csv_write.cpp: writes CSV (or TSV, by the ending) that reads back to the
// same values.
#include <vector>

#include "core/files/atomic_file.h"
#include "data/dataset/subset.h"
#include "data/formats/csv/csv.h"
#include "data/formats/format.h"

namespace quickselection {
namespace {

/// Names that are missing or are all numbers get an x in front: a reader must see a header.
std::vector<std::string> header_names(const Dataset& data, std::span<const std::uint32_t> columns) {
  std::vector<std::string> names;
  bool any_text = false;
  for (std::uint32_t column : columns) {
    double ignored;
    names.push_back(data.name(column));
    any_text |= !is_missing_token(names.back()) && !parse_number(names.back(), ignored);
  }
  if (!any_text)
    for (std::string& name : names) name.insert(name.begin(), 'x');
  return names;
}

}  // namespace

std::string csv_field(const std::string& text, char delimiter) {
  const bool plain = text.find_first_of("\"\r\n") == std::string::npos &&
                     text.find(delimiter) == std::string::npos &&
                     (text.empty() || (text.front() != ' ' && text.back() != ' ' &&
                                       text.front() != '\t' && text.back() != '\t'));
  if (plain) return text;
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

namespace {

bool looks_like_formula(std::string_view text) {
  double number = 0;
  return !text.empty() && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos &&
         !parse_number(text, number);
}

}  // namespace

std::string spreadsheet_field(const std::string& text) {
  return csv_field(looks_like_formula(text) ? '\'' + text : text);
}

std::string_view without_apostrophe(std::string_view text) {
  return text.starts_with('\'') && looks_like_formula(text.substr(1)) ? text.substr(1) : text;
}

void write_csv(const std::string& path, const Dataset& data,
               std::span<const std::uint32_t> columns) {
  const char delimiter = path.ends_with(".tsv") || path.ends_with(".tab") ? '\t' : ',';
  AtomicFile file(path);
  std::string line;
  for (const std::string& name : header_names(data, columns)) {
    line += csv_field(name, delimiter);
    line += delimiter;
  }
  if (data.labels)
    line += "label";
  else
    line.pop_back();
  file.write(line + '\n');

  std::vector<std::string> classes;
  if (data.labels)
    for (const std::string& name : data.labels->classes)
      classes.push_back(csv_field(name, delimiter));
  const SelectedRows rows(data, columns);
  std::vector<std::byte> row(rows.row_bytes());
  visit_type(data.type(), [&]<class T>() {
    for (std::size_t r = 0; r < data.rows(); ++r) {
      line.clear();
      rows.copy_row(r, row.data());
      for (std::size_t i = 0; i < columns.size(); ++i) {
        append_number<T>(line, row.data() + i * sizeof(T));
        line += delimiter;
      }
      if (data.labels)
        line += classes[static_cast<std::size_t>(data.labels->codes[r])];
      else
        line.pop_back();
      line += '\n';
      file.write(line);
    }
  });
  file.commit();
}

}  // namespace quickselection
