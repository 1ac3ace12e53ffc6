// src/data/formats/matrix_market/matrix_market.h: what other readers use of the Matrix Market
// reader.
#pragma once

#include <string>

#include "quickselection/dataset.h"

namespace quickselection {

/// Reads a Matrix Market file, plain or compressed. With `turned` its columns become the rows.
Dataset read_matrix_market(const std::string& path, bool turned);

}  // namespace quickselection
