// src/data/dataset/take_rows.cpp: see take_rows.h.
#include "data/dataset/take_rows.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "core/aligned.h"

namespace quickselection {
namespace {

Dataset take_dense(const MatrixView& from, std::span<const std::uint32_t> rows) {
  const std::size_t row_bytes = from.features * size_of(from.type);
  auto owner = std::make_shared<AlignedArray<std::byte>>(rows.size() * row_bytes);
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::memcpy(owner->data() + i * row_bytes, from.row(rows[i]), row_bytes);
  const MatrixView view{owner->data(), rows.size(), from.features, row_bytes, from.type};
  return Dataset(view, owner);
}

Dataset take_sparse(const SparseView& from, std::span<const std::uint32_t> rows) {
  struct Arrays {
    std::vector<std::uint64_t> offsets;
    std::vector<std::uint32_t> columns;
    std::vector<std::byte> values;
  };
  auto owner = std::make_shared<Arrays>();
  const std::size_t size = size_of(from.type);
  owner->offsets.push_back(0);
  for (const std::uint32_t row : rows)
    owner->offsets.push_back(owner->offsets.back() + from.offsets[row + 1] - from.offsets[row]);
  owner->columns.resize(owner->offsets.back());
  owner->values.resize(owner->offsets.back() * size);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint64_t begin = from.offsets[rows[i]], count = from.offsets[rows[i] + 1] - begin;
    const std::uint64_t to = owner->offsets[i];
    std::copy_n(from.columns + begin, count, owner->columns.data() + to);
    std::copy_n(from.values + begin * size, count * size, owner->values.data() + to * size);
  }
  const SparseView view{owner->offsets.data(), owner->columns.data(), owner->values.data(),
                        rows.size(),           from.features,         from.type};
  return Dataset(view, owner);
}

}  // namespace

Dataset take_rows(const Dataset& data, std::span<const std::uint32_t> rows) {
  Dataset taken =
      data.is_sparse() ? take_sparse(data.sparse(), rows) : take_dense(data.values(), rows);
  taken.names = data.names;
  taken.source = data.source;
  return taken;
}

}  // namespace quickselection
