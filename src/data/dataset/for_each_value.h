// src/data/dataset/for_each_value.h: walks over what a data set stores, dense or sparse.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/team.h"
#include "quickselection/dataset.h"

namespace quickselection {

template <class T>
const T* dense_row(const Dataset& data, std::size_t row) {
  return reinterpret_cast<const T*>(data.values().row(row));
}

/// Calls body(feature, value) for what a row of sparse data stores within the given features.
template <class T, class Body>
void for_each_stored(const SparseView& sparse, std::size_t row, Range features, Body&& body) {
  const std::uint32_t* const end = sparse.columns + sparse.offsets[row + 1];
  const std::uint32_t* at =
      std::lower_bound(sparse.columns + sparse.offsets[row], end, features.begin);
  const T* value = reinterpret_cast<const T*>(sparse.values) + (at - sparse.columns);
  for (; at != end && *at < features.end; ++at) body(std::size_t{*at}, *value++);
}

/// Calls body(row, feature, value) for the stored values of rows [rows.begin, rows.end) within the
/// given features; all values when the data is dense.
template <class T, class Body>
void for_each_value(const Dataset& data, Range rows, Range features, Body&& body) {
  for (std::size_t r = rows.begin; r < rows.end; ++r) {
    if (data.is_sparse()) {
      for_each_stored<T>(data.sparse(), r, features,
                         [&](std::size_t f, const T& value) { body(r, f, value); });
    } else {
      const T* const row = dense_row<T>(data, r);
      for (std::size_t f = features.begin; f < features.end; ++f) body(r, f, row[f]);
    }
  }
}

}  // namespace quickselection
