// cli/result.h: a selection and an evaluation as text and JSON.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/processes/meters.h"
#include "core/text/fields_json.h"
#include "quickselection/dataset.h"
#include "quickselection/evaluation.h"
#include "quickselection/selection.h"
#include "quickselection/stability.h"

namespace quickselection::cli {

/// The best k with bars, then one line with time, memory, energy and parameters.
std::string readable(const Dataset& data, const Selection& selection, std::size_t k,
                     const Measured& measured,
                     const std::optional<Stability>& stability = std::nullopt);

/// How stable repeated selections are, in sentences.
std::string readable(const Stability& stability);

/// Path, rows and features.
Json about(const Dataset& data);
/// Scale and clip among the options, where readers look for them.
Json with_scaling(Json json);
/// The selection as `--json` writes it.
Json json_of(const Dataset& data, const Selection& selection, std::size_t k,
             const Measured& measured);

/// One line for each K, for random features and for all; then removal and stability.
std::string readable(const Evaluation& evaluation);
/// Writes what `--json` asks for, with the version of its keys (docs/json.md) before them; nothing
/// when no file is named.
void write_json(const std::string& path, const Json& json);

}  // namespace quickselection::cli
