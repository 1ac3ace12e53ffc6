// src/report/evaluation_report.h: an evaluation as one self-contained HTML page.
#pragma once

#include <string>

#include "core/meters.h"
#include "quickselection/dataset.h"
#include "quickselection/evaluation.h"

namespace quickselection {

struct EvaluationReport {
  const Dataset& data;
  const Evaluation& evaluation;
  const EvaluationOptions& options;
  std::string ranking;  ///< where the ranking came from
  Measured measured;
};

std::string evaluation_report(const EvaluationReport& report);

}  // namespace quickselection
