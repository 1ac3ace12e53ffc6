// src/report/reports.h: what can be shown as one self-contained HTML page.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/meters.h"
#include "quickselection/dataset.h"
#include "quickselection/evaluation.h"
#include "quickselection/experiment.h"
#include "quickselection/extraction.h"
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

struct EvaluationReport {
  const Dataset& data;
  const Evaluation& evaluation;
  const EvaluationOptions& options;
  std::string ranking;  ///< where the ranking came from
  Measured measured;
};
std::string evaluation_report(const EvaluationReport& report);

struct ExtractionReport {
  const Dataset& data;   ///< what was extracted from
  const Dataset& codes;  ///< what came out
  const ExtractorInfo& info;
  Measured measured;
};
std::string extraction_report(const ExtractionReport& report);

/// A comparison of methods, and a grid of one method's options.
std::string comparison_report(const ExperimentPlan& plan, const ExperimentSummary& summary);
std::string tuning_report(const ExperimentPlan& plan, const ExperimentSummary& summary,
                          const Grid& grid, Measure criterion);

}  // namespace quickselection
