// src/data/scaling/scaled_rows.cpp: see scaled_rows.h.
#include "data/scaling/scaled_rows.h"

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

/// The stored values of a sparse row, over the zeros that `out` holds.
template <class T>
void read_sparse(const SparseView& sparse, std::size_t row, Range features, const Scaler& scaler,
                 float* out) {
  const std::uint32_t* const end = sparse.columns + sparse.offsets[row + 1];
  const std::uint32_t* at =
      std::lower_bound(sparse.columns + sparse.offsets[row], end, features.begin);
  const T* const values = reinterpret_cast<const T*>(sparse.values);
  for (; at != end && *at < features.end; ++at)
    scale(values + (at - sparse.columns), {*at, *at + std::size_t{1}}, scaler,
          out + (*at - features.begin));
}

}  // namespace

ScaledRows::ScaledRows(const Dataset& data, const Scaler& scaler) : data_(&data), scaler_(&scaler) {
  if (!data.is_sparse()) return;
  zeros_.resize(features());
  visit_type(data.type(), [&](auto* tag) {
    using T = std::remove_const_t<std::remove_pointer_t<decltype(tag)>>;
    scale(std::vector<T>(features()).data(), {0, features()}, scaler, zeros_.data());
  });
}

void ScaledRows::read(std::size_t row, Range features, float* out) const noexcept {
  visit_type(data_->type(), [&](auto* tag) {
    using T = std::remove_const_t<std::remove_pointer_t<decltype(tag)>>;
    if (data_->is_sparse()) {
      std::copy_n(zeros_.begin() + static_cast<long>(features.begin), features.size(), out);
      read_sparse<T>(data_->sparse(), row, features, *scaler_, out);
    } else {
      const MatrixView& values = data_->values();
      scale(reinterpret_cast<const T*>(values.row(row)) + features.begin, features, *scaler_, out);
    }
  });
}

}  // namespace quickselection
