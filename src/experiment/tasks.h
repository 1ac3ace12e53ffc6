// src/experiment/tasks.h: a plan cut into single trainings.
#pragma once

#include <cstddef>
#include <vector>

#include "quickselection/experiment.h"

namespace quickselection {

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

}  // namespace quickselection
