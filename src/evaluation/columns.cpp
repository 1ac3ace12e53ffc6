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
                "--missing mean, zero, drop-rows or drop-features decides what becomes of them");
  if (from.scaler != nullptr && from.scaler->mode == ScaleMode::log)
    throw Error(what + ", which --scale log cannot use", "use --scale center");
  throw Error(what + ", which does not fit a 32-bit float", "divide the feature by a constant");
}

float scaled(const Scaler& scaler, std::size_t feature, double value) {
  if (scaler.mode == ScaleMode::log) value = std::log1p(value);
  const float result = static_cast<float>(value - scaler.mean[feature]) * scaler.scale[feature];
  return scaler.clip > 0 ? std::clamp(result, -scaler.clip, scaler.clip) : result;
}

/// A row of the data with its zeros. Sparse ones are spread over memory that is cleared afterwards.
template <class Value>
class WholeRow {
 public:
  explicit WholeRow(const Dataset& data)
      : data_(data), spread_(data.is_sparse() ? data.features() : 0) {}

  const std::byte* operator()(std::size_t row) {
    if (!data_.is_sparse()) return data_.values().row(row);
    const SparseView& sparse = data_.sparse();
    for (const std::uint32_t column : last_) spread_[column] = Value{};
    const std::uint64_t begin = sparse.offsets[row], end = sparse.offsets[row + 1];
    last_ = {sparse.columns + begin, end - begin};
    for (std::size_t i = 0; i < last_.size(); ++i)
      std::memcpy(&spread_[last_[i]], sparse.values + (begin + i) * sizeof(Value), sizeof(Value));
    return reinterpret_cast<const std::byte*>(spread_.data());
  }

 private:
  const Dataset& data_;
  std::vector<Value> spread_;
  std::span<const std::uint32_t> last_;
};

std::size_t blocks_of(std::size_t rows) { return (rows + kBlock - 1) / kBlock; }

}  // namespace

void gather_rows(const RowsView& from, std::size_t begin, std::size_t end,
                 std::span<const std::uint32_t> columns, float* out) {
  const Scaler* scaler = from.scaler;
  visit_type(from.data->type(), [&](auto* tag) {
    using Value = std::remove_const_t<std::remove_pointer_t<decltype(tag)>>;
    WholeRow<Value> whole_row(*from.data);
    for (std::size_t i = begin; i < end; ++i, out += columns.size()) {
      const std::byte* row = whole_row(from.rows[i]);
      const auto value_at = [&](std::size_t j) {
        Value value;
        std::memcpy(&value, row + columns[j] * sizeof value, sizeof value);
        return value;
      };
      float check = 0;  // becomes NaN when any value is NaN or infinite
      for (std::size_t j = 0; j < columns.size(); ++j) {
        if (scaler == nullptr)
          out[j] = static_cast<float>(value_at(j));
        else
          out[j] = scaled(*scaler, columns[j], static_cast<double>(value_at(j)));
        check += out[j] * 0.0f;
      }
      if (check != 0)
        for (std::size_t j = 0; j < columns.size(); ++j)
          if (!std::isfinite(out[j])) refuse(from, from.rows[i], columns[j]);
    }
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
