// src/evaluation/columns.cpp: see columns.h.
#include "evaluation/columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <type_traits>

#include "quickselection/error.h"

namespace quickselection {
namespace {

// Rows handled at once: a block of a few hundred columns stays in the cache.
constexpr std::size_t kBlock = 256;

[[noreturn]] void refuse(const RowsView& from, std::size_t row, std::size_t column) {
  const Dataset& data = *from.data;
  const double value = data.at(row, column);
  const std::string what =
      fmt::format("{}: row {} (counted from 0), feature {} is {}",
                  data.source.empty() ? "the data" : data.source, row, data.name(column), value);
  if (!std::isfinite(value))
    throw Error(what + ", which cannot be evaluated",
                "fill in or remove missing and infinite values first");
  if (from.scaler != nullptr && from.scaler->mode == ScaleMode::log)
    throw Error(what + ", which ‹scale log› cannot use", "use ‹scale center›");
  throw Error(what + ", which does not fit a 32-bit float", "divide the feature by a constant");
}

float scaled(const Scaler& scaler, std::size_t feature, double value) {
  if (scaler.mode == ScaleMode::log) value = std::log1p(value);
  const float result = static_cast<float>(value - scaler.mean[feature]) * scaler.scale[feature];
  return scaler.clip > 0 ? std::clamp(result, -scaler.clip, scaler.clip) : result;
}

template <class Value>
float converted(const Scaler* scaler, std::size_t feature, Value value) {
  return scaler == nullptr ? static_cast<float>(value)
                           : scaled(*scaler, feature, static_cast<double>(value));
}

template <class Value>
struct DenseRows {
  const MatrixView& values;
  const Scaler* scaler;
  std::span<const std::uint32_t> columns;

  void operator()(std::size_t row, float* out) const {
    const std::byte* from = values.row(row);
    for (std::size_t j = 0; j < columns.size(); ++j) {
      Value value;
      std::memcpy(&value, from + columns[j] * sizeof value, sizeof value);
      out[j] = converted(scaler, columns[j], value);
    }
  }
};

/// A row begins as zeros; then the shorter of its stored places and the chosen columns is walked
/// along and looked up in the other.
template <class Value>
class SparseRows {
 public:
  SparseRows(const RowsView& from, std::span<const std::uint32_t> columns)
      : values_(from.data->sparse()), scaler_(from.scaler), zeros_(columns.size()) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      zeros_[j] = converted(scaler_, columns[j], Value{});
      sorted_.push_back({columns[j], static_cast<std::uint32_t>(j)});
    }
    if (!std::is_sorted(columns.begin(), columns.end()))
      std::sort(sorted_.begin(), sorted_.end(),
                [](const Place& a, const Place& b) { return a.column < b.column; });
  }

  void operator()(std::size_t row, float* out) const {
    std::copy(zeros_.begin(), zeros_.end(), out);
    if (sorted_.empty()) return;
    const std::uint32_t* end = values_.columns + values_.offsets[row + 1];
    const std::uint32_t* at =
        std::lower_bound(values_.columns + values_.offsets[row], end, sorted_.front().column);
    end = std::upper_bound(at, end, sorted_.back().column);
    const auto put = [&](const std::uint32_t* stored, std::uint32_t position) {
      Value value;
      std::memcpy(
          &value,
          values_.values + static_cast<std::size_t>(stored - values_.columns) * sizeof value,
          sizeof value);
      out[position] = converted(scaler_, *stored, value);
    };
    if (static_cast<std::size_t>(end - at) <= sorted_.size()) {
      for (auto place = sorted_.begin(); at != end; ++at) {
        place = std::lower_bound(
            place, sorted_.end(), *at,
            [](const Place& p, std::uint32_t column) { return p.column < column; });
        for (; place != sorted_.end() && place->column == *at; ++place) put(at, place->position);
      }
    } else {
      for (const Place& place : sorted_) {
        at = std::lower_bound(at, end, place.column);
        if (at == end) return;
        if (*at == place.column) put(at, place.position);
      }
    }
  }

 private:
  struct Place {
    std::uint32_t column, position;
  };
  const SparseView& values_;
  const Scaler* scaler_;
  std::vector<float> zeros_;
  std::vector<Place> sorted_;
};

std::size_t blocks_of(std::size_t rows) { return (rows + kBlock - 1) / kBlock; }

}  // namespace

void gather_rows(const RowsView& from, std::size_t begin, std::size_t end,
                 std::span<const std::uint32_t> columns, float* out) {
  const bool sparse = from.data->is_sparse();
  visit_type(from.data->type(), [&](auto* tag) {
    using Value = std::remove_const_t<std::remove_pointer_t<decltype(tag)>>;
    const auto check_row = [&](std::size_t i, const float* row) {
      float check = 0;  // becomes NaN when any value is NaN or infinite
      for (std::size_t j = 0; j < columns.size(); ++j) check += row[j] * 0.0f;
      if (check == 0) return;
      for (std::size_t j = 0; j < columns.size(); ++j)
        if (!std::isfinite(row[j])) refuse(from, from.rows[i], columns[j]);
    };
    const auto gather_with = [&](auto fill) {
      for (std::size_t i = begin; i < end; ++i, out += columns.size()) {
        fill(from.rows[i], out);
        check_row(i, out);
      }
    };
    if (sparse)
      gather_with(SparseRows<Value>(from, columns));
    else
      gather_with(DenseRows<Value>{from.data->values(), from.scaler, columns});
  });
}

std::vector<float> gather(const RowsView& from, std::span<const std::uint32_t> columns,
                          Team& team) {
  std::vector<float> matrix(from.size() * columns.size());
  team.for_each(blocks_of(from.size()), [&](std::size_t block) {
    const std::size_t begin = block * kBlock, end = std::min(from.size(), begin + kBlock);
    gather_rows(from, begin, end, columns, matrix.data() + begin * columns.size());
  });
  return matrix;
}

std::vector<float> gather_columns(const RowsView& from, std::span<const std::uint32_t> columns,
                                  Team& team) {
  std::vector<float> matrix(from.size() * columns.size());
  team.for_each(blocks_of(from.size()), [&](std::size_t block) {
    const std::size_t begin = block * kBlock, end = std::min(from.size(), begin + kBlock);
    std::vector<float> rows((end - begin) * columns.size());
    gather_rows(from, begin, end, columns, rows.data());
    for (std::size_t j = 0; j < columns.size(); ++j)
      for (std::size_t i = 0; i < end - begin; ++i)
        matrix[j * from.size() + begin + i] = rows[i * columns.size() + j];
  });
  return matrix;
}

std::vector<std::uint32_t> iota(std::size_t n) {
  std::vector<std::uint32_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0u);
  return numbers;
}

}  // namespace quickselection
