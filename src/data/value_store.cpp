// src/data/value_store.cpp: see value_store.h.
#include "data/value_store.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

namespace quickselection {
namespace {

constexpr double kRelativeLoss = 1e-6;

template <class T>
bool holds(double least, double most) {
  return least >= std::numeric_limits<T>::min() && most <= std::numeric_limits<T>::max();
}

ValueType smallest_integer(double least, double most) {
  if (holds<std::uint8_t>(least, most)) return ValueType::u8;
  if (holds<std::int16_t>(least, most)) return ValueType::i16;
  if (holds<std::uint16_t>(least, most)) return ValueType::u16;
  if (holds<std::int32_t>(least, most)) return ValueType::i32;
  return ValueType::f32;
}

bool all_integers(std::span<const double> row) {
  // 2^31 bounds the conversion; NaN fails both comparisons. No early exit: it vectorises.
  bool all = true;
  for (double value : row) {
    const bool small = std::fabs(value) <= 2147483648.0;
    all &= small && static_cast<double>(static_cast<std::int64_t>(small ? value : 0.5)) == value;
  }
  return all;
}

bool survives_f32(std::span<const double> row) {
  bool all = true;
  for (double value : row) {
    const double loss = std::fabs(static_cast<double>(static_cast<float>(value)) - value);
    all &= !(loss > kRelativeLoss * std::fabs(value));  // a NaN (from NaN or infinity) is no loss
  }
  return all;
}

}  // namespace

ValueStore::ValueStore(std::size_t features, bool use_f64)
    : features_(features), type_(use_f64 ? ValueType::f64 : ValueType::u8) {}

bool ValueStore::append(std::span<const double> row) {
  if (!is_floating(type_)) {
    if (all_integers(row)) {
      const auto [low, high] = std::minmax_element(row.begin(), row.end());
      if (*low < least_ || *high > most_) {
        least_ = std::min(least_, *low);
        most_ = std::max(most_, *high);
        widen(smallest_integer(least_, most_));
      }
    } else {
      widen(ValueType::f32);
    }
  }
  if (type_ == ValueType::f32 && !survives_f32(row)) return false;

  const std::size_t row_bytes = features_ * size_of(type_);
  buffer_->reserve((rows_ + 1) * row_bytes);
  visit_type(type_, [&](auto* tag) {
    using T = std::remove_const_t<std::remove_pointer_t<decltype(tag)>>;
    T* out = reinterpret_cast<T*>(buffer_->data() + rows_ * row_bytes);
    for (std::size_t f = 0; f < features_; ++f) out[f] = static_cast<T>(row[f]);
  });
  ++rows_;
  return true;
}

void ValueStore::widen(ValueType type) {
  if (type == type_) return;
  const std::size_t count = rows_ * features_;
  buffer_->reserve(count * size_of(type));
  std::byte* const data = buffer_->data();
  visit_type(type_, [&](auto* from_tag) {
    visit_type(type, [&](auto* to_tag) {
      using From = std::remove_const_t<std::remove_pointer_t<decltype(from_tag)>>;
      using To = std::remove_const_t<std::remove_pointer_t<decltype(to_tag)>>;
      // From the last to the first, in place: types only get wider.
      for (std::size_t i = count; i-- > 0;) {
        From value;
        std::memcpy(&value, data + i * sizeof(From), sizeof value);
        const To wider = static_cast<To>(value);
        std::memcpy(data + i * sizeof(To), &wider, sizeof wider);
      }
    });
  });
  type_ = type;
}

Dataset ValueStore::finish() {
  const MatrixView view{buffer_->data(), rows_, features_, features_ * size_of(type_), type_};
  rows_ = 0;
  return Dataset(view, std::exchange(buffer_, std::make_shared<GrowingBuffer>()));
}

}  // namespace quickselection
