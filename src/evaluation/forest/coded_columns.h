// src/evaluation/forest/coded_columns.h: columns as ranks of their values, the form in which trees
// grow.
//
// A tree only asks how values compare, so each value is replaced by its rank among the distinct
// values of its column: one byte for images and counts, two for most measurements. Comparing,
// counting and sorting such codes is exact and cheaper than the same with floats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/aligned.h"
#include "data/scaling/row_reader.h"

namespace quickselection {

/// Sorts `keys` by their upper half, which lies in [least, most]. The result stands in `keys` or
/// in `spare`; returned is where. Both hold `n` numbers.
std::uint64_t* sort_by_code(std::uint64_t* keys, std::uint64_t* spare, std::size_t n,
                            std::uint32_t least, std::uint32_t most);

struct CodedColumn {
  std::vector<float> values;      ///< the distinct values, rising
  AlignedArray<std::byte> codes;  ///< one code per row
  int code_bytes = 1;             ///< 1, 2 or 4

  template <class Code>
  const Code* as() const {
    return reinterpret_cast<const Code*>(codes.data());
  }
};

struct CodedColumns {
  std::size_t rows = 0;
  std::vector<CodedColumn> columns;
};

/// Calls body(codes) with the column's codes as const std::uint8_t*, std::uint16_t* or
/// std::uint32_t*.
template <class Body>
decltype(auto) visit_codes(const CodedColumn& column, Body&& body) {
  if (column.code_bytes == 1) return body(column.as<std::uint8_t>());
  if (column.code_bytes == 2) return body(column.as<std::uint16_t>());
  return body(column.as<std::uint32_t>());
}

CodedColumn code_column(std::span<const float> values);

CodedColumns code_columns(const RowReader& from, Team& team);

}  // namespace quickselection
