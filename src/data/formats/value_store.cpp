// src/data/formats/value_store.cpp: see value_store.h.
#include "data/formats/value_store.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace quickselection {
namespace {

constexpr double kRelativeLoss = 1e-6;

struct Bounds {
  double least, most;
};

Bounds bounds_of(ValueType type) {
  return visit_type(type, []<class T>() {
    using Numbers = std::numeric_limits<T>;
    return Bounds{static_cast<double>(Numbers::lowest()), static_cast<double>(Numbers::max())};
  });
}

ValueType smallest_integer(double least, double most) {
  for (ValueType type : {ValueType::u8, ValueType::i16, ValueType::u16})
    if (least >= bounds_of(type).least && most <= bounds_of(type).most) return type;
  return ValueType::i32;
}

/// Integers within [least, most], which are at most 2^31 apart from zero. NaN is none.
bool all_integers(std::span<const double> row, double least, double most) {
  // Adding and subtracting 1.5 * 2^52 rounds to an integer. No early exit: the loop vectorises.
  constexpr double kRound = 0x1.8p52;
  bool all = true;
  for (double value : row)
    all &= (value >= least) & (value <= most) & ((value + kRound) - kRound == value);
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
  // Below zero counts as out of range until the first negative value, so that least_ is known.
  const Bounds bounds = bounds_of(type_);
  if (!is_floating(type_) && !all_integers(row, least_ < 0 ? bounds.least : 0, bounds.most)) {
    const Bounds widest = bounds_of(ValueType::i32);
    if (all_integers(row, widest.least, widest.most)) {
      const auto [low, high] = std::minmax_element(row.begin(), row.end());
      least_ = std::min(least_, *low);
      most_ = std::max(most_, *high);
      widen(smallest_integer(least_, most_));
    } else {
      widen(ValueType::f32);
    }
  }
  if (type_ == ValueType::f32 && !survives_f32(row)) return false;

  const std::size_t row_bytes = features_ * size_of(type_);
  buffer_->reserve((rows_ + 1) * row_bytes);
  visit_type(type_, [&]<class T>() {
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
  visit_type(type_, [&]<class From>() {
    visit_type(type, [&]<class To>() {
      // From the last to the first, in place: types only get wider.
      for (std::size_t i = count; i-- > 0;) {
        From value;
        std::memcpy(&value, data + i * sizeof(From), sizeof value);
        const To wider = static_cast<To>(static_cast<double>(value));
        std::memcpy(data + i * sizeof(To), &wider, sizeof wider);
      }
    });
  });
  type_ = type;
}

ValueType smallest_type(std::span<const double> values) {
  const Bounds widest = bounds_of(ValueType::i32);
  if (all_integers(values, widest.least, widest.most)) {
    if (values.empty()) return ValueType::u8;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return smallest_integer(std::min(*low, 0.0), *high);
  }
  return survives_f32(values) ? ValueType::f32 : ValueType::f64;
}

std::byte* narrow(std::span<double> values, ValueType type) {
  auto* const bytes = reinterpret_cast<std::byte*>(values.data());
  visit_type(type, [&]<class T>() {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const T value = static_cast<T>(values[i]);
      std::memcpy(bytes + i * sizeof value, &value, sizeof value);
    }
  });
  return bytes;
}

Dataset ValueStore::finish() {
  const MatrixView view{buffer_->data(), rows_, features_, features_ * size_of(type_), type_};
  rows_ = 0;
  return Dataset(view, std::exchange(buffer_, std::make_shared<GrowingBuffer>()));
}

}  // namespace quickselection
