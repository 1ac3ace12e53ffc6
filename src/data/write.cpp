// src/data/write.cpp: see write.h.
#include "data/write.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/atomic_file.h"
#include "data/format.h"
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

void check_dataset_writable(const std::string& path) {
  writable_format(path);
  check_writable(path);
}

void write_dataset(const std::string& path, const Dataset& data,
                   std::span<const std::size_t> columns) {
  const Format& format = writable_format(path);
  if (columns.empty()) throw InvalidArgument(fmt::format("no columns to write to {}", path));
  std::vector<std::size_t> ordered(columns.begin(), columns.end());
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
  std::vector<std::size_t> all(data.features());
  std::iota(all.begin(), all.end(), std::size_t{0});
  write_dataset(path, data, all);
}

}  // namespace quickselection
