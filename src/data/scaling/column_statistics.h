// src/data/scaling/column_statistics.h: mean, variance and range of every feature, in one pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/team.h"
#include "quickselection/dataset.h"

namespace quickselection {

struct ColumnStatistics {
  std::vector<double> mean, variance, least, most;  // (I)
};

/// Of log(1 + x / unit) where units are given, one for each feature. No rows = all of them. Sparse
/// data and the same data stored dense give the same bits, and so do any number of threads.
/// With `shards` every process looks at its own rows (core/processes/shard_sum.h), and the result
/// depends on their number alone; 0 is one shard, and no other process has a part in it.
ColumnStatistics column_statistics(const Dataset& data, std::span<const std::uint32_t> rows,
                                   std::span<const double> unit, Team& team,
                                   std::size_t shards = 0);

}  // namespace quickselection
