// src/data/formats/write.cpp: see write.h.
#include "data/formats/write.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/files/atomic_file.h"
#include "core/iota.h"
#include "data/formats/csv/csv.h"
#include "data/formats/format.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

std::string list_writable() {
  std::string list;
  for (const Format* format : formats()) {
    if (format->write == nullptr) continue;
    for (std::string_view ending : format->endings)
      list += fmt::format("{}{}", list.empty() ? "" : ", ", ending);
  }
  return list;
}

const Format& writable_format(const std::string& path) {
  const Format* const format = format_by_ending(path);
  const bool gzip = path.ends_with(".gz");
  if (gzip && format != nullptr)
    throw InvalidArgument(fmt::format("cannot write {}: compressed text is only read", path),
                          "leave out .gz and compress the file afterwards");
  if (format == nullptr || format->write == nullptr)
    throw InvalidArgument(fmt::format("cannot tell in which format to write {}", path),
                          "give it one of these endings: " + list_writable());
  return *format;
}

}  // namespace

std::vector<std::string> names_of(const Dataset& data, std::span<const std::uint32_t> columns) {
  std::vector<std::string> names;
  if (!data.names.empty())
    for (const std::uint32_t column : columns) names.push_back(data.names[column]);
  return names;
}

std::vector<std::string> texts_of(const Labels& labels) {
  std::vector<std::string> texts;
  for (const std::int32_t code : labels.codes)
    texts.push_back(labels.classes[static_cast<std::size_t>(code)]);
  return texts;
}

NumberLabels number_labels(const Labels& labels) {
  NumberLabels numbers;
  for (const std::string& name : labels.classes) {
    double value = 0;
    numbers.as_they_are &= parse_number(name, value) && std::isfinite(value);
    numbers.values.push_back(value);
  }
  numbers.texts = labels.classes;
  if (numbers.as_they_are) return numbers;
  for (std::size_t c = 0; c < labels.classes.size(); ++c) {
    numbers.values[c] = static_cast<double>(c);
    numbers.texts[c] = std::to_string(c);
  }
  return numbers;
}

void check_dataset_writable(const std::string& path) {
  const Format& format = writable_format(path);
  if (!format.writes_in_order && is_stream_output(path))
    throw Error(fmt::format("cannot write {}: {} is not written in order, as a pipe or a device "
                            "needs it",
                            path, format.name),
                "name a file instead");
  check_writable(path);
}

std::vector<std::string> write_notes(const std::string& path, const Dataset& data) {
  const Format& format = writable_format(path);
  std::vector<std::string> notes;
  if (!format.writes_names && !data.names.empty())
    notes.push_back(fmt::format("{} has no place for the features' names", path));
  if (!format.writes_labels && data.labels)
    notes.push_back(fmt::format("{} has no place for the labels", path));
  if (!format.writes_sparse && data.is_sparse())
    notes.push_back(
        fmt::format("{} stores all {} values, zeros too", path, data.rows() * data.features()));
  if (format.name == svmlight_format.name && data.labels &&
      !number_labels(*data.labels).as_they_are)
    notes.push_back(fmt::format("{} has numbers for labels: 0 is '{}', and so on", path,
                                data.labels->classes.front()));
  return notes;
}

void write_labels(const std::string& path, const Labels& labels) {
  std::string text;
  for (const std::string& label : texts_of(labels)) text += label + "\n";
  write_file(path, text);
}

void write_dataset(const std::string& path, const Dataset& data,
                   std::span<const std::uint32_t> columns) {
  const Format& format = writable_format(path);
  if (columns.empty()) throw InvalidArgument(fmt::format("no columns to write to {}", path));
  std::vector<std::uint32_t> ordered(columns.begin(), columns.end());
  std::sort(ordered.begin(), ordered.end());
  if (ordered.back() >= data.features())
    throw InvalidArgument(
        fmt::format("column {} is not one of the {} columns", ordered.back(), data.features()),
        "columns are counted from 0");
  const auto twice = std::adjacent_find(ordered.begin(), ordered.end());
  if (twice != ordered.end())
    throw InvalidArgument(fmt::format("column {} is given twice", *twice));
  format.write(path, data, ordered);
}

void write_dataset(const std::string& path, const Dataset& data) {
  write_dataset(path, data, iota(data.features()));
}

}  // namespace quickselection
