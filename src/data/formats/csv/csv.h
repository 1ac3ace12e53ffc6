// src/data/formats/csv/csv.h: what others use of the CSV reader and writer.
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace quickselection {

/// A file with one text per line, such as labels. Throws Error when a line has several fields.
std::vector<std::string> read_text_column(const std::string& path);

/// The lines of a text file without their line ends; blank lines at the end do not count.
std::vector<std::string> read_text_lines(const std::string& path);

/// A field that reads back as `text`: in quotes when it must be.
std::string csv_field(const std::string& text, char delimiter = ',');

/// Appends a number that reads back to the same value.
template <class T>
void append_number(std::string& text, const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(value)) {
      text += "NaN";
      return;
    }
  }
  char digits[64];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

/// The same for a table that people open in spreadsheets: what one would take for a formula begins
/// with an apostrophe. Numbers stay numbers.
std::string spreadsheet_field(const std::string& text);
/// The text of such a field.
std::string_view without_apostrophe(std::string_view text);

/// With small letters, of the Latin alphabet.
std::string lower_case(std::string_view text);

/// True for the tokens that stand for a missing value: nothing, NA, N/A, NaN, null, none, ?, -
/// (any case).
bool is_missing_token(std::string_view text);

/// True when the text is a number in the way the reader understands numbers; sets `value`.
bool parse_number(std::string_view text, double& value);

/// The same for a cell of a table: true and false are 1 and 0, and where the comma does not
/// separate cells it is a decimal comma.
bool parse_cell(std::string_view text, char delimiter, double& value);

}  // namespace quickselection
