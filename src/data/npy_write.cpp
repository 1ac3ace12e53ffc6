// src/data/npy_write.cpp: see npy_write.h.
#include "data/npy_write.h"

#include <cstring>
#include <vector>

#include "core/atomic_file.h"
#include "data/npy_header.h"

namespace quickselection {

void write_npy(const std::string& path, const Dataset& data, std::span<const std::size_t> columns) {
  AtomicFile file(path);
  file.write(make_npy_header(data.type(), data.rows(), columns.size()));
  const std::size_t size = size_of(data.type());
  std::vector<std::byte> row(columns.size() * size);
  for (std::size_t r = 0; r < data.rows(); ++r) {
    for (std::size_t i = 0; i < columns.size(); ++i)
      std::memcpy(row.data() + i * size, data.values().row(r) + columns[i] * size, size);
    file.write(row.data(), row.size());
  }
  file.commit();
}

}  // namespace quickselection
