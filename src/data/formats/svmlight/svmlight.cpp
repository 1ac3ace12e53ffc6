// src/data/formats/svmlight/svmlight.cpp: svmlight and libsvm files: a label and column:value pairs
// on each line.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/files/atomic_file.h"
#include "data/dataset/sparse.h"
#include "data/dataset/subset.h"
#include "data/formats/csv/csv.h"
#include "data/formats/format.h"
#include "data/formats/value_store.h"
#include "data/io/contents.h"
#include "data/io/decimal.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr std::array<std::string_view, 4> kEndings{".svm", ".svmlight", ".libsvm", ".libsvm.txt"};
/// Begins a first line that names the features, between tabs. Other programs skip it.
constexpr std::string_view kNamesComment = "# features:";
constexpr const char* kHint = "lines look like: label column:value column:value # comment";

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

struct Entries {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
  std::vector<std::string> labels, names;
};

constexpr std::string_view kEscaped = "\\\t\r\n", kEscapes = "\\trn";

/// Names stand between tabs in one line: what would end them is written as in C.
void append_name(std::string& line, std::string_view name) {
  for (const char c : name) {
    const std::size_t which = kEscaped.find(c);
    if (which == std::string_view::npos)
      line += c;
    else
      line.append({'\\', kEscapes[which]});
  }
}

std::string name_in(std::string_view text) {
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t which = text[i] == '\\' && i + 1 < text.size() ? kEscapes.find(text[i + 1])
                                                                     : std::string_view::npos;
    name += which == std::string_view::npos ? text[i] : (++i, kEscaped[which]);
  }
  return name;
}

/// The writer here names the features in the file's first line, between tabs.
std::vector<std::string> parse_names(std::string_view line) {
  std::vector<std::string> names;
  if (!line.starts_with(kNamesComment)) return names;
  line.remove_prefix(kNamesComment.size());
  if (line.ends_with('\r')) line.remove_suffix(1);
  while (line.starts_with('\t')) {
    line.remove_prefix(1);
    const std::size_t end = std::min(line.find('\t'), line.size());
    names.push_back(name_in(line.substr(0, end)));
    line.remove_prefix(end);
  }
  return names;
}

/// One line at a time, from blank to blank.
class LineParser {
 public:
  LineParser(const std::string& path, std::size_t number, std::string_view line)
      : path_(path), number_(number), at_(line.data()), end_(line.data() + line.size()) {}

  void parse(Entries& entries) {
    entries.labels.emplace_back(label());
    for (;;) {
      skip_blanks();
      if (at_ == end_) break;
      pair(entries);
    }
    entries.offsets.push_back(entries.columns.size());
  }

 private:
  void skip_blanks() {
    while (at_ != end_ && is_blank(*at_)) ++at_;
  }
  [[noreturn]] void fail(const char* from, const std::string& what) const {
    const char* const stop = std::find_if(from, end_, is_blank);
    const std::string_view word(from, static_cast<std::size_t>(stop - from));
    throw Error(fmt::format("{}, line {}: '{}' {}", path_, number_, word.substr(0, 40), what),
                kHint);
  }
  std::string_view label() {
    skip_blanks();
    const char* const begin = at_;
    at_ = std::find_if(at_, end_, is_blank);
    const std::string_view word(begin, static_cast<std::size_t>(at_ - begin));
    if (word.find(',') != std::string_view::npos)
      fail(begin, "gives a row several labels, but each row has one");
    double number = 0;
    if (!parse_number(word, number)) fail(begin, "is not a label: a number is needed");
    return word.starts_with('+') ? word.substr(1) : word;
  }
  void pair(Entries& entries) {
    const char* const begin = at_;
    const char* const colon =
        std::find_if(at_, end_, [](char c) { return c == ':' || is_blank(c); });
    if (colon == end_ || *colon != ':') fail(begin, "is not column:value");
    const std::string_view key(begin, static_cast<std::size_t>(colon - begin));
    at_ = colon + 1;
    if (key == "qid") {  // groups rows for ranking tasks: nothing for us
      at_ = std::find_if(at_, end_, is_blank);
      return;
    }
    std::uint32_t column = 0;
    const auto [stop, error] = std::from_chars(begin, colon, column);
    if (error != std::errc() || stop != colon) fail(begin, "does not begin with a column's number");
    double value = 0;
    const char* after = parse_simple(at_, end_, value);
    if (after == at_ || (after != end_ && !is_blank(*after))) {
      after = std::find_if(at_, end_, is_blank);
      const std::string_view word(at_, static_cast<std::size_t>(after - at_));
      if (is_missing_token(word))
        value = std::numeric_limits<double>::quiet_NaN();
      else if (!parse_number(word, value))
        fail(begin, "does not end with a number");
    }
    at_ = after;
    entries.columns.push_back(column);
    entries.values.push_back(value);
  }

  const std::string& path_;
  std::size_t number_;
  const char* at_;
  const char* end_;
};

Entries parse_lines(Contents& file, const std::string& path) {
  const std::string_view text = file.text();
  Entries entries;
  for (std::size_t at = 0, number = 1; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (at == 0) entries.names = parse_names(line);
    line = line.substr(0, line.find('#'));
    if (!std::all_of(line.begin(), line.end(), is_blank))
      LineParser(path, number, line).parse(entries);
    at = end + 1;
    file.release_before(at);
  }
  if (entries.labels.empty())
    throw Error(fmt::format("{} has no rows", path), "was it written completely?");
  return entries;
}

