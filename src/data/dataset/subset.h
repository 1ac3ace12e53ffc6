// src/data/dataset/subset.h: some columns or rows of a data set, dense or sparse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "quickselection/dataset.h"

namespace quickselection {

/// Rows of a data set, cut to some ascending columns, in the stored type. One at a time: sparse
/// data is never made dense as a whole. The data set and the columns must outlive it.
class SelectedRows {
 public:
  SelectedRows(const Dataset& data, std::span<const std::uint32_t> columns);

  const Dataset& data() const { return data_; }
  std::span<const std::uint32_t> columns() const { return columns_; }
  std::size_t row_bytes() const { return columns_.size() * size_of(data_.type()); }

  /// All values of a row, zeros included, into row_bytes() bytes.
  void copy_row(std::size_t row, std::byte* to) const;

  /// What is stored of a row of sparse data: places among the columns, and values.
  struct Stored {
    std::span<const std::uint32_t> columns;
    const std::byte* values = nullptr;
  };
  /// Valid until the next call.
  Stored stored_row(std::size_t row);
  /// How many values a row of sparse data stores, and all of them.
  std::size_t count_stored(std::size_t row) const;
  std::size_t count_stored() const;

 private:
  const Dataset& data_;
  std::span<const std::uint32_t> columns_;
  bool all_ = false;                   // the columns are all columns
  std::vector<std::uint32_t> places_;  // of each feature among the columns, when sparse
  std::vector<std::uint32_t> row_columns_;
  std::vector<std::byte> row_values_;
};

/// Copies in the stored type, sparse data staying sparse; names, labels, source and notes come
/// along. Columns ascend; rows come in any order, each as often as it is named.
Dataset copy_columns(const Dataset& data, std::span<const std::uint32_t> columns);
Dataset copy_rows(const Dataset& data, std::span<const std::uint32_t> rows);

}  // namespace quickselection
