// src/data/formats/hdf5/h5ad_write.h: writes files that AnnData reads.
#pragma once

#include <span>
#include <string>

#include "quickselection/dataset.h"

namespace quickselection {

/// X dense or CSR, the features' names as the index of var, the labels as the column label of obs.
void write_h5ad(const std::string& path, const Dataset& data,
                std::span<const std::uint32_t> columns);

}  // namespace quickselection
