// src/data/dataset/take_rows.h: a data set of chosen rows.
#pragma once

#include <cstdint>
#include <span>

#include "quickselection/dataset.h"

namespace quickselection {

/// Copies the rows in the order given, each as often as it is named, in their stored type; sparse
/// data stays sparse. Names are kept, labels are not.
Dataset take_rows(const Dataset& data, std::span<const std::uint32_t> rows);

}  // namespace quickselection
