// src/data/formats/numpy/npz.cpp: NumPy's .npz files: one of the arrays, or a sparse matrix as
// SciPy saves it.
#include <fmt/format.h>

#include <array>
#include <memory>

#include "data/dataset/sparse.h"
#include "data/formats/array.h"
#include "data/formats/format.h"
#include "data/formats/numpy/npz_archive.h"
#include "data/formats/variables.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr std::array<std::string_view, 1> kNpzEndings{".npz"};
constexpr std::string_view kNames = "names";

bool is_sparse(const NpzArchive& archive) {
  return archive.find("format") && archive.find("shape") && archive.find("data");
}

/// The only array of one dimension that has this name.
Dataset vector_of(const NpzArchive& archive, const char* name, const std::string& path) {
  const auto entry = archive.find(name);
  if (!entry)
    throw Error(fmt::format("{} is no whole sparse matrix: it has no array '{}'", path, name),
                "scipy.sparse.save_npz writes such files");
  // A matrix without a single value has arrays of no length.
  const Variable variable = archive.variable(*entry);
  if (variable.shape.size() == 1 && variable.shape[0] == 0 && !variable.is_text)
    return Dataset(MatrixView{nullptr, 0, 1, 8, ValueType::u8}, nullptr);
  Dataset data = archive.dataset(*entry);
  if (data.features() != 1)
    throw Error(
        fmt::format("{} is damaged: it has {} columns", archive.describe(*entry), data.features()));
  return data;
}

std::vector<std::uint32_t> places_of(const Dataset& data, std::size_t limit,
                                     const std::string& path) {
  std::vector<std::uint32_t> places(data.rows());
  make_places(data.values().data, data.type(), data.rows(), limit, places.data(), path);
  return places;
}

Dataset read_sparse(const NpzArchive& archive, const std::string& path) {
  const std::vector<std::string> format = archive.texts(*archive.find("format"));
  const Dataset shape = vector_of(archive, "shape", path);
  if (format.size() != 1 || shape.rows() != 2 || is_floating(shape.type()))
    throw Error(fmt::format("{} holds a sparse matrix without a shape of two numbers", path));
  const std::string& kind = format.front();
  const auto rows = static_cast<std::size_t>(shape.at(0, 0)),
             features = static_cast<std::size_t>(shape.at(1, 0));
  if (shape.at(0, 0) < 0 || shape.at(1, 0) < 0 || shape.at(0, 0) > 1e15 || shape.at(1, 0) > 1e15)
    throw Error(
        fmt::format("{} is damaged: its shape is {} x {}", path, shape.at(0, 0), shape.at(1, 0)));
  check_sparse_shape(rows, features, archive.file_bytes(), path);
  if (kind != "csr" && kind != "csc" && kind != "coo")
    throw Error(fmt::format("{} holds a sparse matrix of the kind '{}'", path, kind),
                "csr, csc or coo is needed: scipy.sparse.save_npz(FILE, matrix.tocsr())");
  const Dataset values = vector_of(archive, "data", path);
  const std::byte* const bytes = values.values().data;
  const auto check = [&](std::size_t count, const char* name) {
    if (count != values.rows())
      throw Error(fmt::format("{} is damaged: it has {} values, but {} {}", path, values.rows(),
                              count, name));
  };
  if (kind == "coo") {
    const auto value_rows = places_of(vector_of(archive, "row", path), rows, path),
               columns = places_of(vector_of(archive, "col", path), features, path);
    check(value_rows.size(), "rows");
    check(columns.size(), "columns");
    return sparse_by_places(value_rows, columns, bytes, values.type(), rows, features, path);
  }
  struct Arrays {
    std::vector<std::uint64_t> offsets;
    std::vector<std::uint32_t> places;
    Dataset values;
  };
  auto arrays = std::make_shared<Arrays>();
  const bool by_rows = kind == "csr";
  arrays->places = places_of(vector_of(archive, "indices", path), by_rows ? features : rows, path);
  check(arrays->places.size(), "places");
  const Dataset offsets = vector_of(archive, "indptr", path);
  if (offsets.rows() != (by_rows ? rows : features) + 1)
    throw Error(fmt::format("{} is damaged: it has {} offsets for {} x {} values", path,
                            offsets.rows(), rows, features));
  arrays->offsets.resize(offsets.rows());
  make_offsets(offsets.values().data, offsets.type(), offsets.rows(), values.rows(),
               arrays->offsets.data(), path);
  arrays->values = values;
  const SparseLines lines{arrays->offsets, arrays->places, bytes, values.type()};
  return by_rows ? sparse_by_rows(lines, features, arrays, path)
                 : sparse_by_columns(lines, rows, path);
}

Dataset read_npz(const std::string& path, const ReadOptions& options) {
  const NpzArchive archive(path);
  std::vector<Variable> variables;
  for (std::size_t i = 0; i < archive.names().size(); ++i) variables.push_back(archive.variable(i));
  Dataset data;
  std::size_t matrix = 0;
  if (options.array.empty() && is_sparse(archive)) {
    data = read_sparse(archive, path);
    matrix = *archive.find("data");
    variables[matrix].shape = {data.rows(), data.features()};
  } else {
    matrix = choose_matrix(variables, options, path);
    data = archive.dataset(matrix);
  }
  if (const auto names = archive.find(kNames); names && variables[*names].is_text) {
    data.names = archive.texts(*names);
    if (data.names.size() != data.features()) data.names.clear();
  }
  if (const auto labels = choose_labels(variables, matrix, options, path))
    set_labels(data, archive.texts(*labels), variables[*labels].name, options);
  else
    take_label_option(data, options);
  return data;
}

bool detect_npz(std::string_view head) { return head.starts_with("PK\x03\x04"); }

}  // namespace

const Format npz_format{.name = "npz",
                        .summary = "NumPy archive or SciPy's sparse matrix; ‹array› names an array",
                        .endings = kNpzEndings,
                        .detect = detect_npz,
                        .read = read_npz,
                        .write = write_npz};

}  // namespace quickselection
