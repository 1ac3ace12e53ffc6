// src/report/selection_report.h: a selection as one self-contained HTML page.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/meters.h"
#include "quickselection/dataset.h"
#include "quickselection/selection.h"
#include "quickselection/stability.h"
#include "report/strength_history.h"

namespace quickselection {

struct ImageShape {
  std::size_t height = 0, width = 0;
};

/// The shape asked for ("28x28", height first), or that of the data, or none.
/// Throws InvalidArgument when the text is no shape or has not as many pixels as features.
std::optional<ImageShape> image_shape(const std::string& asked, const Dataset& data);
/// Throws InvalidArgument when the text is no shape; "" is fine.
void check_image_shape(const std::string& asked);

struct SelectionReport {
  const Dataset& data;
  const Selection& selection;
  std::size_t k;  ///< where the cut stands when the page opens
  Measured measured;
  const StrengthHistory* history = nullptr;
  std::optional<ImageShape> image = {};
  std::vector<std::size_t> relevant = {};   ///< features known to carry signal, if any
  std::optional<Stability> stability = {};  ///< of several runs
};

std::string selection_report(const SelectionReport& report);

/// What the losses say: "the network converged", or not; "" when nothing was trained.
std::string training_in_words(const Selection& selection);

}  // namespace quickselection
