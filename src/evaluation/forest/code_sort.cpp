// src/evaluation/forest/code_sort.cpp: see code_sort.h.
#include "evaluation/forest/code_sort.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace quickselection {
namespace {

constexpr std::size_t kInsertionMost = 24;   // measured: above it, counting is cheaper
constexpr std::size_t kCountingLeast = 256;  // per digit; below it, comparing is cheaper

void insertion_sort(std::uint64_t* keys, std::size_t n) {
  for (std::size_t i = 1; i < n; ++i) {
    const std::uint64_t key = keys[i];
    std::size_t j = i;
    for (; j > 0 && keys[j - 1] > key; --j) keys[j] = keys[j - 1];
    keys[j] = key;
  }
}

void count_digit(const std::uint64_t* keys, std::uint64_t* out, std::size_t n, std::uint32_t least,
                 int shift) {
  std::uint32_t starts[256];
  std::memset(starts, 0, sizeof starts);
  const auto digit = [&](std::uint64_t key) {
    return (static_cast<std::uint32_t>(key >> 32) - least) >> shift & 255u;
  };
  for (std::size_t i = 0; i < n; ++i) ++starts[digit(keys[i])];
  std::uint32_t before = 0;
  for (std::uint32_t& start : starts) before += std::exchange(start, before);
  for (std::size_t i = 0; i < n; ++i) out[starts[digit(keys[i])]++] = keys[i];
}

}  // namespace

std::uint64_t* sort_by_code(std::uint64_t* keys, std::uint64_t* spare, std::size_t n,
                            std::uint32_t least, std::uint32_t most) {
  const std::uint32_t range = most - least;
  if (n <= kInsertionMost) {
    insertion_sort(keys, n);
    return keys;
  }
  if (range > 255 && n < kCountingLeast) {
    std::sort(keys, keys + n);
    return keys;
  }
  for (int shift = 0; shift < 32 && range >> shift != 0; shift += 8) {
    count_digit(keys, spare, n, least, shift);
    std::swap(keys, spare);
  }
  return keys;
}

}  // namespace quickselection
