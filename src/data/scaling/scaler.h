// src/data/scaling/scaler.h: how stored values become network inputs. Fitted on the training rows
// only.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/team.h"
#include "core/text/options.h"
#include "kernels/tile.h"
#include "quickselection/dataset.h"
#include "quickselection/scale_mode.h"

namespace quickselection {

inline constexpr std::string_view kScaleModeNames[] = {"standard",  "minmax", "center", "log",
                                                       "deviation", "none",   "auto"};
template <>
inline constexpr std::span<const std::string_view> kChoices<ScaleMode> = kScaleModeNames;

struct Scaler {
  ScaleMode mode = ScaleMode::standard;
  float clip = 0;                  ///< 0 = none
  std::vector<double> mean;        // (I), what is subtracted
  std::vector<float> narrow_mean;  // (I), the same as floats; none = no shortcut is taken
  std::vector<float> scale;        // (I), 0 for a constant feature
  std::vector<double> variance;    // (I), of the stored values, or of their logarithms
  std::vector<double> unit;        // (I), for log(1 + x / unit); 0 = no logarithm is taken
  std::string reason;              ///< why, when the data decided
  double baseline_loss = 0;        ///< mean squared error of predicting each feature's mean

  bool takes_log() const { return !unit.empty() && unit[0] > 0; }
  bool is_constant(std::size_t feature) const { return variance[feature] == 0; }
  kernels::Scaling view() const {
    return {mean.data(), narrow_mean.empty() ? nullptr : narrow_mean.data(), scale.data(), clip,
            takes_log() ? unit.data() : nullptr};
  }
};

/// What a file keeps of a scaler beside its numbers: body(array) for each.
void for_each_array(auto& scaler, auto&& body) {
  body(scaler.mean);
  body(scaler.narrow_mean);
  body(scaler.scale);
  body(scaler.variance);
  body(scaler.unit);
}

/// One pass over the data. Throws Error naming how many values are not finite (or negative, in log
/// mode) and where the first one is. `shards` as in column_statistics.h.
Scaler fit_scaler(const Dataset& data, ScaleMode mode, float clip, Team& team,
                  std::size_t shards = 0);

/// The same for the given rows only, of which there must be one at least.
Scaler fit_scaler(const Dataset& data, std::span<const std::uint32_t> rows, ScaleMode mode,
                  float clip, Team& team, std::size_t shards = 0);

/// Throws what fitting would for values that `scaler` cannot take; for rows it was not fitted on.
void check_values(const Dataset& data, const Scaler& scaler, Team& team);

}  // namespace quickselection
