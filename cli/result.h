// cli/result.h: a selection as text and JSON.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "core/meters.h"
#include "quickselection/dataset.h"
#include "quickselection/selection.h"
#include "quickselection/stability.h"

namespace quickselection::cli {

/// The best k with bars, then one line with time, memory, energy and parameters.
std::string readable(const Dataset& data, const Selection& selection, std::size_t k,
                     const Measured& measured,
                     const std::optional<Stability>& stability = std::nullopt);

/// How stable repeated selections are, in sentences; nothing when that was not measured.
std::string readable(const RepeatedSelection& repeated);

nlohmann::ordered_json to_json(const Dataset& data, const Selection& selection, std::size_t k,
                               const Measured& measured);

nlohmann::ordered_json to_json(const Stability& stability);

}  // namespace quickselection::cli
