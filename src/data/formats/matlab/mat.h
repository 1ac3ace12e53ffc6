// src/data/formats/matlab/mat.h: the two kinds of MATLAB files.
#pragma once

#include <string>

#include "quickselection/dataset.h"

namespace quickselection {

/// Version 5 (MATLAB 5 to 7.2).
Dataset read_mat5(const std::string& path, const ReadOptions& options);

/// Version 7.3: an HDF5 file whose arrays are stored column by column.
Dataset read_mat73(const std::string& path, const ReadOptions& options);

}  // namespace quickselection
