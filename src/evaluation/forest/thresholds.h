// src/evaluation/forest/thresholds.h: thresholds between the values of a column.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace quickselection {

/// The largest float that is not above `value`: comparing floats with it is the same.
inline float round_down(double value) {
  const float near = static_cast<float>(value);
  return near > value ? std::nextafter(near, -std::numeric_limits<float>::infinity()) : near;
}

/// The last of values[least .. most) that is not above the threshold; values[least] is not.
/// Without branches, because no guess would be right more often than wrong.
inline std::uint32_t last_not_above(const float* values, std::uint32_t least, std::uint32_t most,
                                    double threshold) {
  const float* first = values + least;
  for (std::uint32_t length = most - least; length > 1;) {
    const std::uint32_t half = length / 2;
    first += first[half] <= threshold ? half : 0;
    length -= half;
  }
  return static_cast<std::uint32_t>(first - values);
}

}  // namespace quickselection
