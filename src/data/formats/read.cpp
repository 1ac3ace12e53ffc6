// src/data/formats/read.cpp: chooses the format of a file, reads it or several, adds labels from
// another file.
#include <fmt/format.h>

#include <array>
#include <deque>
#include <filesystem>
#include <new>

#include "core/processes/memory_bound.h"
#include "core/text/visible.h"
#include "data/dataset/find_column.h"
#include "data/dataset/missing.h"
#include "data/dataset/subset.h"
#include "data/formats/arrays.h"
#include "data/formats/csv/csv.h"
#include "data/formats/csv/csv_columns.h"
#include "data/formats/format.h"
#include "data/formats/parts.h"
#include "data/io/gzip.h"
#include "data/io/mapped_file.h"
#include "data/io/spooled_stream.h"
#include "data/io/unicode.h"
#include "quickselection/error.h"
#include "quickselection/summary.h"

namespace quickselection {
namespace {

constexpr std::array kFormats{&npy_format,  &npz_format,  &arrow_format,    &mat_format,
                              &idx_format,  &hdf5_format, &h5ad_format,     &mtx_format,
                              &tenx_format, &har_format,  &svmlight_format, &csv_format};
constexpr std::size_t kHeadBytes = 4096;
constexpr std::string_view kGzipEnding = ".gz";

void refuse_spreadsheet(const std::string& path) {
  const std::string lower = lower_case(path);
  for (const std::string_view ending : {".xlsx", ".xlsm", ".xls", ".ods"})
    if (lower.ends_with(ending))
      throw Error(fmt::format("{} is a spreadsheet, which cannot be read", path),
                  "save it as CSV in the spreadsheet program, or in Python: "
                  "pandas.read_excel(…).to_csv(…, index=False)");
}

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
  }
  if (const Format* format = format_by_ending(path)) return *format;
  refuse_spreadsheet(path);
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

void keep_columns(Dataset& data, const ReadOptions& options) {
  const std::vector<bool> kept = kept_columns(options, data.names, data.features());
  std::vector<std::uint32_t> columns;
  for (std::uint32_t f = 0; f < kept.size(); ++f)
    if (kept[f]) columns.push_back(f);
  if (columns.size() == data.features() || kept.empty()) return;
  if (columns.empty())
    throw Error(fmt::format("{} has no column left for features", data.source),
                "‹columns› and ‹drop› leave none");
  if (data.names.empty())  // so that a column keeps its number
    for (std::size_t f = 0; f < data.features(); ++f) data.names.push_back(std::to_string(f));
  data = copy_columns(data, columns);
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

namespace {

/// Reads the file, and says `path` where a message names the copy of a stream.
Dataset read_named(const std::string& file, const std::string& path, const ReadOptions& options) {
  const auto renamed = [&](std::string text) {
    const std::string shown = path == "-" ? "standard input" : path;
    if (file == path) return text;
    for (std::size_t at = 0; (at = text.find(file, at)) != std::string::npos; at += shown.size())
      text.replace(at, file.size(), shown);
    return text;
  };
  try {
    const Format& format = choose_format(file, options.format);
    Dataset data = format.read(file, options);
    data.source = path;
    // These leave columns out while they are read: they need not be numbers.
    if (format.name != csv_format.name && format.name != arrow_format.name)
      keep_columns(data, options);
    return data;
  } catch (const Error& error) {
    throw Error(renamed(error.what()), error.hint());
  }
}

/// Names and classes become UTF-8: others could not show them, Python not even take them.
void settle_letters(Dataset& data) {
  bool latin1 = false;
  const auto settle = [&](std::vector<std::string>& texts) {
    for (std::string& text : texts) {
      if (is_utf8(text)) continue;
      text = latin1_to_utf8(text);
      latin1 = true;
    }
  };
  settle(data.names);
  if (data.labels) settle(data.labels->classes);
  for (std::string& note : data.notes) note = visible(note, true);
  for (std::string& note : data.decisions) note = visible(note, true);
  if (latin1) data.notes.emplace_back("its texts are not UTF-8; they are taken as Latin-1");
}

/// A path that can be opened twice: of a stream a copy, as long as this lives.
struct Openable {
  explicit Openable(const std::string& given) : path(given), file(given) {
    if (!is_stream(given)) return;
    copy.emplace(given);
    file = copy->path();
  }
  std::string path, file;
  std::optional<SpooledStream> copy;
};

/// The files of a data set, and what messages call it.
struct Source {
  Source(std::span<const std::string> paths, const ReadOptions& options)
      : name(paths.size() == 1 ? paths[0]
                               : fmt::format("{} and {} more", paths[0], paths.size() - 1)) {
    PartFiles found = find_parts(paths, options.format);
    for (const std::string& path : found.files) files.emplace_back(path);
    notes = std::move(found.notes);
  }
  std::string name;
  std::deque<Openable> files;
  std::vector<std::string> notes;
};

Dataset read_all(const Source& source, const ReadOptions& options) {
  ReadOptions inner = options;
  std::error_code ignored;
  const bool label_file =
      !options.label.empty() && std::filesystem::is_regular_file(options.label, ignored);
  if (label_file) inner.label = "none";

  std::vector<Dataset> parts;
  for (const Openable& part : source.files) {
    parts.push_back(read_named(part.file, part.path, inner));
    if (options.transpose) parts.back() = transposed(parts.back());
  }
  Dataset data = join(std::move(parts));
  data.source = source.name;
  data.notes.insert(data.notes.end(), source.notes.begin(), source.notes.end());
  if (label_file) add_labels(data, options.label);
  settle_letters(data);
  if (data.labels) take_labels_as(*data.labels, options.task);
  if (options.rows) {
    const std::size_t end = options.rows->end == SIZE_MAX ? data.rows() : options.rows->end;
    data = data.slice_rows(options.rows->begin, end);
  }
  treat_missing(data, options.missing);
  return data;
}

/// All columns of a text table; nothing when it is none, or cannot even be looked at.
std::optional<TableLook> look_at(const Source& source, const ReadOptions& options) {
  if (options.transpose || source.files.size() > 1) return std::nullopt;
  const std::string& file = source.files.front().file;
  try {
    if (choose_format(file, options.format).name != csv_format.name) return std::nullopt;
    ReadOptions inner = options;
    std::error_code ignored;
    if (std::filesystem::is_regular_file(options.label, ignored)) inner.label = "none";
    return look_at_csv(file, inner);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

namespace {

template <class Body>
auto within_memory(std::span<const std::string> paths, const Body& body) {
  if (paths.empty()) throw InvalidArgument("no file to read is named", "name at least one");
  const std::string& path = paths[0];
  std::size_t most = 0;
  try {
    const MemoryBound bound(0);
    most = bound.bytes();
    return body();
  } catch (const std::bad_alloc&) {
    throw Error(
        fmt::format("{} cannot be read within {:.4g} MB: that is ‹memory›, or what the machine has "
                    "available",
                    path, static_cast<double>(most) / 1e6),
        "is it the right file? `quickselection convert` on a larger machine makes a .npy "
        "file of it, which is read in parts");
  }
}

}  // namespace

Dataset read(std::span<const std::string> paths, const ReadOptions& options) {
  return within_memory(paths, [&] { return read_all(Source(paths, options), options); });
}

Dataset read(const std::string& path, const ReadOptions& options) {
  return read(std::span(&path, 1), options);
}

Summary inspect(std::span<const std::string> paths, const ReadOptions& options) {
  return within_memory(paths, [&] {
    const Source source(paths, options);
    std::optional<TableLook> look = look_at(source, options);
    Summary summary;
    try {
      summary = summarize(read_all(source, options));
    } catch (const Error& error) {
      if (!look) throw;
      summary.source = source.name;
      summary.rows = look->rows;
      summary.notes = look->notes;
      summary.problem = error.what();
      summary.hint = error.hint();
    }
    if (look) summary.table = std::move(look->columns);
    return summary;
  });
}

}  // namespace quickselection
