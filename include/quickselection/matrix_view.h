// include/quickselection/matrix_view.h: dense values as they are stored, in one place or several.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "quickselection/value_type.h"

namespace quickselection {

/// Rows from `first` on that follow each other in memory, up to those of the next part.
struct MatrixPart {
  std::size_t first = 0;
  const std::byte* data = nullptr;
};

/// A dense row-major matrix in its stored type. Rows may be further apart than their length.
struct MatrixView {
  const std::byte* data = nullptr;
  std::size_t rows = 0;
  std::size_t features = 0;
  std::size_t row_bytes = 0;  ///< distance between two rows
  ValueType type = ValueType::f32;
  /// Of rows that stand in several places, such as files: ascending, the first one from row 0 on.
  /// Then there is no `data`, and row 0 of the matrix is row `skipped` of the parts.
  std::span<const MatrixPart> parts = {};
  std::size_t skipped = 0;

  const std::byte* row(std::size_t r) const {
    if (parts.empty()) return data + r * row_bytes;
    const MatrixPart& part = *(
        std::upper_bound(parts.begin(), parts.end(), skipped + r,
                         [](std::size_t wanted, const MatrixPart& p) { return wanted < p.first; }) -
        1);
    return part.data + (skipped + r - part.first) * row_bytes;
  }
};

}  // namespace quickselection
