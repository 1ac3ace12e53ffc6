// src/data/formats/numpy/npy_write.cpp: see npy_write.h.
#include "data/formats/numpy/npy_write.h"

#include <vector>

#include "core/atomic_file.h"
#include "data/dataset/subset.h"
#include "data/formats/numpy/npy_header.h"

namespace quickselection {

void write_npy(const std::string& path, const Dataset& data,
               std::span<const std::uint32_t> columns) {
  AtomicFile file(path);
  file.write(make_npy_header(data.type(), data.rows(), columns.size()));
  const SelectedRows rows(data, columns);
  std::vector<std::byte> row(rows.row_bytes());
  for (std::size_t r = 0; r < data.rows(); ++r) {
    rows.copy_row(r, row.data());
    file.write(row.data(), row.size());
  }
  file.commit();
}

}  // namespace quickselection
