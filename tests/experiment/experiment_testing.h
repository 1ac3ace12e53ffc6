// tests/experiment/experiment_testing.h: small plans for tests of experiments.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "data/formats/write.h"
#include "quickselection/experiment.h"
#include "quickselection/generators.h"
#include "support/temp_folder.h"

namespace quickselection {

/// A small labelled file: 120 rows, 20 features.
inline std::string write_small_data(const TempFolder& folder, const std::string& name = "small.csv",
                                    std::uint64_t seed = 1) {
  MadelonOptions options;
  options.rows = 120;
  options.features = 20;
  options.informative = 3;
  options.redundant = 5;
  options.repeated = 2;
  const std::string path = folder / name;
  write_dataset(path, generate_madelon(options, seed).data);
  return path;
}

/// A plan that takes milliseconds.
inline ExperimentPlan small_plan(const std::string& path, const std::string& methods) {
  ExperimentPlan plan;
  ExperimentData& data = plan.data.emplace_back();
  data.name = "small";
  data.path = path;
  plan.methods = parse_experiment_methods(methods);
  plan.k = {3, 5};
  plan.runs = 2;
  plan.threads = 1;
  plan.judges.trees = 3;
  plan.judges.repetitions = 1;
  plan.judges.restarts = 1;
  return plan;
}

}  // namespace quickselection
