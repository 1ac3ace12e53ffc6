// include/quickselection/split.h: which rows are trained on and which are tested on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "quickselection/dataset.h"

namespace quickselection {

inline constexpr std::uint64_t kSplitSeed = 42;

/// Row numbers, rising.
struct Split {
  std::vector<std::uint32_t> train, test;
};

/// Draws ceil(share x rows) test rows. With labels each class gives its share, as nearly as whole
/// rows allow, and keeps at least one training row.
Split split_rows(const Dataset& data, double test_share, std::uint64_t seed = kSplitSeed);

/// The given test rows; without training rows all others are trained on. Ranges that overlap are
/// refused.
Split split_ranges(std::size_t rows, std::optional<RowRange> train, RowRange test);

/// Every row is tested in exactly one of the folds and trained on in the others. With labels each
/// class is spread evenly.
std::vector<Split> split_folds(const Dataset& data, int folds, std::uint64_t seed = kSplitSeed);

}  // namespace quickselection
