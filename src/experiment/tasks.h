// src/experiment/tasks.h: a plan cut into single trainings, and what is done for each.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "quickselection/experiment.h"
#include "quickselection/progress.h"
#include "quickselection/selection.h"

namespace quickselection {

/// Runs of all methods on all data, and points of a grid: more are refused.
inline constexpr double kMostRuns = 1e6;

/// All but the seed and K: the options for this data, and the method's own in front of them.
SelectOptions select_options(const ExperimentMethod& method, const ExperimentData& data);

/// Whether the ranking depends on K.
bool needs_k(const SelectOptions& options);

/// The epochs of a training whose scores after each epoch are those of a shorter training.
std::optional<std::size_t> shareable_epochs(const SelectOptions& options);

/// What one process does: one training, judged for one or more K, and after one or more epochs.
struct Task {
  std::size_t data = 0;              ///< index in the plan
  std::vector<std::size_t> methods;  ///< indices in the plan, from few epochs to many; none = all
                                     ///< features
  std::vector<std::size_t> ks;
  int run = 1;

  bool is_reference() const { return methods.empty(); }
};

/// In the order in which they are made: data by data, run by run, so that every method has its
/// first run early.
std::vector<Task> tasks_of(const ExperimentPlan& plan);

/// The rows that a task makes, without figures.
std::vector<ResultRow> empty_rows(const ExperimentPlan& plan, const Task& task);

/// The label in tables of a task.
std::string name_of(const ExperimentPlan& plan, const Task& task);

/// All rows of a task. `selected` is called when the selection has been made and measured. Throws
/// what goes wrong.
std::vector<ResultRow> make_rows(const ExperimentPlan& plan, const Task& task,
                                 const RunContext& context, const std::function<void()>& selected);

}  // namespace quickselection
