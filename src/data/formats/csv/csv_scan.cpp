// src/data/formats/csv/csv_scan.cpp: see csv_scan.h.
#include "data/formats/csv/csv_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "quickselection/error.h"

namespace quickselection {
namespace {

[[noreturn]] void bad_quote(const CsvCursor& cursor, std::size_t line, const char* what) {
  throw Error(fmt::format("{}, line {}: {}", cursor.path, line, what),
              "write a quote inside a quoted field twice");
}

bool is_blank(char c, char delimiter) { return (c == ' ' || c == '\t') && c != delimiter; }

}  // namespace

std::string to_string(const CsvField& field) {
  std::string text(field.text);
  if (!field.quoted) return text;
  for (std::size_t at = 0; (at = text.find("\"\"", at)) != std::string::npos; ++at)
    text.erase(at, 1);
  return text;
}

CsvField scan_field(CsvCursor& cursor, char delimiter) {
  const char* at = cursor.at;
  const char* const end = cursor.end;
  while (at != end && (*at == ' ' || is_blank(*at, delimiter))) ++at;

  if (at != end && *at == '"') {
    const char* const begin = ++at;
    const std::size_t first_line = cursor.line;
    for (;; ++at) {
      at = static_cast<const char*>(std::memchr(at, '"', static_cast<std::size_t>(end - at)));
      if (at == nullptr) bad_quote(cursor, first_line, "a quote is never closed");
      if (at + 1 == end || at[1] != '"') break;
      ++at;
    }
    const CsvField field{{begin, static_cast<std::size_t>(at - begin)}, true};
    cursor.line += static_cast<std::size_t>(std::count(begin, at, '\n'));
    for (++at; at != end && is_blank(*at, delimiter);) ++at;
    if (at != end && *at != delimiter && !at_newline(at))
      bad_quote(cursor, cursor.line, "there is text after a closing quote");
    cursor.at = at;
    return field;
  }

  const char* const begin = at;
  while (at != end && *at != delimiter && !at_newline(at)) ++at;
  cursor.at = at;
  while (at != begin && is_blank(at[-1], delimiter)) --at;
  return {{begin, static_cast<std::size_t>(at - begin)}, false};
}

bool skip_blank_line(CsvCursor& cursor) {
  const char* at = cursor.at;
  while (at != cursor.end && *at == ' ') ++at;
  if (at != cursor.end && !at_newline(at)) return false;
  cursor.at = at;
  skip_newline(cursor);
  return true;
}

std::vector<CsvField> scan_record(CsvCursor& cursor, char delimiter) {
  std::vector<CsvField> fields;
  for (;;) {
    fields.push_back(scan_field(cursor, delimiter));
    if (!next_field(cursor, delimiter)) break;
  }
  skip_newline(cursor);
  return fields;
}

char find_delimiter(CsvCursor cursor) {
  // Quotes are skipped by hand: scan_field needs the delimiter that is looked for.
  constexpr std::array<char, 4> kDelimiters{'\t', ';', '|', ','};
  const CsvCursor start = cursor;
  std::array<std::array<std::size_t, kDelimiters.size()>, 2> counts{};
  std::size_t records = 0;
  for (; records < counts.size() && cursor.at != cursor.end; ++records) {
    bool quoted = false;
    for (; cursor.at != cursor.end && (quoted || !at_newline(cursor.at)); ++cursor.at) {
      if (*cursor.at == '"') quoted = !quoted;
      for (std::size_t d = 0; d < kDelimiters.size() && !quoted; ++d)
        counts[records][d] += *cursor.at == kDelimiters[d];
    }
    skip_newline(cursor);
  }
  for (std::size_t d = 0; d < kDelimiters.size(); ++d)
    if (counts[0][d] > 0 && (records < 2 || counts[0][d] == counts[1][d])) return kDelimiters[d];
  const auto most = std::max_element(counts[0].begin(), counts[0].end());
  if (*most == 0) {
    cursor = start;
    const std::size_t words = scan_record(cursor, ' ').size();
    return words > 1 && (records < 2 || scan_record(cursor, ' ').size() == words) ? ' ' : ',';
  }
  return kDelimiters[static_cast<std::size_t>(most - counts[0].begin())];
}

CsvCursor start_csv(std::string_view text, std::string_view path) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  CsvCursor cursor{text.data(), text.data() + text.size(), 1, path};
  if (text.starts_with("sep=") && text.size() > 6 && at_newline(cursor.at + 5)) {
    cursor.at += 5;
    skip_newline(cursor);
  }
  return cursor;
}

}  // namespace quickselection
