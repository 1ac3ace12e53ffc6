// cli/evaluation_result.h: an evaluation as a table and as JSON.
#pragma once

#include <string>

#include "core/fields_json.h"
#include "quickselection/evaluation.h"

namespace quickselection::cli {

/// One line for each K, for random features and for all; then removal and stability.
std::string readable(const Evaluation& evaluation);

/// A list with one entry for each K.
Json json_of(const Evaluation& evaluation);

}  // namespace quickselection::cli
