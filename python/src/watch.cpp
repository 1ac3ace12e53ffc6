// python/src/watch.cpp: see watch.h.
#include "watch.h"

#include <memory>
#include <utility>

#include "convert.h"

namespace py = pybind11;

namespace quickselection::python {
namespace {

/// A Python object whose last reference may go without the interpreter's lock.
std::shared_ptr<py::object> hold(py::object object) {
  return {new py::object(std::move(object)), [](py::object* held) {
            const py::gil_scoped_acquire lock;
            delete held;
          }};
}

}  // namespace

RunContext watch(int threads, py::object progress, py::object after_epoch) {
  RunContext context;
  context.threads = threads;
  context.progress = [report = hold(std::move(progress))](const Progress& now) {
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!report->is_none()) (*report)(now.task, now.done, now.total, now.seconds_left, now.loss);
  };
  if (!after_epoch.is_none())
    context.after_epoch = [call = hold(std::move(after_epoch))](const EpochEnd& end) {
      const py::gil_scoped_acquire lock;
      (*call)(end.epoch, end.loss,
              array_of(std::vector<double>(end.scores.begin(), end.scores.end())));
    };
  return context;
}

}  // namespace quickselection::python
