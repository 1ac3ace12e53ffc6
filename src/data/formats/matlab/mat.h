// src/data/formats/matlab/mat.h: the two kinds of MATLAB files.
#pragma once

#include <span>
#include <string>

#include "quickselection/dataset.h"

namespace quickselection {

/// Version 5 (MATLAB 5 to 7.2).
Dataset read_mat5(const std::string& path, const ReadOptions& options);

/// Version 7.3: an HDF5 file whose arrays are stored column by column.
Dataset read_mat73(const std::string& path, const ReadOptions& options);

/// Version 5: X, sparse if the data is; labels in Y (numbers, or a cell array of texts), names in
/// names (a cell array).
void write_mat5(const std::string& path, const Dataset& data,
                std::span<const std::uint32_t> columns);

}  // namespace quickselection
