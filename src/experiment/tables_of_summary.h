// src/experiment/tables_of_summary.h: what a summary and a grid show alike.
#pragma once

#include <string>

#include "quickselection/experiment.h"

namespace quickselection {

/// "86.9": percent, seconds, megabytes, joules, thousands.
std::string format_mean(const Figure& figure, Measure measure);
/// "86.9 ± 1.1"; the number of parameters does without a deviation.
std::string format_figure(const Figure& figure, Measure measure);
/// What stands in a cell of a method that gave nothing: "-", or why.
std::string format_missing(const SummaryCell* cell);
/// A paragraph for each method that failed somewhere.
std::string describe_failures(const ExperimentSummary& summary, TextFormat format);

}  // namespace quickselection
