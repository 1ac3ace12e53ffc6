// src/data/formats/hdf5/hdf5.cpp: plain HDF5 files, and MATLAB 7.3, which is one.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "data/formats/arrays.h"
#include "data/formats/format.h"
#include "data/formats/hdf5/hdf5_file.h"
#include "data/formats/hdf5/hdf5_table.h"

namespace quickselection {
namespace {

constexpr std::array<std::string_view, 2> kHdf5Endings{".h5", ".hdf5"};

/// MATLAB keeps the contents of cells and objects in groups of such names.
bool is_internal(const std::string& name) { return name.starts_with('#'); }

/// A variable, and the number of its rows when it is a sparse matrix of MATLAB's: a group of the
/// arrays data, ir and jc.
struct Found {
  Variable variable;
  bool is_sparse = false;
};

std::vector<Found> list_variables(const Hdf5File& file, bool by_columns) {
  constexpr std::string_view kOffsets = "/jc";
  std::vector<Found> all;
  for (Hdf5File::Array& array : file.arrays()) {
    if (by_columns && is_internal(array.name)) continue;
    const std::size_t slash = array.name.rfind('/');
    if (by_columns && slash != std::string::npos) {
      const std::string group = array.name.substr(0, slash);
      if (const auto rows = file.sizes(group, "MATLAB_sparse")) {
        if (array.name.ends_with(kOffsets) && array.shape.size() == 1 && array.shape[0] > 0)
          all.push_back({{group, {rows->front(), array.shape[0] - 1}, false}, true});
        continue;
      }
    }
    if (by_columns) std::reverse(array.shape.begin(), array.shape.end());
    const bool letters = by_columns && file.attribute(array.name, "MATLAB_class") == "char";
    if (letters || (!array.type && !array.is_text)) array.shape.clear();
    all.push_back({{std::move(array.name), std::move(array.shape), array.is_text}, false});
  }
  return all;
}

void take_sparse(const Hdf5File& file, const Variable& variable, StoredTable& table) {
  table.layout = StoredTable::Layout::by_columns;
  table.rows = variable.shape[0];
  table.features = variable.shape[1];
  if (file.has(variable.name + "/data")) {  // MATLAB leaves it out when all values are zero
    const Hdf5File::Values values = file.values(variable.name + "/data");
    table.type = values.type;
    table.values = values.block;
    table.places = file.places(variable.name + "/ir", table.rows);
  }
  table.offsets = file.offsets(variable.name + "/jc", table.values.bytes / size_of(table.type));
}

Dataset read_arrays(const std::string& path, const ReadOptions& options, bool by_columns) {
  Dataset data = read_stored_table(path, [&](SharedMemory& memory) {
    const Hdf5File file(path, memory);
    const std::vector<Found> found = list_variables(file, by_columns);
    std::vector<Variable> variables;
    for (const Found& one : found) variables.push_back(one.variable);
    const std::size_t matrix = choose_matrix(variables, options, path);
    StoredTable table;
    if (found[matrix].is_sparse)
      take_sparse(file, variables[matrix], table);
    else
      file.take_dense(variables[matrix].name, by_columns, table);
    if (const auto labels = choose_labels(variables, matrix, options, path)) {
      table.labels = file.texts(variables[*labels].name);
      note_labels(table.notes, variables[*labels].name, options);
    }
    return table;
  });
  if (!data.labels) take_label_option(data, options);
  return data;
}

Dataset read_hdf5(const std::string& path, const ReadOptions& options) {
  return read_arrays(path, options, false);
}

}  // namespace

Dataset read_mat73(const std::string& path, const ReadOptions& options) {
  return read_arrays(path, options, true);
}

const Format hdf5_format{.name = "h5",
                         .summary = "HDF5; ‹array› names the array when it holds several",
                         .endings = kHdf5Endings,
                         .detect = is_hdf5,
                         .read = read_hdf5};

}  // namespace quickselection
