// src/data/scaling/auto_scale.h: the scaling that the values themselves suggest.
//
// Features of one unit keep their variances, which tell how much each of them says; features of
// many units do not, because a unit is an accident. Values that are never negative are levels or
// counts, where a factor matters more than a difference: their logarithms are taken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/team.h"
#include "data/scaling/column_statistics.h"
#include "quickselection/dataset.h"

namespace quickselection {

struct AutoScale {
  std::vector<double> unit;    ///< (I), for log(1 + x / unit); none = no logarithm is taken
  bool standardise = false;    ///< every feature gets the variance 1
  std::vector<double> factor;  ///< (I), otherwise: what each is multiplied by; 1 for nearly all
  std::string reason;
};

/// Ranges differ when more than a quarter of the features that vary lie beyond a factor of 5 of the
/// middle one. `as_stored` are the statistics of these rows, without logarithms. No rows = all.
/// `shards` as in column_statistics.h.
AutoScale auto_scale(const Dataset& data, std::span<const std::uint32_t> rows,
                     const ColumnStatistics& as_stored, Team& team, std::size_t shards = 0);

}  // namespace quickselection
