// src/data/formats/csv/csv.h: what other readers use of the CSV reader.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "quickselection/dataset.h"

namespace quickselection {

/// A file with one text per line, such as labels. Throws Error when a line has several fields.
std::vector<std::string> read_text_column(const std::string& path);

/// The lines of a text file without their line ends; blank lines at the end do not count.
std::vector<std::string> read_text_lines(const std::string& path);

/// A field that reads back as `text`: in quotes when it must be.
std::string csv_field(const std::string& text, char delimiter = ',');

/// With small letters, of the Latin alphabet.
std::string lower_case(std::string_view text);

/// True for the tokens that stand for a missing value: "", NA, NaN, null, ? (any case).
bool is_missing_token(std::string_view text);

/// True when the text is a number in the way the reader understands numbers; sets `value`.
bool parse_number(std::string_view text, double& value);

}  // namespace quickselection
