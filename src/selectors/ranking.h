// src/selectors/ranking.h: what a single selection and repeated ones have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "data/scaling/scaler.h"
#include "quickselection/dataset.h"
#include "quickselection/selection.h"

namespace quickselection {

/// Best first; equal scores in the order of their columns; constant features behind all others. A
/// group of columns stands where its first column's score puts it.
std::vector<std::uint32_t> rank_features(std::span<const double> scores, const Dataset& data,
                                         const Scaler& scaler);

/// The ranking by other scores of the same data, such as those after an earlier epoch: what
/// select_features would have made of them.
std::vector<std::uint32_t> rank_features(std::vector<double> scores, const Dataset& data,
                                         const Selection& selection);

/// A group is as good as its best column that is not constant: all its columns get that score.
void share_scores(std::vector<double>& scores, const Dataset& data, const Scaler& scaler);

/// Whether no column of what stands in a ranking varies.
bool is_constant(std::uint32_t feature, const Dataset& data, const Scaler& scaler);

/// The scaling that was asked for, or what the method wants for such data.
ScaleMode scale_used(const SelectOptions& options, const Dataset& data);

/// select_features with a scaler that was fitted to `data` before; null = it fits its own.
Selection select_features(const Dataset& data, const SelectOptions& options, const Scaler* fitted,
                          const RunContext& context);

Warning constant_warning(std::size_t constant, std::size_t features);

}  // namespace quickselection
