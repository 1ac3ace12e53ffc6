// src/data/dataset/missing.h: what becomes of missing values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quickselection/dataset.h"

namespace quickselection {

/// "error", "mean", "zero", "drop-rows", "drop-features" or "keep"; throws InvalidArgument.
Missing parse_missing(std::string_view text);

struct MissingValues {
  std::size_t count = 0, rows = 0;    ///< how many there are, in how many rows
  std::size_t row = 0, feature = 0;   ///< of the first one
  std::vector<std::size_t> features;  ///< that have any, ascending
};

/// NaN and infinity. Integer types have none, and are not looked at.
MissingValues find_missing(const Dataset& data);

/// Does what `what` says and notes it; throws Error for `error` when there are any. Values are
/// copied only when something is missing. The mean is that of the finite values of all these rows.
void treat_missing(Dataset& data, Missing what);

/// Puts the mean of the finite values in these rows of `train` in their place, so that test rows
/// have no say in it. `train` may be `data` itself, and has the same features.
void fill_missing(Dataset& data, const Dataset& train, std::span<const std::uint32_t> rows);

}  // namespace quickselection
