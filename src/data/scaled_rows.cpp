// src/data/scaled_rows.cpp: see scaled_rows.h.
#include "data/scaled_rows.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace quickselection {
namespace {

// Types that are exact as floats; the others lose digits, so their mean is subtracted first. The
// same arithmetic as in kernels/tile.cpp, so that both give the same bits.
template <class T>
constexpr bool kNarrow = sizeof(T) <= 2 || std::is_same_v<T, float>;

template <class T>
void scale(const T* values, Range features, const Scaler& scaler, float* out) {
  const std::size_t count = features.size();
  const float* factor = scaler.scale.data() + features.begin;
  if (scaler.mode == ScaleMode::log) {
    for (std::size_t i = 0; i < count; ++i)
      out[i] = static_cast<float>(std::log1p(static_cast<double>(values[i])) -
                                  scaler.mean[features.begin + i]) *
               factor[i];
  } else if constexpr (kNarrow<T>) {
    const float* mean = scaler.narrow_mean.data() + features.begin;
    for (std::size_t i = 0; i < count; ++i)
      out[i] = (static_cast<float>(values[i]) - mean[i]) * factor[i];
  } else {
    const double* mean = scaler.mean.data() + features.begin;
    for (std::size_t i = 0; i < count; ++i)
      out[i] = static_cast<float>(static_cast<double>(values[i]) - mean[i]) * factor[i];
  }
  if (scaler.clip > 0)
    for (std::size_t i = 0; i < count; ++i) out[i] = std::clamp(out[i], -scaler.clip, scaler.clip);
}

}  // namespace

void ScaledRows::read(std::size_t row, Range features, float* out) const noexcept {
  const MatrixView& values = data_->values();
  visit_type(values.type, [&](auto* tag) {
    using T = std::remove_const_t<std::remove_pointer_t<decltype(tag)>>;
    scale(reinterpret_cast<const T*>(values.row(row)) + features.begin, features, *scaler_, out);
  });
}

}  // namespace quickselection
