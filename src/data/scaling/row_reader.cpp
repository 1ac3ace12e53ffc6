// src/data/scaling/row_reader.cpp: see row_reader.h.
#include "data/scaling/row_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "data/dataset/for_each_value.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

// Rows handed out at once: a block of a few hundred columns stays in the cache.
constexpr std::size_t kBlock = 256;
constexpr std::uint32_t kNowhere = UINT32_MAX;

/// out[i] = value(i) of feature(i). The scaling is copied, so that the compiler knows that writing
/// `out` does not change it, and asks for logarithm and clipping once.
void convert(const Scaler* scaler, std::size_t count, auto value, auto feature, float* out) {
  if (scaler == nullptr) {
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<float>(value(i));
    return;
  }
  const kernels::Scaling scaling = scaler->view();
  for (std::size_t i = 0; i < count; ++i) out[i] = kernels::scaled(scaling, feature(i), value(i));
}

template <class T>
float convert_one(const Scaler* scaler, std::size_t feature, T value) {
  return scaler == nullptr ? static_cast<float>(value)
                           : kernels::scaled(scaler->view(), feature, value);
}

bool follow_each_other(std::span<const std::uint32_t> columns) {
  for (std::size_t i = 1; i < columns.size(); ++i)
    if (columns[i] != columns[0] + i) return false;
  return true;
}

}  // namespace

RowReader::RowReader(const RowsView& from) : from_(from), width_(from.data->features()) {
  find_zeros();
}

RowReader::RowReader(const RowsView& from, std::span<const std::uint32_t> columns)
    : from_(from), width_(columns.size()) {
  if (!columns.empty()) first_ = columns[0];
  if (!follow_each_other(columns)) listed_ = columns;
  find_zeros();
  if (listed_.empty() || !from.data->is_sparse()) return;
  places_.assign(from.data->features(), kNowhere);
  for (std::size_t i = 0; i < width_; ++i) places_[columns[i]] = static_cast<std::uint32_t>(i);
}

void RowReader::find_zeros() {
  if (!from_.data->is_sparse()) return;
  visit_type(from_.data->type(), [&]<class T>() {
    for (std::size_t i = 0; i < width_; ++i)
      zeros_.push_back(convert_one(from_.scaler, feature(i), T{0}));
  });
}

template <class T>
void RowReader::read_as(std::size_t row, Range places, float* out) const {
  const Dataset& data = *from_.data;
  if (data.is_sparse()) {
    std::copy_n(zeros_.begin() + static_cast<long>(places.begin), places.size(), out);
    const Range features = listed_.empty() ? Range{first_ + places.begin, first_ + places.end}
                                           : Range{0, data.features()};
    for_each_stored<T>(data.sparse(), row, features, [&](std::size_t f, T value) {
      const std::size_t place = listed_.empty() ? f - first_ : places_[f];
      if (place - places.begin < places.size())
        out[place - places.begin] = convert_one(from_.scaler, f, value);
    });
    return;
  }
  const T* const values = dense_row<T>(data, row);
  const auto read = [&](auto feature) {
    convert(
        from_.scaler, places.size(), [=](std::size_t i) { return values[feature(i)]; }, feature,
        out);
  };
  if (listed_.empty())
    read([begin = first_ + places.begin](std::size_t i) { return begin + i; });
  else
    read([columns = listed_.data() + places.begin](std::size_t i) { return columns[i]; });
}

void RowReader::read(std::size_t i, Range places, float* out) const noexcept {
  visit_type(from_.data->type(), [&]<class T>() { read_as<T>(from_[i], places, out); });
}

void RowReader::read_checked(std::size_t i, Range places, float* out) const {
  read(i, places, out);
  float check = 0;  // becomes NaN when any value is NaN or infinite
  for (std::size_t j = 0; j < places.size(); ++j) check += out[j] * 0.0f;
  if (check == 0) return;
  for (std::size_t j = 0; j < places.size(); ++j)
    if (!std::isfinite(out[j])) refuse(from_[i], feature(places.begin + j));
}

void RowReader::refuse(std::size_t row, std::size_t feature) const {
  const Dataset& data = *from_.data;
  const double value = data.at(row, feature);
  const std::string what =
      fmt::format("{}: {}, feature {} is {}", data.source.empty() ? "the data" : data.source,
                  data.row_text(row), data.name(feature), value);
  if (!std::isfinite(value))
    throw Error(what + ", which cannot be evaluated",
                "fill in or remove missing and infinite values first");
  if (from_.scaler != nullptr && from_.scaler->takes_log())
    throw Error(fmt::format("{}, which ‹scale {}› cannot use", what, name_of(from_.scaler->mode)),
                "use ‹scale center›");
  throw Error(what + ", which does not fit a 32-bit float", "divide the feature by a constant");
}

std::vector<float> RowReader::gather(Team& team) const {
  std::vector<float> matrix(rows() * width_);
  team.for_each((rows() + kBlock - 1) / kBlock, [&](std::size_t block) {
    for (std::size_t i = block * kBlock; i < std::min(rows(), (block + 1) * kBlock); ++i)
      read_checked(i, matrix.data() + i * width_);
  });
  return matrix;
}

std::vector<float> RowReader::gather_columns(Range places, Team& team) const {
  const std::size_t count = rows(), width = places.size();
  std::vector<float> matrix(count * width);
  team.for_each((count + kBlock - 1) / kBlock, [&](std::size_t block) {
    const std::size_t begin = block * kBlock, end = std::min(count, begin + kBlock);
    std::vector<float> rows_of_block((end - begin) * width);
    for (std::size_t i = begin; i < end; ++i)
      read_checked(i, places, rows_of_block.data() + (i - begin) * width);
    for (std::size_t j = 0; j < width; ++j)
      for (std::size_t i = begin; i < end; ++i)
        matrix[j * count + i] = rows_of_block[(i - begin) * width + j];
  });
  return matrix;
}

}  // namespace quickselection
