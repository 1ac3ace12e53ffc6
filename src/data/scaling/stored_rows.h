// src/data/scaling/stored_rows.h: a data set as the kernels read it.
#pragma once

#include "kernels/tile.h"
#include "quickselection/dataset.h"

namespace quickselection {

inline kernels::StoredRows stored_rows(const Dataset& data) {
  if (data.is_sparse()) {
    const SparseView& sparse = data.sparse();
    return {sparse.values, 0, sparse.offsets, sparse.columns, sparse.type};
  }
  const MatrixView& dense = data.values();
  return {dense.data, dense.row_bytes, nullptr, nullptr, dense.type};
}

}  // namespace quickselection
