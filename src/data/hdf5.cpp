// src/data/hdf5.cpp: plain HDF5 files, and MATLAB 7.3 files, which are HDF5 files.
#include <algorithm>
#include <array>

#include "data/array.h"
#include "data/format.h"
#include "data/hdf5_file.h"
#include "data/mat.h"
#include "data/variables.h"

namespace quickselection {
namespace {

constexpr std::array<std::string_view, 2> kEndings{".h5", ".hdf5"};

/// MATLAB keeps the contents of cells and objects in groups of such names.
bool is_internal(const std::string& name) { return name.starts_with('#'); }

Dataset read_arrays(const std::string& path, const ReadOptions& options, bool by_columns) {
  const Hdf5File file(path);
  std::vector<Variable> variables;
  for (Hdf5File::Array& array : file.arrays()) {
    if (by_columns && is_internal(array.name)) continue;
    if (by_columns) std::reverse(array.shape.begin(), array.shape.end());
    const bool letters = by_columns && file.attribute(array.name, "MATLAB_class") == "char";
    if (letters || (!array.type && !array.is_text)) array.shape.clear();
    variables.push_back({std::move(array.name), std::move(array.shape), array.is_text});
  }
  const std::size_t matrix = choose_matrix(variables, options, path);
  Dataset data = file.values(variables[matrix].name, by_columns);
  if (const auto labels = choose_labels(variables, matrix, options, path))
    set_labels(data, file.texts(variables[*labels].name), variables[*labels].name, options);
  else
    take_label_option(data, options);
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
                         .summary = "HDF5; --array names the array when it holds several",
                         .endings = kEndings,
                         .detect = is_hdf5,
                         .read = read_hdf5};

}  // namespace quickselection
