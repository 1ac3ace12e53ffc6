// src/experiment/one_run.h: what a process of an experiment does: read, select, judge.
#pragma once

#include <functional>
#include <vector>

#include "experiment/tasks.h"
#include "quickselection/experiment.h"
#include "quickselection/progress.h"

namespace quickselection {

/// All rows of a task. `selected` is called when the selection has been made and measured. Throws
/// what goes wrong.
std::vector<ResultRow> make_rows(const ExperimentPlan& plan, const Task& task,
                                 const RunContext& context, const std::function<void()>& selected);

}  // namespace quickselection
