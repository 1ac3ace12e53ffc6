// src/data/formats/csv/csv.cpp: reads CSV and TSV in one pass over the mapped or decompressed text.
#include "data/formats/csv/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>

#include "data/formats/csv/csv_columns.h"
#include "data/formats/csv/csv_layout.h"
#include "data/formats/csv/csv_scan.h"
#include "data/formats/format.h"
#include "data/formats/value_store.h"
#include "data/io/contents.h"
#include "data/io/decimal.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr std::array<std::string_view, 4> kEndings{".csv", ".tsv", ".tab", ".txt"};

/// A field of one to seven digits, its length found without a branch for each (counts and pixels
/// have lengths that cannot be predicted). Returns where it ends, or `at` when it is none.
const char* parse_digits(const char* at, const char* end, char delimiter, double& value) {
  if (end - at < 8) return at;
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  word ^= 0x3030303030303030;  // digits become 0 to 9
  const std::uint64_t others = ((word + 0x7676767676767676) | word) & 0x8080808080808080;
  const int digits = std::countr_zero(others) / 8;
  if (others == 0 || digits == 0) return at;
  const char* const stop = at + digits;
  if (*stop != delimiter && !at_newline(stop)) return at;
  word <<= 64 - 8 * digits;  // leading zeros; then pairs, fours and eight digits at once
  word = word * 10 + (word >> 8);
  word = ((word & 0x000000ff000000ff) * 0x000f424000000064 +
          ((word >> 16) & 0x000000ff000000ff) * 0x0000271000000001) >>
         32;
  value = static_cast<double>(static_cast<std::uint32_t>(word));
  return stop;
}

std::string shorten(std::string text) {
  constexpr std::size_t kMost = 40;
  if (text.size() > kMost) text = text.substr(0, kMost) + "...";
  return text;
}

[[noreturn]] void not_a_number(const CsvCursor& cursor, const CsvLayout& layout, std::size_t column,
                               const CsvField& field) {
  const std::string name =
      layout.header.empty() ? "" : fmt::format(" ('{}')", shorten(layout.header[column]));
  const bool comma = field.text.find(',') != std::string_view::npos;
  throw Error(fmt::format("{}, line {}, column {}{}: '{}' is not a number", cursor.path,
                          cursor.line, column, name, shorten(to_string(field))),
              comma ? "numbers need a decimal point, and no comma between the digits"
                    : fmt::format("columns are counted from 0; ‹label {0}› takes it as the labels, "
                                  "‹drop {0}› leaves it out; missing values are written as "
                                  "nothing, NA, N/A, NaN, null, none, ? or -",
                                  column));
}

[[noreturn]] void ragged(CsvCursor cursor, const CsvLayout& layout, std::size_t found) {
  const std::size_t line = cursor.line;
  if (found == layout.roles.size()) {
    // Stopped at the first field too many: count the others.
    for (;; ++cursor.at) {
      scan_field(cursor, layout.delimiter);
      ++found;
      if (cursor.at == cursor.end || *cursor.at != layout.delimiter) break;
    }
  }
  const std::string name = layout.delimiter == '\t' ? "tab" : std::string(1, layout.delimiter);
  throw Error(fmt::format("{}, line {}: expected {} fields, found {}", cursor.path, line,
                          layout.roles.size(), found),
              fmt::format("every line needs the same number of fields, separated by '{}'", name));
}

enum class Parsed : std::uint8_t { all, needs_f64, found_text };

/// Parses all records into `store`. Text among the features is an error unless the table may be a
/// mixed one, which the caller then finds out.
Parsed parse_records(Contents& file, const CsvLayout& layout, bool may_be_mixed, ValueStore& store,
                     std::vector<std::string>& labels, std::vector<std::string>& row_names) {
  CsvCursor cursor = layout.data;
  const char delimiter = layout.delimiter;
  const std::size_t columns = layout.roles.size();
  const char* const begin = file.text().data();
  std::vector<double> row(layout.features);

  while (cursor.at != cursor.end) {
    if (const std::size_t line = cursor.line; skip_blank_line(cursor)) {
      while (cursor.at != cursor.end && skip_blank_line(cursor)) {
      }
      if (cursor.at == cursor.end) break;
      throw Error(fmt::format("{}, line {} is blank, but more rows follow", cursor.path, line),
                  "remove blank lines between the rows");
    }
    double* next = row.data();
    std::size_t column = 0;
    for (;;) {
      if (column == columns) ragged(cursor, layout, column);
      if (layout.roles[column] == CsvRole::value) {
        const char* stop = parse_digits(cursor.at, cursor.end, delimiter, *next);
        if (stop == cursor.at) stop = parse_simple(cursor.at, cursor.end, *next);
        if (stop != cursor.at && (stop == cursor.end || *stop == delimiter || at_newline(stop))) {
          cursor.at = stop;
        } else {
          const CsvField field = scan_field(cursor, delimiter);
          if (is_missing_token(field.text))
            *next = std::numeric_limits<double>::quiet_NaN();
          else if (!parse_cell(field.text, delimiter, *next)) {
            if (may_be_mixed) return Parsed::found_text;
            not_a_number(cursor, layout, column, field);
          }
        }
        ++next;
      } else {
        const CsvField field = scan_field(cursor, delimiter);
        if (layout.roles[column] == CsvRole::label) labels.push_back(to_string(field));
        if (layout.roles[column] == CsvRole::name) row_names.push_back(to_string(field));
        if (layout.roles[column] == CsvRole::text) {
          const std::string text = to_string(field);
          for (const std::string& value : layout.categories[column]) *next++ = text == value;
        }
      }
      ++column;
      if (!next_field(cursor, delimiter)) break;
    }
    if (column != columns) ragged(cursor, layout, column);
    skip_newline(cursor);
    if (!store.append(row)) return Parsed::needs_f64;

    file.release_before(static_cast<std::size_t>(cursor.at - begin));
  }
  return Parsed::all;
}

