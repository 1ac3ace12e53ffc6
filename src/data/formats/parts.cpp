// src/data/formats/parts.cpp: see parts.h.
#include "data/formats/parts.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "core/iota.h"
#include "core/text/visible.h"
#include "data/dataset/for_each_value.h"
#include "data/dataset/subset.h"
#include "data/formats/format.h"
#include "data/formats/value_store.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

namespace fs = std::filesystem;

bool is_read_as_one(const std::string& folder, const std::string& wanted) {
  return std::any_of(formats().begin(), formats().end(), [&](const Format* format) {
    return format->detect_folder != nullptr &&
           (wanted.empty() ? format->detect_folder(folder) : format->name == wanted);
  });
}

struct FolderFiles {
  std::vector<std::string> data, others;  // by name
};

FolderFiles list_folder(const std::string& folder, const std::string& wanted) {
  FolderFiles found;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    std::error_code ignored;
    if (entry->path().filename().string().starts_with('.') || !entry->is_regular_file(ignored))
      continue;
    const std::string path = entry->path().string();
    (wanted.empty() && format_by_ending(path) == nullptr ? found.others : found.data)
        .push_back(path);
  }
  if (failed) throw Error(fmt::format("cannot read {}: {}", folder, failed.message()));
  std::sort(found.data.begin(), found.data.end());
  std::sort(found.others.begin(), found.others.end());
  return found;
}

void check_one_format(const std::vector<std::string>& files) {
  const Format* const first = format_by_ending(files.front());
  for (const std::string& file : files)
    if (const Format* const own = format_by_ending(file); own != first)
      throw Error(
          fmt::format("the files of one data set have one format, but {} is {} and {} is {}",
                      files.front(), first->name, file, own->name),
          "name the files that are meant, or ‹format›");
}

void refuse_twice(const std::vector<std::string>& files) {
  std::map<std::pair<dev_t, ino_t>, const std::string*> seen;
  for (const std::string& file : files) {
    struct stat status {};
    if (stat(file.c_str(), &status) != 0) continue;  // whoever reads it says so
    const auto [other, is_new] = seen.emplace(std::pair{status.st_dev, status.st_ino}, &file);
    if (!is_new)
      throw Error(*other->second == file
                      ? fmt::format("{} is named twice", file)
                      : fmt::format("{} and {} are the same file", *other->second, file),
                  "every part of a data set is named once");
  }
}

[[noreturn]] void refuse(const std::string& what) {
  throw Error(what,
              "all parts of a data set have the same columns; ‹columns› and ‹drop› choose some");
}

void check_alike(const Dataset& a, const Dataset& b) {
  if (a.is_sparse() != b.is_sparse())
    throw Error(fmt::format("{} is {}, but {} is {}", a.source, a.is_sparse() ? "sparse" : "dense",
                            b.source, b.is_sparse() ? "sparse" : "dense"),
                "`quickselection convert` makes one of the other");
  if (a.features() != b.features())
    refuse(fmt::format("{} has {} features, but {} has {}", a.source, a.features(), b.source,
                       b.features()));
  if (a.names.empty() != b.names.empty())
    throw Error(fmt::format("{} names its columns, but {} does not",
                            (a.names.empty() ? b : a).source, (a.names.empty() ? a : b).source),
                "‹header› says whether text files begin with names");
  for (std::size_t f = 0; f < a.names.size(); ++f)
    if (a.names[f] != b.names[f])
      refuse(fmt::format("column {} of the features is '{}' in {}, but '{}' in {}", f,
                         visible(a.names[f]), a.source, visible(b.names[f]), b.source));
  if (!std::equal(a.groups.begin(), a.groups.end(), b.groups.begin(), b.groups.end(),
                  [](const FeatureGroup& x, const FeatureGroup& y) {
                    return x.begin == y.begin && x.end == y.end;
                  }))
    refuse(fmt::format("{} and {} have different columns of text", a.source, b.source));
  if (a.labels.has_value() != b.labels.has_value())
    throw Error(fmt::format("{} has labels, but {} has none", (a.labels ? a : b).source,
                            (a.labels ? b : a).source),
                "‹label none› does without; a file of labels may hold those of all parts");
}

