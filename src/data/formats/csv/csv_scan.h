// src/data/formats/csv/csv_scan.h: the grammar of CSV: fields, quotes, records, delimiter.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace quickselection {

/// Where the scanner stands. `line` counts from 1, as editors do.
struct CsvCursor {
  const char* at = nullptr;
  const char* end = nullptr;
  std::size_t line = 1;
  std::string_view path;  ///< for messages
};

/// The text between the delimiters, without surrounding blanks and quotes.
/// A quoted field may still hold doubled quotes: see to_string.
struct CsvField {
  std::string_view text;
  bool quoted = false;
};

std::string to_string(const CsvField& field);

inline bool at_newline(const char* at) { return *at == '\n' || *at == '\r'; }

/// Reads one field and stops at the delimiter, the newline or the end. Throws Error for a quote
/// that is not closed or is followed by text.
CsvField scan_field(CsvCursor& cursor, char delimiter);

/// Steps over LF, CRLF or CR; does nothing at the end.
inline void skip_newline(CsvCursor& cursor) {
  if (cursor.at == cursor.end) return;
  if (*cursor.at == '\r') ++cursor.at;
  if (cursor.at != cursor.end && *cursor.at == '\n') ++cursor.at;
  ++cursor.line;
}

/// Steps over a line that holds nothing but blanks; false when the line is not blank.
bool skip_blank_line(CsvCursor& cursor);

/// At the end of a field: steps over the delimiter and says whether another field follows. Blanks
/// as delimiters count once, and those at the end of a line do not count.
inline bool next_field(CsvCursor& cursor, char delimiter) {
  if (cursor.at == cursor.end || *cursor.at != delimiter) return false;
  ++cursor.at;
  if (delimiter != ' ') return true;
  while (cursor.at != cursor.end && *cursor.at == ' ') ++cursor.at;
  return cursor.at != cursor.end && !at_newline(cursor.at);
}

/// All fields of a record, newline included.
std::vector<CsvField> scan_record(CsvCursor& cursor, char delimiter);

/// Comma, tab, semicolon or bar: the one that cuts the first two records into equally many fields.
/// A comma gives way to the others, because it may be a decimal comma. Blanks when there is none.
char find_delimiter(CsvCursor cursor);

/// Starts at the text's first record: steps over a byte order mark and a spreadsheet's "sep=;".
CsvCursor start_csv(std::string_view text, std::string_view path);

}  // namespace quickselection
