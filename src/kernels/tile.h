// src/kernels/tile.h: rows of stored data become a scaled, noised, feature-major tile.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "quickselection/matrix_view.h"

namespace quickselection::kernels {

/// value -> (f(value) - mean) * scale, bounded by +-clip; f is log(1 + x / unit) or nothing.
struct Scaling {
  const double* mean = nullptr;        // (I)
  const float* narrow_mean = nullptr;  // (I), the same, for types that are exact as floats; or
                                       // null, and all differences are taken in double precision
  const float* scale = nullptr;        // (I)
  float clip = 0;                      ///< 0 = none
  const double* unit = nullptr;        // (I), or null: no logarithm
};

/// Types whose values are exact as floats. The others lose digits, so their mean is subtracted
/// first.
template <class T>
inline constexpr bool kNarrow = sizeof(T) <= 2 || std::is_same_v<T, float>;

/// One value: what every reader of scaled data computes, so that all see the same bits.
template <class T>
inline float scaled(const Scaling& scaling, std::size_t feature, T value) {
  const auto from_mean = [&](double x) { return static_cast<float>(x - scaling.mean[feature]); };
  float difference;
  if (scaling.unit != nullptr)
    difference = from_mean(std::log1p(static_cast<double>(value) / scaling.unit[feature]));
  else if (kNarrow<T> && scaling.narrow_mean != nullptr)
    difference = static_cast<float>(value) - scaling.narrow_mean[feature];
  else
    difference = from_mean(static_cast<double>(value));
  const float result = difference * scaling.scale[feature];
  return scaling.clip > 0 ? std::min(std::max(result, -scaling.clip), scaling.clip) : result;
}

/// Fresh or fixed Gaussian noise, a pure function of (seed, epoch, row, feature).
struct Noise {
  float level = 0;  ///< 0 = none
  std::uint64_t seed = 0;
  std::uint32_t epoch = 0;
};

/// Rows as they are stored: dense, or CSR when `offsets` is there; its values are then those at
/// `values.data`.
struct StoredRows {
  MatrixView values;
  const std::uint64_t* offsets = nullptr;
  const std::uint32_t* columns = nullptr;  ///< ascending in each row
};

struct TileJob {
  StoredRows from;
  const std::uint32_t* row_ids = nullptr;  // (B)
  std::size_t samples = 0, stride = 0;
  Scaling scaling;
  Noise noise;
  float* clean = nullptr;           // (I, B), or null
  float* noisy = nullptr;           // (I, B), or null
  std::uint32_t* packed = nullptr;  // (I, B), or null: the noisy one in packed rows (layer/layer.h)
};

/// Features are worked on in blocks of this size; ranges must begin at a multiple of it.
inline constexpr std::size_t kTileBlock = 8;

/// Fills rows [begin, end) of the tiles that are there; the padding becomes 0.
void fill_tile(const TileJob& job, std::size_t begin, std::size_t end) noexcept;

}  // namespace quickselection::kernels