/// Types of which every value is exact as a double are stored anew; those of files are not, because
/// it would be a copy of everything.
void check_types(const std::vector<Dataset>& parts) {
  const Dataset& a = parts.front();
  for (const Dataset& b : parts) {
    if (b.type() == a.type()) continue;
    const auto is_long = [](const Dataset& part) {
      return size_of(part.type()) == 8 && part.type() != ValueType::f64;
    };
    if (a.backing() == Backing::file || b.backing() == Backing::file || is_long(a) || is_long(b))
      throw Error(fmt::format("{} holds values of type {}, but {} of type {}", a.source,
                              name_of(a.type()), b.source, name_of(b.type())),
                  "write all parts with the same type");
  }
}

bool any_f64(const std::vector<Dataset>& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [](const Dataset& part) { return part.type() == ValueType::f64; });
}

/// Dense rows of different types, as a text file with all of them would be stored.
Dataset store_anew(const std::vector<Dataset>& parts) {
  const std::size_t features = parts.front().features();
  std::vector<double> row(features);
  for (bool use_f64 = any_f64(parts);; use_f64 = true) {
    ValueStore store(features, use_f64);
    bool fits = true;
    for (const Dataset& part : parts)
      visit_type(part.type(), [&]<class T>() {
        for (std::size_t r = 0; r < part.rows() && fits; ++r) {
          const T* const from = dense_row<T>(part, r);
          std::copy(from, from + features, row.begin());
          fits = store.append(row);
        }
      });
    if (fits) return store.finish();
  }
}

Dataset join_dense(std::vector<Dataset> parts) {
  const auto differ = [&](auto&& property) {
    return std::any_of(parts.begin(), parts.end(), [&](const Dataset& part) {
      return property(part) != property(parts.front());
    });
  };
  if (differ([](const Dataset& part) { return part.type(); })) return store_anew(parts);
  if (differ([](const Dataset& part) { return part.values().row_bytes; }))
    for (Dataset& part : parts) part = copy_rows(part, iota(part.rows()));
  struct Joined {
    std::vector<Dataset> parts;
    std::vector<MatrixPart> places;
  };
  auto owner = std::make_shared<Joined>(Joined{std::move(parts), {}});
  MatrixView view = owner->parts.front().values();
  view.data = nullptr;
  view.rows = 0;
  Backing backing = Backing::file;
  for (const Dataset& part : owner->parts) {
    owner->places.push_back({view.rows, part.values().data});
    view.rows += part.rows();
    if (part.backing() != Backing::file) backing = Backing::memory;
  }
  view.parts = owner->places;
  return Dataset(view, owner, backing);
}

Dataset join_sparse(const std::vector<Dataset>& parts) {
  struct Arrays {
    std::vector<std::uint64_t> offsets{0};
    std::vector<std::uint32_t> columns;
    std::vector<double> wide;  // values of different types
    std::vector<std::byte> values;
  };
  auto made = std::make_shared<Arrays>();
  ValueType type = parts.front().type();
  const bool same = std::all_of(parts.begin(), parts.end(),
                                [&](const Dataset& part) { return part.type() == type; });
  for (const Dataset& part : parts) {
    const SparseView& from = part.sparse();
    const std::uint64_t begin = from.offsets[0], end = from.offsets[from.rows];
    const std::uint64_t before = made->offsets.back();
    for (std::size_t r = 1; r <= from.rows; ++r)
      made->offsets.push_back(before + from.offsets[r] - begin);
    made->columns.insert(made->columns.end(), from.columns + begin, from.columns + end);
    const std::size_t size = size_of(part.type());
    if (same)
      made->values.insert(made->values.end(), from.values + begin * size, from.values + end * size);
    else
      visit_type(part.type(), [&]<class T>() {
        const T* const values = reinterpret_cast<const T*>(from.values);
        made->wide.insert(made->wide.end(), values + begin, values + end);
      });
  }
  const std::byte* values = made->values.data();
  if (!same) {
    type = any_f64(parts) ? ValueType::f64 : smallest_type(made->wide);
    values = narrow(made->wide, type);
  }
  const SparseView view{made->offsets.data(),     made->columns.data(),     values,
                        made->offsets.size() - 1, parts.front().features(), type};
  return Dataset(view, made);
}

