// src/data/dataset/sparse.h: sparse matrices as files store them become rows with ascending
// columns.
//
// Values that a file gives twice for the same place are added up, as SciPy and MATLAB do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "quickselection/dataset.h"

namespace quickselection {

/// Three arrays: line i (a row, or a column) holds places[offsets[i]] to places[offsets[i + 1]].
struct SparseLines {
  std::span<const std::uint64_t> offsets;
  std::span<const std::uint32_t> places;
  const std::byte* values = nullptr;
  ValueType type = ValueType::f32;
};

/// Lines that are rows. The arrays are used as they are when columns ascend, else copied; `owner`
/// keeps them alive. `name` is what messages call the matrix. Throws Error when they are damaged.
Dataset sparse_by_rows(const SparseLines& lines, std::size_t features,
                       std::shared_ptr<const void> owner, const std::string& name);

/// Lines that are columns: turned by counting, not by sorting.
Dataset sparse_by_columns(const SparseLines& lines, std::size_t rows, const std::string& name);

/// One value at each (row, column), in any order.
Dataset sparse_by_places(std::span<const std::uint32_t> value_rows,
                         std::span<const std::uint32_t> value_columns, const std::byte* values,
                         ValueType type, std::size_t rows, std::size_t features,
                         const std::string& name);

/// Rows or columns as any integer type stores them. Throws Error unless all are below `limit`.
void make_places(const std::byte* from, ValueType type, std::size_t count, std::size_t limit,
                 std::uint32_t* to, const std::string& name);

/// Offsets as any integer type stores them; they must not descend and lie within `stored` values.
void make_offsets(const std::byte* from, ValueType type, std::size_t count, std::size_t stored,
                  std::uint64_t* to, const std::string& name);

/// Throws Error when so many rows or features are more than a file of this size can justify.
void check_sparse_shape(std::size_t rows, std::size_t features, std::size_t file_bytes,
                        const std::string& name);

}  // namespace quickselection
