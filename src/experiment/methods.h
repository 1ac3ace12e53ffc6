// src/experiment/methods.h: the methods of a plan as selections.
#pragma once

#include <optional>

#include "quickselection/experiment.h"
#include "quickselection/selection.h"

namespace quickselection {

/// All but the seed and K: the options for this data, and the method's own in front of them.
SelectOptions select_options(const ExperimentMethod& method, const ExperimentData& data);

/// Whether the ranking depends on K.
bool needs_k(const SelectOptions& options);

/// The epochs of a training whose scores after each epoch are those of a shorter training.
std::optional<std::size_t> shareable_epochs(const SelectOptions& options);

}  // namespace quickselection
