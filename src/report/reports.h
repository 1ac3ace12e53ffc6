// src/report/reports.h: what can be shown as one self-contained HTML page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/processes/meters.h"
#include "quickselection/dataset.h"
#include "quickselection/evaluation.h"
#include "quickselection/experiment.h"
#include "quickselection/explained.h"
#include "quickselection/extraction.h"
#include "quickselection/progress.h"
#include "quickselection/selection.h"
#include "quickselection/stability.h"

namespace quickselection {

/// The scores of all features after some epochs of a training: evenly spaced epochs, and the last
/// one. RunContext::after_epoch feeds it.
class StrengthHistory {
 public:
  /// Keeps no more than `most_epochs`, and no more than `most_values` numbers, which may be none.
  explicit StrengthHistory(std::size_t most_epochs = 100,
                           std::size_t most_values = std::size_t{4} << 20)
      : most_epochs_(most_epochs), most_values_(most_values) {}

  void add(const EpochEnd& end);

  std::size_t size() const { return epochs_.size(); }
  const std::vector<std::uint32_t>& epochs() const { return epochs_; }  ///< counted from 1
  /// Of all features, after epochs()[i].
  const std::vector<float>& scores(std::size_t i) const { return scores_[i]; }

 private:
  std::size_t most_epochs_, most_values_;
  std::size_t stride_ = 1;  // epochs that it divides are kept; the last one is kept anyway
  std::vector<std::uint32_t> epochs_;
  std::vector<std::vector<float>> scores_;
};

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
  std::optional<Explained> explained = {};  ///< what the features tell of the others
};
std::string selection_report(const SelectionReport& report);

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
