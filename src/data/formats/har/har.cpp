// src/data/formats/har/har.cpp: the folder of UCI's Human Activity Recognition data.
//
// X_train.txt holds numbers between blanks, y_train.txt one label a line, features.txt a number
// and a name a line. They stand side by side, or X and y in the folder train below the names. The
// folder test, with X_test.txt and y_test.txt, is read by its own name.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "data/formats/csv/csv.h"
#include "data/formats/format.h"
#include "data/formats/value_store.h"
#include "data/io/contents.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> find_file(const fs::path& folder, const char* name) {
  std::error_code ignored;
  for (const fs::path& place : {folder / name, folder / "train" / name})
    if (fs::is_regular_file(place, ignored)) return place.string();
  return std::nullopt;
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// The blank-separated numbers of one line, which ends at `end`.
void parse_line(std::string_view line, std::size_t number, const std::string& path,
                std::vector<double>& row) {
  row.clear();
  for (std::size_t at = 0;;) {
    while (at < line.size() && is_blank(line[at])) ++at;
    if (at == line.size()) return;
    const std::size_t begin = at;
    while (at < line.size() && !is_blank(line[at])) ++at;
    const std::string_view field = line.substr(begin, at - begin);
    double value = 0;
    if (!parse_number(field, value))
      throw Error(fmt::format("{}, line {}, column {}: '{}' is not a number", path, number,
                              row.size(), field.substr(0, 40)),
                  "numbers separated by blanks are needed");
    row.push_back(value);
  }
}

/// False when the values need f64.
bool parse_matrix(const std::string& path, bool use_f64, std::optional<ValueStore>& store) {
  Contents file(path);
  const std::string_view text = file.text();
  std::vector<double> row;
  std::size_t features = 0;
  for (std::size_t at = 0, number = 1; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    parse_line(text.substr(at, end - at), number, path, row);
    at = end + 1;
    if (row.empty()) {
      if (text.find_first_not_of(" \t\r\n", end) == std::string_view::npos) break;
      throw Error(fmt::format("{}, line {} is blank, but more rows follow", path, number),
                  "remove blank lines between the rows");
    }
    if (!store) {
      features = row.size();
      store.emplace(features, use_f64);
    }
    if (row.size() != features)
      throw Error(fmt::format("{}, line {}: expected {} numbers, found {}", path, number, features,
                              row.size()),
                  "was it written or copied completely?");
    if (!store->append(row)) return false;
    file.release_before(at);
  }
  if (!store) throw Error(fmt::format("{} has no rows", path), "was it written completely?");
  return true;
}

/// "17 tBodyAcc-energy()-X" becomes "tBodyAcc-energy()-X".
std::vector<std::string> read_names(const std::string& path) {
  std::vector<std::string> names;
  for (std::string& line : read_text_lines(path)) {
    const std::size_t blank = line.find(' ');
    const bool numbered =
        blank != std::string::npos && blank == line.find_first_not_of("0123456789");
    names.push_back(numbered ? line.substr(blank + 1) : std::move(line));
  }
  return names;
}

Dataset read_har(const std::string& path, const ReadOptions& options) {
  const fs::path folder(path);
  auto matrix = find_file(folder, "X_train.txt");
  const bool test = !matrix;
  if (test) matrix = find_file(folder, "X_test.txt");
  if (!matrix)
    throw Error(fmt::format("{} holds no X_train.txt", path), "name the folder of UCI's HAR data");
  std::optional<ValueStore> store;
  if (!parse_matrix(*matrix, false, store)) {
    store.reset();
    (void)parse_matrix(*matrix, true, store);
  }
  Dataset data = store->finish();
  data.source = path;
  if (const auto names = find_file(folder, "features.txt")) {
    data.names = read_names(*names);
    if (data.names.size() != data.features())
      throw Error(fmt::format("{} has {} names, but {} has {} features", *names, data.names.size(),
                              *matrix, data.features()),
                  "give one name per line");
  }
  const auto labels = find_file(folder, test ? "y_test.txt" : "y_train.txt");
  if (labels && options.label.empty()) {
    const std::vector<std::string> texts = read_text_lines(*labels);
    if (texts.size() != data.rows())
      throw Error(fmt::format("{} has {} labels, but {} has {} rows", *labels, texts.size(),
                              *matrix, data.rows()),
                  "give one label per row, in the same order");
    data.labels = make_labels(texts);
    data.notes.push_back(
        fmt::format("{} is taken as the labels (‹label none› to do without)", *labels));
  }
  return data;
}

bool detect_folder(const std::string& path) {
  return find_file(path, "X_train.txt") || find_file(path, "X_test.txt");
}

}  // namespace

const Format har_format{
    .name = "har",
    .summary = "folder of UCI's HAR data: X_train.txt, y_train.txt, features.txt",
    .endings = {},
    .detect = [](std::string_view) { return false; },
    .read = read_har,
    .detect_folder = detect_folder};

}  // namespace quickselection
