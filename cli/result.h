// cli/result.h: a selection as text, JSON and CSV.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "core/meters.h"
#include "quickselection/dataset.h"
#include "quickselection/selection.h"

namespace quickselection::cli {

/// The best k with bars, then one line with time, memory, energy and parameters.
std::string readable(const Dataset& data, const Selection& selection, std::size_t k,
                     const Measured& measured);

nlohmann::ordered_json to_json(const Dataset& data, const Selection& selection, std::size_t k,
                               const Measured& measured);

/// rank,feature,name,score for all features.
std::string ranking_csv(const Dataset& data, const Selection& selection);

}  // namespace quickselection::cli
