// src/evaluation/forest/coded_columns.cpp: see coded_columns.h.
#include "evaluation/forest/coded_columns.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace quickselection {
namespace {

// Columns gathered at once, so that coding a wide table needs little memory beside the result.
constexpr std::size_t kGroup = 64;

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

/// Unsigned numbers in the order of the floats; -0 and 0 are the same.
std::uint32_t key_of(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value + 0.0f);
  return bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
}

float value_of(std::uint32_t key) {
  return std::bit_cast<float>(key >> 31 != 0 ? key & 0x7fffffffu : ~key);
}

/// `sorted` holds keys and, in their lower halves, rows.
template <class Code>
void write_codes(std::span<const std::uint64_t> sorted, CodedColumn& column) {
  column.code_bytes = sizeof(Code);
  column.codes = AlignedArray<std::byte>(sorted.size() * sizeof(Code));
  Code* codes = reinterpret_cast<Code*>(column.codes.data());
  std::uint32_t code = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (i > 0 && sorted[i] >> 32 != sorted[i - 1] >> 32) ++code;
    codes[static_cast<std::uint32_t>(sorted[i])] = static_cast<Code>(code);
  }
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

CodedColumn code_column(std::span<const float> values) {
  CodedColumn column;
  if (values.empty()) return column;
  std::vector<std::uint64_t> keys(values.size()), spare(values.size());
  std::uint32_t least = UINT32_MAX, most = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint32_t key = key_of(values[i]);
    least = std::min(least, key);
    most = std::max(most, key);
    keys[i] = std::uint64_t{key} << 32 | i;
  }
  const std::span<const std::uint64_t> sorted(
      sort_by_code(keys.data(), spare.data(), keys.size(), least, most), keys.size());
  for (std::size_t i = 0; i < sorted.size(); ++i)
    if (i == 0 || sorted[i] >> 32 != sorted[i - 1] >> 32)
      column.values.push_back(value_of(static_cast<std::uint32_t>(sorted[i] >> 32)));
  column.values.shrink_to_fit();
  if (column.values.size() <= 1u << 8)
    write_codes<std::uint8_t>(sorted, column);
  else if (column.values.size() <= 1u << 16)
    write_codes<std::uint16_t>(sorted, column);
  else
    write_codes<std::uint32_t>(sorted, column);
  return column;
}

CodedColumns code_columns(const RowReader& from, Team& team) {
  CodedColumns coded;
  coded.rows = from.rows();
  coded.columns.resize(from.columns());
  for (std::size_t begin = 0; begin < from.columns(); begin += kGroup) {
    const Range group{begin, std::min(from.columns(), begin + kGroup)};
    const std::vector<float> values = from.gather_columns(group, team);
    team.for_each(group.size(), [&](std::size_t j) {
      coded.columns[begin + j] = code_column({values.data() + j * coded.rows, coded.rows});
    });
  }
  return coded;
}

}  // namespace quickselection
