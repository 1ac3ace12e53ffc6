// src/data/formats/read.cpp: chooses the format of a file, reads it, adds labels from another file.
#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "data/dataset/missing.h"
#include "data/formats/array.h"
#include "data/formats/csv/csv.h"
#include "data/formats/format.h"
#include "data/io/gzip.h"
#include "data/io/mapped_file.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr std::array kFormats{&npy_format,  &npz_format,      &mat_format, &idx_format,
                              &hdf5_format, &h5ad_format,     &mtx_format, &tenx_format,
                              &har_format,  &svmlight_format, &csv_format};
constexpr std::size_t kHeadBytes = 4096;
constexpr std::string_view kGzipEnding = ".gz";

const Format& choose_format(const std::string& path, const std::string& wanted) {
  if (!wanted.empty()) {
    for (const Format* format : formats())
      if (format->name == wanted) return *format;
    throw InvalidArgument(fmt::format("there is no format '{}'", wanted),
                          "known formats: " + list_formats());
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    for (const Format* format : formats())
      if (format->detect_folder != nullptr && format->detect_folder(path)) return *format;
    throw Error(fmt::format("cannot read {}: it is a folder, and not one of known contents", path),
                "name a file in it");
  }
  if (const Format* format = format_by_ending(path)) return *format;
  const MappedFile file(path);
  std::string_view head = file.text().substr(0, kHeadBytes);
  const bool gzip = is_gzip(head);
  const std::string inflated = gzip ? gunzip_head(file.text(), kHeadBytes) : "";
  if (gzip) head = inflated;
  for (const Format* format : formats())
    if ((!gzip || format->reads_gzip) && format->detect(head)) return *format;
  throw Error(fmt::format("cannot tell the format of {} from its ending or its content", path),
              "name it with ‹format›; known formats: " + list_formats());
}

std::vector<std::string> label_texts(const std::string& path) {
  if (choose_format(path, "").name == csv_format.name) return read_text_column(path);
  ReadOptions plain;
  plain.label = "none";
  const Dataset column = read(path, plain);
  if (column.features() != 1)
    throw Error(
        fmt::format("{} has {} columns, but a file of labels has one", path, column.features()),
        "give one label per row");
  return number_texts(column);
}

void add_labels(Dataset& data, const std::string& path) {
  std::vector<std::string> texts = label_texts(path);
  if (texts.size() == data.rows() + 1) {
    data.notes.push_back(
        fmt::format("the first line of {} ('{}') is taken as its header", path, texts.front()));
    texts.erase(texts.begin());
  }
  if (texts.size() != data.rows())
    throw Error(fmt::format("{} has {} labels, but {} has {} rows", path, texts.size(), data.source,
                            data.rows()),
                "give one label per row, in the same order");
  data.labels = make_labels(texts);
}

}  // namespace

std::span<const Format* const> formats() { return kFormats; }

const Format* format_by_ending(std::string_view path) {
  std::string lower = lower_case(path);
  const bool gzip = lower.ends_with(kGzipEnding);
  if (gzip) lower.resize(lower.size() - kGzipEnding.size());
  for (const Format* format : formats())
    for (std::string_view ending : format->endings)
      if ((!gzip || format->reads_gzip) && lower.ends_with(ending)) return format;
  return nullptr;
}

std::string list_formats() {
  std::string list;
  for (const Format* format : formats())
    list += fmt::format(
        "{}{} ({}{})", list.empty() ? "" : ", ", format->name,
        format->endings.empty() ? "a folder" : fmt::format("{}", fmt::join(format->endings, ", ")),
        format->reads_gzip ? "; .gz too" : "");
  return list;
}

Dataset read(const std::string& path, const ReadOptions& options) {
  ReadOptions inner = options;
  std::error_code ignored;
  const bool label_file =
      !options.label.empty() && std::filesystem::is_regular_file(options.label, ignored);
  if (label_file) inner.label = "none";

  Dataset data = choose_format(path, options.format).read(path, inner);
  data.source = path;
  if (label_file) add_labels(data, options.label);
  if (options.rows) {
    const std::size_t end = options.rows->end == SIZE_MAX ? data.rows() : options.rows->end;
    data = data.slice_rows(options.rows->begin, end);
  }
  treat_missing(data, options.missing);
  return data;
}

}  // namespace quickselection
