// cli/experiment_options.h: what `compare`, `tune` and `experiment` have in common.
#pragma once

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
  std::vector<std::string> data;
  ExperimentData shared;           ///< what all data sets are told
  ExperimentPlan plan;             ///< without data and methods
  std::vector<GivenOption> given;  ///< options of methods, --scale and --clip among them
};
void add_experiment_options(Parser& command, ExperimentOptions& options);

/// Everything but the methods.
ExperimentPlan plan_of(const Parser& command, const ExperimentOptions& options);

/// True for `--continue --out DIR` alone. Throws InvalidArgument when there is no data and other
/// options are given, or nothing at all.
bool continues_alone(const Parser& command, const ExperimentOptions& options);

/// Refuses outputs that cannot be written, or that are read: data, labels, the description.
void check_outputs(const ExperimentPlan& plan, const FolderOptions& folder,
                   const CommonOptions& common, const std::string& description = "");

/// Runs with progress on the terminal.
/// Refuses a K that is larger than one of the data sets, before anything runs. What cannot be read
/// is not refused here: it becomes rows that say so.
void check_ks(const ExperimentPlan& plan);
std::vector<ResultRow> run_with_progress(const ExperimentPlan& plan, const ExperimentFolder& folder,
                                         bool quiet);

/// Prints the summary and writes summary.md, .tex, .csv and .json into the folder if there is one,
/// and the report. `grid` may be null.
void show_summary(const ExperimentPlan& plan, const std::vector<ResultRow>& rows,
                  const FolderOptions& folder, const CommonOptions& common,
                  const std::vector<std::string>& unscored = {}, const Grid* grid = nullptr,
                  std::optional<Measure> criterion = std::nullopt);
void add_unscored(Parser& command, std::vector<std::string>& labels);

}  // namespace quickselection::cli
