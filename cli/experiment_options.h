// cli/experiment_options.h: what `compare`, `tune` and `experiment` have in common.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/common.h"
#include "quickselection/experiment.h"

namespace quickselection::cli {

/// Where results go, and whether to go on with those that are there.
struct FolderOptions {
  std::string out, report;
  bool go_on = false;
};
void add_folder(Parser& command, FolderOptions& options, bool required);

struct ExperimentOptions {
  CommonOptions common;
  FolderOptions folder;
  DataOptions reading;
  std::vector<std::string> data;
  std::string test, test_label, test_rows, k, scale, clip, time_limit, memory_limit;
  std::string reconstruction, judge_scale;
  std::optional<double> split;
  std::uint64_t split_seed = kSplitSeed;
  int runs = 5, forests = 1;
  bool random_forest = false, all_features = false;
  std::vector<GivenOption> judges;
  std::vector<GivenOption> given;  ///< options of methods
};
void add_experiment_options(Parser& command, ExperimentOptions& options);

/// Everything but the methods.
ExperimentPlan plan_of(const ExperimentOptions& options);

/// Options of methods that were given, and --scale and --clip with them.
std::vector<GivenOption> shared_options(const ExperimentOptions& options);

/// True for `--continue --out DIR` alone. Throws InvalidArgument when there is no data and other
/// options are given, or nothing at all.
bool continues_alone(const Parser& command, const ExperimentOptions& options);

/// Runs with progress on the terminal.
std::vector<ResultRow> run_with_progress(const ExperimentPlan& plan, const ExperimentFolder& folder,
                                         bool quiet);

/// Refuses what cannot be written, before the long work.
void check_outputs(const FolderOptions& folder, const CommonOptions& common);

/// Prints the summary and writes summary.md, .tex, .csv and .json into the folder if there is one,
/// and the report. `grid` may be null.
void show_summary(const ExperimentPlan& plan, const std::vector<ResultRow>& rows,
                  const FolderOptions& folder, const CommonOptions& common,
                  const std::vector<std::string>& unscored = {}, const Grid* grid = nullptr,
                  std::optional<Measure> criterion = std::nullopt);
void add_unscored(Parser& command, std::vector<std::string>& labels);

}  // namespace quickselection::cli
