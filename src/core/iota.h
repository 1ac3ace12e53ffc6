// src/core/iota.h: the numbers from 0 on: all rows, all columns, an order to be sorted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace quickselection {

/// 0, 1, ..., n - 1.
inline std::vector<std::uint32_t> iota(std::size_t n) {
  std::vector<std::uint32_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0u);
  return numbers;
}

}  // namespace quickselection
