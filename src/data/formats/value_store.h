// src/data/formats/value_store.h: collects rows of numbers in the smallest type that holds them
// all.
#pragma once

#include <memory>
#include <span>

#include "data/io/growing_buffer.h"
#include "quickselection/dataset.h"

namespace quickselection {

/// Starts with u8 and widens what is there when a value asks for it: u8, i16, u16, i32, then f32.
/// f64 is a decision for the whole file, because what was stored as f32 has lost digits.
class ValueStore {
 public:
  ValueStore(std::size_t features, bool use_f64);

  /// False when a finite value does not survive as f32 (within one millionth of it): the caller
  /// must begin again with use_f64. The store is then useless.
  [[nodiscard]] bool append(std::span<const double> row);

  std::size_t rows() const { return rows_; }

  /// Hands over the values. The store is empty afterwards.
  Dataset finish();

 private:
  void widen(ValueType type);

  std::size_t features_, rows_ = 0;
  ValueType type_;
  double least_ = 0, most_ = 0;  // of the rows that made the type wider
  std::shared_ptr<GrowingBuffer> buffer_ = std::make_shared<GrowingBuffer>();
};

/// The type that such a store would have: the smallest one that holds all of them.
ValueType smallest_type(std::span<const double> values);

/// Stores the values as `type` in their own memory, one after the other from the front.
std::byte* narrow(std::span<double> values, ValueType type);

}  // namespace quickselection
