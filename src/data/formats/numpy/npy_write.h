// src/data/formats/numpy/npy_write.h: writes NumPy's .npy files.
#pragma once

#include <span>
#include <string>

#include "quickselection/dataset.h"

namespace quickselection {

/// Values only: the format has no place for names and labels.
void write_npy(const std::string& path, const Dataset& data,
               std::span<const std::uint32_t> columns);

}  // namespace quickselection
