// src/experiment/tables/tables_of_summary.h: what a summary and a grid show alike.
#pragma once

#include <string>

#include "quickselection/experiment.h"

namespace quickselection {

inline constexpr int kScore1Digits = 0, kScoreDigits = 2;  // the others are no whole numbers

/// "86.9": percent, seconds, megabytes, joules, thousands.
std::string format_mean(const Figure& figure, Measure measure);
/// "86.9 ± 1.1"; a single run and the number of parameters do without a deviation.
std::string format_figure(const Figure& figure, Measure measure);
/// The total of a score as it is shown.
std::string format_total(const Score& score, int digits);
/// What a cell shows: "mean ± standard deviation of 5 runs", or "one run".
std::string describe_runs(int runs);
/// What stands in a cell of a method that gave nothing: "-", or why.
std::string format_missing(const SummaryCell* cell);
/// A paragraph for each method that failed somewhere.
std::string describe_failures(const ExperimentSummary& summary, TextFormat format);

}  // namespace quickselection