Dataset read_csv(const std::string& path, const ReadOptions& options) {
  CsvLayout layout;
  std::vector<std::string> labels, row_names;
  std::optional<ValueStore> store;
  bool use_f64 = false, settled = options.text == TextColumns::error, mixed = false;
  for (Parsed parsed{}; !store || parsed != Parsed::all;) {
    // Opened again for another pass: the text of the first is given back as it is read.
    Contents file(path);
    file.decode_utf16();
    layout = find_csv_layout(start_csv(file.text(), path), options);
    mixed |= !settled && looks_mixed(layout);
    if (mixed) settle_columns(layout, options.text);
    settled |= mixed;
    labels.clear();
    row_names.clear();
    store.emplace(layout.features, use_f64);
    parsed = parse_records(file, layout, !settled, *store, labels, row_names);
    use_f64 |= parsed == Parsed::needs_f64;
    mixed |= parsed == Parsed::found_text;
  }
  if (store->rows() == 0)
    throw Error(fmt::format("{} has no rows", path), "was it written completely?");

  Dataset data = store->finish();
  if (!layout.header.empty() || mixed) name_features(layout, data);
  data.row_names = std::move(row_names);
  data.table = std::move(layout.table);
  if (layout.has_label) data.labels = make_labels(labels);
  data.notes = std::move(layout.notes);
  data.decisions = std::move(layout.decisions);
  return data;
}

bool detect_csv(std::string_view head) {
  return std::none_of(head.begin(), head.end(), [](char c) {
    return static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n' && c != '\r';
  });
}

}  // namespace

const Format csv_format{
    .name = "csv",
    .summary = "text with one row per line: commas, tabs, semicolons, bars or blanks",
    .endings = kEndings,
    .detect = detect_csv,
    .read = read_csv,
    .write = write_csv,
    .writes_sparse = false,
    .reads_gzip = true};

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

bool is_missing_token(std::string_view text) {
  constexpr std::array<std::string_view, 11> kTokens{"",    "na",   "nan",  "null", "?",   "-",
                                                     "n/a", "none", "#n/a", "<na>", "-nan"};
  if (text.size() > 4) return false;
  return std::find(kTokens.begin(), kTokens.end(), lower_case(text)) != kTokens.end();
}

bool parse_cell(std::string_view text, char delimiter, double& value) {
  if (parse_number(text, value)) return true;
  if (text.size() == 4 || text.size() == 5) {
    const std::string lower = lower_case(text);
    value = lower == "true" ? 1 : 0;
    if (lower == "true" || lower == "false") return true;
  }
  const std::size_t comma = text.find(',');
  if (delimiter == ',' || comma == std::string_view::npos || text.find('.') != text.npos)
    return false;
  std::string pointed(text);
  pointed[comma] = '.';
  return parse_number(pointed, value);
}

bool parse_number(std::string_view text, double& value) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end || error == std::errc::invalid_argument) return false;
  // Too large or too small for a double: infinity or zero, as everywhere else.
  if (error == std::errc::result_out_of_range)
    value = std::strtod(std::string(text).c_str(), nullptr);
  return true;
}

std::vector<std::string> read_text_column(const std::string& path) {
  Contents file(path);
  file.decode_utf16();
  CsvCursor cursor = start_csv(file.text(), path);
  std::vector<std::string> texts;
  while (cursor.at != cursor.end) {
    const std::size_t line = cursor.line;
    if (skip_blank_line(cursor)) {
      while (cursor.at != cursor.end && skip_blank_line(cursor)) {
      }
      if (cursor.at == cursor.end) break;
      throw Error(fmt::format("{}, line {} is blank, but more labels follow", path, line),
                  "give one label per line");
    }
    texts.push_back(to_string(scan_field(cursor, ',')));
    if (cursor.at != cursor.end && *cursor.at == ',')
      throw Error(
          fmt::format("{}, line {} has several fields, but a file of labels has one", path, line),
          "give one label per line");
    skip_newline(cursor);
  }
  return texts;
}

std::vector<std::string> read_text_lines(const std::string& path) {
  const Contents file(path);
  std::vector<std::string> lines;
  for (std::string_view text = file.text(); !text.empty();) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    if (lines.back().ends_with('\r')) lines.back().pop_back();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

}  // namespace quickselection
