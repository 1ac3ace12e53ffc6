// src/data/scaling/stored_rows.h: a data set as the kernels read it.
#pragma once

#include "kernels/tile.h"
#include "quickselection/dataset.h"

namespace quickselection {

inline kernels::StoredRows stored_rows(const Dataset& data) {
  if (data.is_sparse()) {
    const SparseView& sparse = data.sparse();
    return {{sparse.values, sparse.rows, sparse.features, 0, sparse.type},
            sparse.offsets,
            sparse.columns};
  }
  return {data.values()};
}

}  // namespace quickselection
