// src/evaluation/columns.h: chosen rows and columns of a dataset as compact matrices of floats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/team.h"
#include "data/scaling/scaler.h"
#include "quickselection/dataset.h"

namespace quickselection {

/// Chosen rows of a dataset, in the order given, scaled when there is a scaler.
struct RowsView {
  const Dataset* data = nullptr;
  std::span<const std::uint32_t> rows;
  const Scaler* scaler = nullptr;
  std::size_t size() const { return rows.size(); }
};

/// Rows [begin, end) of `from`, columns as listed, row-major: (end - begin, columns.size()).
/// Throws Error when a value is not finite or does not fit a 32-bit float.
void gather_rows(const RowsView& from, std::size_t begin, std::size_t end,
                 std::span<const std::uint32_t> columns, float* out);

/// All rows of `from`, row-major: (from.size(), columns.size()).
std::vector<float> gather(const RowsView& from, std::span<const std::uint32_t> columns, Team& team);

/// All rows of `from`, column-major: (columns.size(), from.size()).
std::vector<float> gather_columns(const RowsView& from, std::span<const std::uint32_t> columns,
                                  Team& team);

/// 0, 1, ..., n - 1.
std::vector<std::uint32_t> iota(std::size_t n);

}  // namespace quickselection
