// src/data/dataset/subset.cpp: see subset.h.
#include "data/dataset/subset.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "core/aligned.h"
#include "core/iota.h"

namespace quickselection {
namespace {

constexpr std::uint32_t kLeftOut = UINT32_MAX;

struct TakenArrays {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> columns;
  std::vector<std::byte> values;
};

Dataset copy_sparse(SelectedRows& from, std::span<const std::uint32_t> rows) {
  auto made = std::make_shared<TakenArrays>();
  const std::size_t size = size_of(from.data().type());
  for (const std::uint32_t row : rows)
    made->offsets.push_back(made->offsets.back() + from.count_stored(row));
  made->columns.resize(made->offsets.back());
  made->values.resize(made->offsets.back() * size);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const SelectedRows::Stored row = from.stored_row(rows[i]);
    std::copy(row.columns.begin(), row.columns.end(), made->columns.data() + made->offsets[i]);
    std::copy_n(row.values, row.columns.size() * size,
                made->values.data() + made->offsets[i] * size);
  }
  const SparseView view{made->offsets.data(), made->columns.data(),  made->values.data(),
                        rows.size(),          from.columns().size(), from.data().type()};
  return Dataset(view, made);
}

Dataset copy_dense(const SelectedRows& from, std::span<const std::uint32_t> rows) {
  auto made = std::make_shared<AlignedArray<std::byte>>(rows.size() * from.row_bytes());
  for (std::size_t i = 0; i < rows.size(); ++i)
    from.copy_row(rows[i], made->data() + i * from.row_bytes());
  const MatrixView view{made->data(), rows.size(), from.columns().size(), from.row_bytes(),
                        from.data().type()};
  return Dataset(view, made);
}

Dataset copy(SelectedRows from, std::span<const std::uint32_t> rows) {
  const Dataset& data = from.data();
  Dataset made = data.is_sparse() ? copy_sparse(from, rows) : copy_dense(from, rows);
  if (!data.names.empty())
    for (const std::uint32_t column : from.columns()) made.names.push_back(data.names[column]);
  if (data.labels) {
    made.labels = Labels{{}, data.labels->classes, data.labels->measured};
    for (const std::uint32_t row : rows) made.labels->codes.push_back(data.labels->codes[row]);
  }
  // A group stays one while all its columns stay side by side.
  for (const FeatureGroup& group : data.groups) {
    const std::span columns = from.columns();
    const auto begin = static_cast<std::size_t>(
        std::find(columns.begin(), columns.end(), group.begin) - columns.begin());
    bool whole = begin + (group.end - group.begin) <= columns.size();
    for (std::uint32_t c = group.begin; whole && c < group.end; ++c)
      whole = columns[begin + c - group.begin] == c;
    const auto first = static_cast<std::uint32_t>(begin);
    if (whole) made.groups.push_back({group.name, first, first + group.end - group.begin});
  }
  std::sort(made.groups.begin(), made.groups.end(),
            [](const FeatureGroup& a, const FeatureGroup& b) { return a.begin < b.begin; });
  made.source = data.source;
  made.notes = data.notes;
  made.decisions = data.decisions;
  made.table = data.table;
  return made;
}

}  // namespace

SelectedRows::SelectedRows(const Dataset& data, std::span<const std::uint32_t> columns)
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

std::size_t SelectedRows::count_stored(std::size_t row) const {
  const SparseView& sparse = data_.sparse();
  const std::uint64_t begin = sparse.offsets[row], end = sparse.offsets[row + 1];
  if (all_) return end - begin;
  return static_cast<std::size_t>(
      std::count_if(sparse.columns + begin, sparse.columns + end,
                    [&](std::uint32_t column) { return places_[column] != kLeftOut; }));
}

std::size_t SelectedRows::count_stored() const {
  std::size_t count = 0;
  for (std::size_t r = 0; r < data_.rows(); ++r) count += count_stored(r);
  return count;
}

Dataset copy_columns(const Dataset& data, std::span<const std::uint32_t> columns) {
  Dataset made = copy({data, columns}, iota(data.rows()));
  made.files = data.files;
  return made;
}

Dataset copy_rows(const Dataset& data, std::span<const std::uint32_t> rows) {
  return copy({data, iota(data.features())}, rows);
}

}  // namespace quickselection
