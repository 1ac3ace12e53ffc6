// src/data/dataset/dataset.cpp: the Dataset's invariants and slices.
#include "quickselection/dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "quickselection/error.h"

namespace quickselection {

// Here, not in the header: each of these is long, and nearly every file would compile it.
Dataset::Dataset() = default;
Dataset::Dataset(const Dataset&) = default;
Dataset::Dataset(Dataset&&) noexcept = default;
Dataset& Dataset::operator=(const Dataset&) = default;
Dataset& Dataset::operator=(Dataset&&) noexcept = default;
Dataset::~Dataset() = default;

Dataset::Dataset(MatrixView values, std::shared_ptr<const void> owner, Backing backing)
    : values_(values), backing_(backing), owner_(std::move(owner)) {
  if (values_.row_bytes < values_.features * size_of(values_.type))
    throw InvalidArgument(fmt::format("rows of {} bytes cannot hold {} values of type {}",
                                      values_.row_bytes, values_.features,
                                      quickselection::name_of(values_.type)));
}

Dataset::Dataset(SparseView values, std::shared_ptr<const void> owner)
    : values_{nullptr, values.rows, values.features, 0, values.type},
      sparse_(values),
      owner_(std::move(owner)) {
  if (values.features > std::size_t{1} << 32)
    throw InvalidArgument(fmt::format("{} features are more than the 4294967296 of a sparse matrix",
                                      values.features));
  for (std::size_t r = 0; r < values.rows; ++r) {
    const std::uint64_t begin = values.offsets[r], end = values.offsets[r + 1];
    if (begin > end)
      throw InvalidArgument(fmt::format("row {} of the sparse matrix ends before it begins", r));
    for (std::uint64_t i = begin; i < end; ++i) {
      if (values.columns[i] >= values.features)
        throw InvalidArgument(
            fmt::format("row {} has a value in column {}, but there are {} columns", r,
                        values.columns[i], values.features));
      if (i > begin && values.columns[i] <= values.columns[i - 1])
        throw InvalidArgument(
            fmt::format("row {}: column {} follows column {}, but columns must ascend", r,
                        values.columns[i], values.columns[i - 1]));
    }
  }
}

const MatrixView& Dataset::values() const {
  if (is_sparse())
    throw InvalidArgument("the data is sparse, but dense data is needed here",
                          "`quickselection convert` makes a dense file of it");
  return values_;
}

const SparseView& Dataset::sparse() const {
  if (!is_sparse()) throw InvalidArgument("the data is dense, but sparse data is needed here");
  return *sparse_;
}

std::size_t Dataset::value_bytes() const {
  if (!is_sparse()) return rows() * features() * size_of(type());
  return sparse_->stored() * (size_of(type()) + sizeof(std::uint32_t)) +
         (rows() + 1) * sizeof(std::uint64_t);
}

void Dataset::check_sizes(const std::vector<std::uint64_t>& offsets, std::size_t columns,
                          std::size_t values) {
  if (offsets.empty() || offsets.front() != 0 || offsets.back() != values || columns != values)
    throw InvalidArgument(
        fmt::format("{} row offsets, {} columns and {} values do not make a sparse matrix",
                    offsets.size(), columns, values));
  if (!std::is_sorted(offsets.begin(), offsets.end()))
    throw InvalidArgument("the row offsets of a sparse matrix must ascend");
}

void Dataset::check_size(std::size_t have, std::size_t rows, std::size_t features) {
  if (features != 0 && rows > std::numeric_limits<std::size_t>::max() / features)
    throw InvalidArgument(
        fmt::format("{} x {} values are more than can be addressed", rows, features));
  if (have != rows * features)
    throw InvalidArgument(
        fmt::format("{} values do not make {} rows of {} features", have, rows, features));
}

double Dataset::at(std::size_t row, std::size_t feature) const {
  return visit_type(type(), [&]<class T>() {
    T value{};
    const std::byte* place = values_.row(row) + feature * sizeof value;
    if (sparse_) {
      const std::uint32_t* const begin = sparse_->columns + sparse_->offsets[row];
      const std::uint32_t* const end = sparse_->columns + sparse_->offsets[row + 1];
      const std::uint32_t* const found = std::lower_bound(begin, end, feature);
      if (found == end || *found != feature) return 0.0;
      place =
          sparse_->values + (found - sparse_->columns) * static_cast<std::ptrdiff_t>(sizeof value);
    }
    std::memcpy(&value, place, sizeof value);
    return static_cast<double>(value);
  });
}

Dataset Dataset::slice_rows(std::size_t begin, std::size_t end) const {
  if (begin >= end || end > rows())
    throw InvalidArgument(fmt::format("rows {}:{} are not within the {} rows of {}", begin, end,
                                      rows(), source.empty() ? "the data" : source),
                          "rows are counted from 0, and the last one is not included");
  Dataset part = *this;
  if (part.sparse_) {
    part.sparse_->offsets += begin;
    part.sparse_->rows = end - begin;
  } else if (values_.parts.empty()) {
    part.values_.data = values_.row(begin);
  } else {
    part.values_.skipped += begin;
  }
  part.values_.rows = end - begin;
  for (PartOfRows& file : part.files) file.first -= static_cast<std::ptrdiff_t>(begin);
  if (labels) {
    const auto first = labels->codes.begin();
    part.labels->codes.assign(first + static_cast<std::ptrdiff_t>(begin),
                              first + static_cast<std::ptrdiff_t>(end));
  }
  return part;
}

std::string Dataset::name(std::size_t feature) const {
  return names.empty() ? std::to_string(feature) : names[feature];
}

std::string Dataset::row_text(std::size_t row) const {
  const auto number = static_cast<std::ptrdiff_t>(row);
  const PartOfRows* in = nullptr;
  for (const PartOfRows& file : files)
    if (file.first <= number) in = &file;
  if (in == nullptr) return fmt::format("row {} (counted from 0)", row);
  return fmt::format("row {} (counted from 0; row {} of {})", row, number - in->first, in->path);
}

}  // namespace quickselection
