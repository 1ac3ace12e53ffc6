// src/data/dataset/subset.cpp: see subset.h.
#include "data/dataset/subset.h"

#include <cstring>
#include <memory>
#include <numeric>
#include <utility>

#include "data/io/growing_buffer.h"

namespace quickselection {
namespace {

constexpr std::uint32_t kLeftOut = UINT32_MAX;

struct Arrays {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> columns;
  std::vector<std::byte> values;

  void add_row(const SelectedRows::Stored& row, std::size_t size) {
    columns.insert(columns.end(), row.columns.begin(), row.columns.end());
    values.insert(values.end(), row.values, row.values + row.columns.size() * size);
    offsets.push_back(columns.size());
  }
};

Dataset copy(SelectedRows& from, std::span<const std::size_t> rows) {
  const Dataset& data = from.data();
  const std::size_t features = from.columns().size(), size = size_of(data.type());
  Dataset made;
  if (data.is_sparse()) {
    auto arrays = std::make_shared<Arrays>();
    for (const std::size_t row : rows) arrays->add_row(from.stored_row(row), size);
    made = Dataset(SparseView{arrays->offsets.data(), arrays->columns.data(), arrays->values.data(),
                              rows.size(), features, data.type()},
                   arrays);
  } else {
    auto buffer = std::make_shared<GrowingBuffer>();
    buffer->reserve(rows.size() * from.row_bytes());
    for (std::size_t i = 0; i < rows.size(); ++i)
      from.copy_row(rows[i], buffer->data() + i * from.row_bytes());
    made = Dataset(MatrixView{buffer->data(), rows.size(), features, from.row_bytes(), data.type()},
                   buffer);
  }
  if (!data.names.empty())
    for (const std::size_t column : from.columns()) made.names.push_back(data.names[column]);
  if (data.labels) {
    made.labels = Labels{{}, data.labels->classes};
    for (const std::size_t row : rows) made.labels->codes.push_back(data.labels->codes[row]);
  }
  made.source = data.source;
  made.notes = data.notes;
  return made;
}

}  // namespace

SelectedRows::SelectedRows(const Dataset& data, std::span<const std::size_t> columns)
    : data_(data), columns_(columns), all_(columns.size() == data.features()) {
  if (!data.is_sparse() || all_) return;
  places_.assign(data.features(), kLeftOut);
  for (std::size_t i = 0; i < columns.size(); ++i)
    places_[columns[i]] = static_cast<std::uint32_t>(i);
}

void SelectedRows::copy_row(std::size_t row, std::byte* to) const {
  const std::size_t size = size_of(data_.type());
  if (!data_.is_sparse()) {
    const std::byte* const from = data_.values().row(row);
    if (all_)
      std::memcpy(to, from, row_bytes());
    else
      for (std::size_t i = 0; i < columns_.size(); ++i)
        std::memcpy(to + i * size, from + columns_[i] * size, size);
    return;
  }
  const SparseView& sparse = data_.sparse();
  std::memset(to, 0, row_bytes());
  for (std::uint64_t i = sparse.offsets[row]; i < sparse.offsets[row + 1]; ++i) {
    const std::uint32_t place = all_ ? sparse.columns[i] : places_[sparse.columns[i]];
    if (place != kLeftOut) std::memcpy(to + place * size, sparse.values + i * size, size);
  }
}

SelectedRows::Stored SelectedRows::stored_row(std::size_t row) {
  const SparseView& sparse = data_.sparse();
  const std::size_t size = size_of(data_.type());
  const std::uint64_t begin = sparse.offsets[row], end = sparse.offsets[row + 1];
  if (all_) return {{sparse.columns + begin, end - begin}, sparse.values + begin * size};
  row_columns_.clear();
  row_values_.clear();
  for (std::uint64_t i = begin; i < end; ++i) {
    const std::uint32_t place = places_[sparse.columns[i]];
    if (place == kLeftOut) continue;
    row_columns_.push_back(place);
    row_values_.insert(row_values_.end(), sparse.values + i * size, sparse.values + (i + 1) * size);
  }
  return {row_columns_, row_values_.data()};
}

std::size_t SelectedRows::count_stored() const {
  const SparseView& sparse = data_.sparse();
  if (all_) return sparse.stored();
  std::size_t count = 0;
  for (std::uint64_t i = sparse.offsets[0]; i < sparse.offsets[sparse.rows]; ++i)
    count += places_[sparse.columns[i]] != kLeftOut;
  return count;
}

std::vector<std::size_t> all_of(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

Dataset copy_columns(const Dataset& data, std::span<const std::size_t> columns) {
  SelectedRows from(data, columns);
  return copy(from, all_of(data.rows()));
}

Dataset copy_rows(const Dataset& data, std::span<const std::size_t> rows) {
  const std::vector<std::size_t> columns = all_of(data.features());
  SelectedRows from(data, columns);
  return copy(from, rows);
}

}  // namespace quickselection
