// src/data/formats/hdf5/h5ad.cpp: AnnData files, as single-cell tools write them.
#include <fmt/format.h>

#include <array>

#include "data/dataset/sparse.h"
#include "data/formats/arrays.h"
#include "data/formats/format.h"
#include "data/formats/hdf5/hdf5_file.h"
#include "data/formats/hdf5/hdf5_table.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr std::array<std::string_view, 1> kH5adEndings{".h5ad"};
constexpr const char* kNoCategory = "NaN";

/// The texts of categories, one for each code.
std::vector<std::string> expand(const std::vector<std::string>& codes,
                                const std::vector<std::string>& categories, const std::string& path,
                                const std::string& column) {
  std::vector<std::string> texts;
  texts.reserve(codes.size());
  for (const std::string& text : codes) {
    const double code = std::stod(text);
    if (code == -1) {
      texts.emplace_back(kNoCategory);
      continue;
    }
    if (!(code >= 0 && code < static_cast<double>(categories.size())))
      throw Error(
          fmt::format("{}: the column '{}' of obs is damaged: it has {} categories, but "
                      "one of its codes is {}",
                      path, column, categories.size(), text));
    texts.push_back(categories[static_cast<std::size_t>(code)]);
  }
  return texts;
}

std::vector<std::string> obs_column(const Hdf5File& file, const std::string& column) {
  const std::string place = "obs/" + column;
  if (!file.has(place))
    throw InvalidArgument(
        fmt::format("‹label› is '{}', but {} has no such column in obs", column, file.path()),
        "name a column of obs, a file of labels, or none");
  if (file.is_group(place))  // how AnnData 0.8 and later store categories
    return expand(file.texts(place + "/codes"), file.texts(place + "/categories"), file.path(),
                  column);
  const std::string categories = "obs/__categories/" + column;  // earlier than that
  if (file.has(categories))
    return expand(file.texts(place), file.texts(categories), file.path(), column);
  return file.texts(place);
}

/// A group of the arrays data, indices and indptr: CSR or CSC, as its attributes say.
void take_sparse(const Hdf5File& file, const std::string& matrix, StoredTable& table) {
  auto kind = file.attribute(matrix, "encoding-type");
  auto shape = file.sizes(matrix, "shape");
  if (!kind) kind = file.attribute(matrix, "h5sparse_format");  // AnnData before 0.7
  if (!shape) shape = file.sizes(matrix, "h5sparse_shape");
  const bool by_rows = kind == "csr_matrix" || kind == "csr";
  if (!by_rows && kind != "csc_matrix" && kind != "csc")
    throw Error(
        fmt::format("{}: '{}' is of the kind '{}'", file.path(), matrix, kind.value_or("unknown")),
        "an array, a CSR or a CSC matrix is needed");
  if (!shape || shape->size() != 2)
    throw Error(fmt::format("{}: the sparse matrix '{}' has no shape", file.path(), matrix));
  table.rows = shape->front();
  table.features = shape->back();
  table.layout = by_rows ? StoredTable::Layout::by_rows : StoredTable::Layout::by_columns;
  check_sparse_shape(table.rows, table.features, file.bytes(),
                     fmt::format("{}, '{}'", file.path(), matrix));
  const Hdf5File::Array values = file.array(matrix + "/data");
  if (values.shape.size() == 1 && values.shape[0] > 0) {
    const Hdf5File::Values found = file.values(matrix + "/data");
    table.type = found.type;
    table.values = found.block;
  }
  table.places = file.places(matrix + "/indices", by_rows ? table.features : table.rows);
  table.offsets = file.offsets(matrix + "/indptr", table.values.bytes / size_of(table.type));
}

StoredTable find_table(const Hdf5File& file, const ReadOptions& options) {
  const std::string& path = file.path();
  const std::string matrix = options.array.empty() ? "X" : options.array;
  if (!file.has(matrix))
    throw Error(fmt::format("{} has no matrix '{}'", path, matrix),
                "‹array› names another, such as raw/X or layers/counts");
  StoredTable table;
  if (file.is_group(matrix)) {
    take_sparse(file, matrix, table);
  } else {
    file.take_dense(matrix, false, table);
  }

  const std::string var = matrix.starts_with("raw/") ? "raw/var" : "var";
  if (const auto index = file.has(var) ? file.attribute(var, "_index") : std::nullopt) {
    const std::string place = var + "/" + *index;
    if (file.has(place)) table.names = file.texts(place);
    if (!table.names.empty() && table.names.size() != table.features)
      throw Error(fmt::format("{}: '{}' has {} names, but '{}' has {} features", path, place,
                              table.names.size(), matrix, table.features));
  }
  std::string label = options.label;
  if (label.empty())
    for (const std::string_view name : kLabelNames)
      if (label.empty() && file.has(fmt::format("obs/{}", name))) label = name;
  if (!label.empty() && label != "none") {
    table.labels = obs_column(file, label);
    if (table.labels.size() != table.rows)
      throw Error(fmt::format("{}: the column '{}' of obs has {} values, but '{}' has {} rows",
                              path, label, table.labels.size(), matrix, table.rows));
    note_labels(table.notes, "obs/" + label, options);
  }
  return table;
}

Dataset read_h5ad(const std::string& path, const ReadOptions& options) {
  return read_stored_table(
      path, [&](SharedMemory& memory) { return find_table(Hdf5File(path, memory), options); });
}

}  // namespace

const Format h5ad_format{.name = "h5ad",
                         .summary = "AnnData; ‹label› names a column of obs",
                         .endings = kH5adEndings,
                         .detect = is_hdf5,
                         .read = read_h5ad,
                         .write = write_h5ad,
                         .writes_in_order = false};

}  // namespace quickselection
