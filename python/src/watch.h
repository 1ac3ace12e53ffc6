// python/src/watch.h: a RunContext that calls back into Python and obeys Ctrl-C.
#pragma once

#include <pybind11/pybind11.h>

#include "quickselection/progress.h"

namespace quickselection::python {

/// `progress(task, done, total, seconds_left, loss)` and `after_epoch(epoch, loss, scores)` may be
/// None. Signals are looked at whenever the library reports progress, several times a second.
RunContext watch(int threads, pybind11::object progress, pybind11::object after_epoch);

}  // namespace quickselection::python
