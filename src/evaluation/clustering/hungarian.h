// src/evaluation/clustering/hungarian.h: the best one-to-one matching between two sides.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace quickselection {

inline constexpr std::size_t kUnmatched = static_cast<std::size_t>(-1);

/// Matches min(rows, columns) pairs with the greatest total gain. `gain` is row-major
/// (rows, columns). Returns each row's column, or kUnmatched.
std::vector<std::size_t> best_matching(std::span<const double> gain, std::size_t rows,
                                       std::size_t columns);

}  // namespace quickselection
