// include/quickselection/scale_mode.h: the ways to scale features before a selection.
#pragma once

#include <cstdint>

namespace quickselection {

enum class ScaleMode : std::uint8_t {
  standard,   ///< zero mean, unit variance, for each feature
  minmax,     ///< to [0, 1], for each feature
  center,     ///< zero mean for each feature, one scale for all, so that variances still count
  log,        ///< as center, after log(1 + x); for counts and other non-negative data
  deviation,  ///< unit variance for each feature, not centred: zeros of sparse data stay zero
  none,       ///< as stored
  automatic,  ///< "auto": as center, with logarithms and units as the values themselves suggest
};

}  // namespace quickselection
