// src/data/formats/numpy/npz_write.h: writes NumPy's .npz files.
#pragma once

#include <span>
#include <string>

#include "quickselection/dataset.h"

namespace quickselection {

/// Dense values as the array X, sparse ones as scipy.sparse.save_npz does; labels as y, the names
/// of the features as names.
void write_npz(const std::string& path, const Dataset& data,
               std::span<const std::uint32_t> columns);

}  // namespace quickselection
