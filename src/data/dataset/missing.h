// src/data/dataset/missing.h: what becomes of missing values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "quickselection/dataset.h"

namespace quickselection {

struct MissingValues {
  std::size_t count = 0;
  std::size_t row = SIZE_MAX, feature = SIZE_MAX;  ///< of the first: the least row, then feature
  std::vector<std::uint32_t> rows, features;       ///< that have any, in the order looked at
};

/// NaN and infinity, and what is `negative` when that cannot be used either. Integers are never
/// missing. No rows = all of them.
MissingValues find_missing(const Dataset& data, std::span<const std::uint32_t> rows = {},
                           bool negative = false);

/// Does what `what` says and notes it; throws Error for `error` when there are any. Values are
/// copied only when something is missing. The mean is that of the finite values of all these rows.
void treat_missing(Dataset& data, Missing what);

/// Puts the mean of the finite values in these rows of `train` in their place, so that test rows
/// have no say in it. `train` may be `data` itself, and has the same features.
void fill_missing(Dataset& data, const Dataset& train, std::span<const std::uint32_t> rows);

}  // namespace quickselection
