// cli/evaluation_result.h: an evaluation as a table and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "quickselection/evaluation.h"
#include "quickselection/stability.h"

namespace quickselection::cli {

/// One line for each K, for random features and for all; then removal and stability.
std::string readable(const Evaluation& evaluation, std::span<const Stability> stabilities);

/// A list with one entry for each K.
nlohmann::ordered_json to_json(const Evaluation& evaluation,
                               std::span<const Stability> stabilities);

}  // namespace quickselection::cli
