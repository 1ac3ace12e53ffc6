// src/data/scaling/column_statistics.h: mean, variance and range of every feature, in one pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/team.h"
#include "quickselection/dataset.h"

namespace quickselection {

/// Values that cannot be used, and the first of them: the least row, then the least feature.
struct BadValues {
  std::size_t count = 0, row = SIZE_MAX, feature = SIZE_MAX;
};

struct ColumnStatistics {
  std::vector<double> mean, variance, least, most;  // (I)
  BadValues bad;                                    ///< not finite; with `log` also negative
};

/// Of log(1 + x) when `log` is set. No rows = all of them. Sparse data and the same data stored
/// dense give the same bits, and so do any number of threads.
ColumnStatistics column_statistics(const Dataset& data, std::span<const std::uint32_t> rows,
                                   bool log, Team& team);

}  // namespace quickselection
