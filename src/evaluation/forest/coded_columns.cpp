// src/evaluation/forest/coded_columns.cpp: see coded_columns.h.
#include "evaluation/forest/coded_columns.h"

#include <algorithm>
#include <array>
#include <bit>

namespace quickselection {
namespace {

// Columns gathered at once, so that coding a wide table needs little memory beside the result.
constexpr std::size_t kGroup = 64;

constexpr int kDigitBits = 11;
constexpr int kDigits = 3;
constexpr std::uint32_t kDigitMask = (1u << kDigitBits) - 1;

struct Keyed {
  std::uint32_t key, row;
};

/// Unsigned numbers in the order of the floats; -0 and 0 are the same.
std::uint32_t key_of(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value + 0.0f);
  return bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
}

float value_of(std::uint32_t key) {
  return std::bit_cast<float>(key >> 31 != 0 ? key & 0x7fffffffu : ~key);
}

/// Sorts by key, one digit at a time from the lowest; a digit that all share costs nothing.
void radix_sort(std::vector<Keyed>& items, std::vector<Keyed>& spare) {
  std::array<std::array<std::uint32_t, kDigitMask + 1>, kDigits> counts{};
  for (const Keyed& item : items)
    for (int digit = 0; digit < kDigits; ++digit)
      ++counts[digit][item.key >> (digit * kDigitBits) & kDigitMask];
  for (int digit = 0; digit < kDigits; ++digit) {
    const int shift = digit * kDigitBits;
    if (counts[digit][items[0].key >> shift & kDigitMask] == items.size()) continue;
    std::uint32_t before = 0;
    for (std::uint32_t& count : counts[digit]) before += std::exchange(count, before);
    for (const Keyed& item : items) spare[counts[digit][item.key >> shift & kDigitMask]++] = item;
    items.swap(spare);
  }
}

template <class Code>
void write_codes(const std::vector<Keyed>& sorted, CodedColumn& column) {
  column.code_bytes = sizeof(Code);
  column.codes = AlignedArray<std::byte>(sorted.size() * sizeof(Code));
  Code* codes = reinterpret_cast<Code*>(column.codes.data());
  std::uint32_t code = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (i > 0 && sorted[i].key != sorted[i - 1].key) ++code;
    codes[sorted[i].row] = static_cast<Code>(code);
  }
}

}  // namespace

CodedColumn code_column(std::span<const float> values) {
  CodedColumn column;
  if (values.empty()) return column;
  std::vector<Keyed> items(values.size()), spare(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    items[i] = {key_of(values[i]), static_cast<std::uint32_t>(i)};
  radix_sort(items, spare);
  for (std::size_t i = 0; i < items.size(); ++i)
    if (i == 0 || items[i].key != items[i - 1].key) column.values.push_back(value_of(items[i].key));
  column.values.shrink_to_fit();
  if (column.values.size() <= 1u << 8)
    write_codes<std::uint8_t>(items, column);
  else if (column.values.size() <= 1u << 16)
    write_codes<std::uint16_t>(items, column);
  else
    write_codes<std::uint32_t>(items, column);
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
