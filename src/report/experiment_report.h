// src/report/experiment_report.h: a comparison of methods, or a grid of one method's options, as
// one self-contained HTML page.
#pragma once

#include <string>

#include "quickselection/experiment.h"

namespace quickselection {

std::string comparison_report(const ExperimentPlan& plan, const ExperimentSummary& summary);

std::string tuning_report(const ExperimentPlan& plan, const ExperimentSummary& summary,
                          const Grid& grid, Measure criterion);

}  // namespace quickselection