Labels join_labels(const std::vector<Dataset>& parts) {
  std::vector<std::string> classes;
  for (const Dataset& part : parts)
    classes.insert(classes.end(), part.labels->classes.begin(), part.labels->classes.end());
  Labels all = make_labels(classes);  // its codes are those of the classes
  const std::vector<std::int32_t> code_of = std::move(all.codes);
  all.codes.clear();
  std::size_t first = 0;
  for (const Dataset& part : parts) {
    for (const std::int32_t code : part.labels->codes)
      all.codes.push_back(code_of[first + static_cast<std::size_t>(code)]);
    first += part.labels->classes.size();
  }
  return all;
}

void add_new(std::vector<std::string>& all, const std::vector<std::string>& more) {
  for (const std::string& text : more)
    if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(text);
}

}  // namespace

std::vector<std::string> files_behind(const std::string& path, const std::string& format) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return {path};
  std::vector<std::string> files;
  if (!is_read_as_one(path, format)) return list_folder(path, format).data;
  for (fs::recursive_directory_iterator entry(path, ignored), end; entry != end;
       entry.increment(ignored)) {
    if (entry.depth() > 0) entry.disable_recursion_pending();  // none reads deeper than train/
    const fs::path ending = entry->path().extension();
    if (ending == ".mtx" || ending == ".tsv" || ending == ".txt" || ending == ".gz")
      files.push_back(entry->path().string());
  }
  return files;
}

PartFiles find_parts(std::span<const std::string> paths, const std::string& format) {
  PartFiles found;
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored) || is_read_as_one(path, format)) {
      found.files.push_back(path);
      continue;
    }
    const FolderFiles folder = list_folder(path, format);
    if (folder.data.empty())
      throw Error(fmt::format("cannot read {}: it is a folder, and no file in it has the ending of "
                              "a known format",
                              path),
                  "name a file in it, or ‹format›; known formats: " + list_formats());
    if (format.empty()) check_one_format(folder.data);
    found.files.insert(found.files.end(), folder.data.begin(), folder.data.end());
    if (!folder.others.empty())
      found.notes.push_back(
          fmt::format("{}: {} {} left out, whose ending is that of no format, such as {}", path,
                      folder.others.size(), folder.others.size() == 1 ? "file" : "files",
                      folder.others.front()));
  }
  refuse_twice(found.files);
  return found;
}

Dataset join(std::vector<Dataset> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  Dataset about = parts.front();
  for (const Dataset& part : parts) {
    check_alike(about, part);
    if (part.feature_shape != about.feature_shape) about.feature_shape.clear();
    add_new(about.notes, part.notes);
    add_new(about.decisions, part.decisions);
    if (&part == &parts.front() || part.table.size() != about.table.size()) continue;
    for (std::size_t c = 0; c < part.table.size(); ++c)
      about.table[c].missing += part.table[c].missing;
  }
  if (about.labels) about.labels = join_labels(parts);
  std::vector<PartOfRows> files;
  std::ptrdiff_t rows = 0;
  for (const Dataset& part : parts) {
    files.push_back({part.source, rows});
    rows += static_cast<std::ptrdiff_t>(part.rows());
  }
  check_types(parts);
  const std::size_t count = parts.size();
  Dataset all = about.is_sparse() ? join_sparse(parts) : join_dense(std::move(parts));
  all.files = std::move(files);
  all.names = std::move(about.names);
  all.groups = std::move(about.groups);
  all.labels = std::move(about.labels);
  all.feature_shape = std::move(about.feature_shape);
  all.notes = std::move(about.notes);
  all.decisions = std::move(about.decisions);
  all.table = std::move(about.table);
  all.notes.push_back(fmt::format("{} files are one data set of {} rows, type {}{}", count,
                                  all.rows(), name_of(all.type()),
                                  all.backing() == Backing::file ? "" : ", held in memory"));
  return all;
}

}  // namespace quickselection
