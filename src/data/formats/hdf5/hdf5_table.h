// src/data/formats/hdf5/hdf5_table.h: what a child process found in an HDF5 file, and the data set
// made of it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/processes/isolated.h"
#include "quickselection/dataset.h"

namespace quickselection {

struct StoredTable {
  enum class Layout : std::uint8_t { dense, by_rows, by_columns };
  Layout layout = Layout::dense;
  ValueType type = ValueType::f32;
  std::uint64_t rows = 0, features = 0;
  SharedMemory::Block values;           ///< row after row when dense
  SharedMemory::Block places, offsets;  ///< u32 and u64, when sparse
  std::vector<std::string> names, notes;
  std::vector<std::string> labels;  ///< one for each row, or none
};

/// Runs `find` in a child process and makes a data set of what it found. Throws Error when the
/// child crashed, saying that the HDF5 library could not read the file.
Dataset read_stored_table(const std::string& path,
                          const std::function<StoredTable(SharedMemory&)>& find);

}  // namespace quickselection
