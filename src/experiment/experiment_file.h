// src/experiment/experiment_file.h: an experiment described in a JSON file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "quickselection/experiment.h"

namespace quickselection {

enum class ExperimentKind : std::uint8_t { compare, tune, history };

/// Data that is made before the experiment begins.
struct GeneratedData {
  std::size_t data = 0;  ///< index in the plan
  std::string generator;
  std::vector<GivenOption> options;
  std::uint64_t seed = 0;
};

struct ExperimentFile {
  std::string title, paper;
  ExperimentKind kind = ExperimentKind::compare;
  ExperimentPlan plan;
  Measure criterion = Measure::classification;  ///< of tune, when there are labels
  std::vector<GeneratedData> generated;
  std::vector<std::string> skipped;  ///< data that is not on this machine, and where to get it
  std::vector<std::size_t> epochs;   ///< of history: after which the best features are noted
};

/// Data files are looked for beside the file and in `data_folder` (the variable
/// QUICKSELECTION_DATA); generated data has its place in `out`/data. Throws Error naming file and
/// key.
ExperimentFile read_experiment(const std::filesystem::path& path,
                               const std::filesystem::path& data_folder,
                               const std::filesystem::path& out);

/// Keeps only the data sets that are named, or all when none is. Throws InvalidArgument for a name
/// that it does not have.
void keep_only(ExperimentFile& experiment, const std::vector<std::string>& names);

/// Makes what is not there yet, in a process of its own.
void generate_data(const ExperimentFile& experiment, const RunContext& context);

}  // namespace quickselection