/// Columns are counted from 0 when one of them is 0, else from 1.
std::size_t settle_columns(Entries& entries, const ReadOptions& options, const std::string& path,
                           std::vector<std::string>& notes) {
  if (entries.columns.empty() && entries.names.empty() && options.features == 0)
    throw Error(fmt::format("{} holds no values", path),
                "‹features N› says how many columns it has");
  std::uint32_t least = 0, most = 0;
  if (!entries.columns.empty()) {
    const auto [low, high] = std::minmax_element(entries.columns.begin(), entries.columns.end());
    least = *low;
    most = *high;
  }
  const std::uint32_t base = least > 0 ? 1 : 0;
  for (std::uint32_t& column : entries.columns) column -= base;
  if (least > 1)
    notes.push_back(
        fmt::format("columns are counted from 1: the first one that is used is {}", least));
  const std::size_t needed = entries.columns.empty() ? 0 : std::size_t{most} - base + 1;
  if (options.features == 0) return std::max(needed, entries.names.size());
  if (options.features < needed)
    throw InvalidArgument(fmt::format("‹features› is {}, but {} has values in {} columns",
                                      options.features, path, needed),
                          fmt::format("columns are counted from {} in this file", base));
  return options.features;
}

Dataset read_svmlight(const std::string& path, const ReadOptions& options) {
  auto entries = std::make_shared<Entries>();
  std::size_t bytes = 0;
  {
    Contents file(path);
    bytes = file.size();
    *entries = parse_lines(file, path);
  }
  std::vector<std::string> notes;
  const std::size_t features = settle_columns(*entries, options, path, notes);
  if (options.features == 0) check_sparse_shape(entries->labels.size(), features, bytes, path);
  const ValueType type = smallest_type(entries->values);
  narrow(entries->values, type);
  constexpr std::size_t kWord = sizeof(double);
  entries->values.resize((entries->columns.size() * size_of(type) + kWord - 1) / kWord);
  entries->values.shrink_to_fit();
  const SparseLines lines{entries->offsets, entries->columns,
                          reinterpret_cast<const std::byte*>(entries->values.data()), type};
  Dataset data = sparse_by_rows(lines, features, entries, path);
  data.notes = std::move(notes);
  if (entries->names.size() == features) data.names = std::move(entries->names);
  if (options.label.empty()) {
    data.labels = make_labels(entries->labels);
    // Files without labels have zeros there.
    if (data.labels->classes.size() == 1) data.labels.reset();
  } else if (options.label != "none") {
    throw InvalidArgument(fmt::format("‹label› is '{}', but the labels of {} stand in front of its "
                                      "rows",
                                      options.label, path),
                          "leave it out, or give none or a file of labels");
  }
  std::vector<std::string>().swap(entries->labels);
  return data;
}

/// Columns are counted from 1, as most programs expect; zeros are left out. Labels must be numbers:
/// others are written as their class's number.
void write_svmlight(const std::string& path, const Dataset& data,
                    std::span<const std::uint32_t> columns) {
  AtomicFile file(path);
  std::string line;
  if (!data.names.empty()) {
    line = kNamesComment;
    for (const std::uint32_t column : columns) append_name(line += '\t', data.names[column]);
    file.write(line + '\n');
  }
  std::vector<std::string> labels;
  if (data.labels) labels = number_labels(*data.labels).texts;
  SelectedRows rows(data, columns);
  std::vector<std::byte> dense(data.is_sparse() ? 0 : rows.row_bytes());
  visit_type(data.type(), [&]<class T>() {
    const auto put = [&](std::size_t column, const std::byte* at) {
      T value;
      std::memcpy(&value, at, sizeof value);
      if (value == T{0}) return;
      line += fmt::format(" {}:", column + 1);
      append_number<T>(line, at);
    };
    for (std::size_t r = 0; r < data.rows(); ++r) {
      line = data.labels ? labels[static_cast<std::size_t>(data.labels->codes[r])] : "0";
      if (data.is_sparse()) {
        const SelectedRows::Stored row = rows.stored_row(r);
        for (std::size_t i = 0; i < row.columns.size(); ++i)
          put(row.columns[i], row.values + i * sizeof(T));
      } else {
        rows.copy_row(r, dense.data());
        for (std::size_t i = 0; i < columns.size(); ++i) put(i, dense.data() + i * sizeof(T));
      }
      file.write(line + '\n');
    }
  });
  file.commit();
}

bool detect_svmlight(std::string_view head) {
  const bool whole_line = head.find('\n') != std::string_view::npos;
  for (std::size_t at = 0; at < head.size();) {
    const std::size_t end = std::min(head.find('\n', at), head.size());
    std::string_view line = head.substr(at, end - at);
    if (end == head.size() && whole_line) return false;
    at = end + 1;
    line = line.substr(0, line.find('#'));
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) continue;
    const std::size_t blank = line.find_first_of(" \t", begin);
    if (blank == std::string_view::npos) continue;  // a row without values
    double label = 0;
    if (!parse_number(line.substr(begin, blank - begin), label)) return false;
    const std::size_t pair = line.find_first_not_of(" \t\r", blank);
    if (pair == std::string_view::npos) continue;
    const std::size_t colon = line.find_first_not_of("0123456789qid", pair);
    return colon != std::string_view::npos && colon > pair && line[colon] == ':';
  }
  return false;
}

}  // namespace

const Format svmlight_format{.name = "svmlight",
                             .summary = "svmlight or libsvm: label column:value ... on each line",
                             .endings = kEndings,
                             .detect = detect_svmlight,
                             .read = read_svmlight,
                             .write = write_svmlight,
                             .reads_gzip = true};

}  // namespace quickselection
