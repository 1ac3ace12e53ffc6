// python/src/selection.cpp: ranking features, at once, several times, or chunk by chunk.
#include <pybind11/stl.h>

#include <string>
#include <utility>

#include "convert.h"
#include "evaluation/evaluation_fields.h"
#include "quickselection/explained.h"
#include "quickselection/incremental.h"
#include "quickselection/selection.h"
#include "quickselection/stability.h"
#include "selectors/selection_fields.h"

namespace py = pybind11;

namespace quickselection::python {
namespace {

/// What the caller asks for: (options of every selection, options of the method).
SelectOptions options_of(const py::tuple& asked) {
  auto options = parse_options<SelectOptions>(given_options(asked[0].cast<py::dict>()), "select");
  options.method_options = given_options(asked[1].cast<py::dict>());
  options.keep_network = true;
  return options;
}

/// With what its losses say, in words.
py::object result_of(Selection selection) {
  const std::string training = training_in_words(selection);
  py::object result = to_python(std::move(selection));
  result["training"] = training;
  return result;
}

py::object run_select(const Dataset& data, const py::tuple& asked, int runs, bool bootstrap,
                      int threads, py::object progress, py::object after_epoch, bool automatic_k,
                      bool check) {
  const SelectOptions options = options_of(asked);
  const RunContext context = watch(threads, std::move(progress), std::move(after_epoch));
  CheckOptions checks{.k = options.k, .no_check = !check};
  if (automatic_k) checks.k.reset();
  CheckedSelection found;
  const Stopwatch clock;
  EnergyMeter energy;
  {
    const py::gil_scoped_release unlocked;
    found = select_checked(data, options, {.runs = runs, .bootstrap = runs > 1 && bootstrap},
                           checks, context);
  }
  py::object result = result_of(std::move(found.selection));
  const std::string text = found.stability ? describe(*found.stability) : "";
  result["measured"] = to_python(Measured{0, clock.seconds(), energy.read()});
  result["runs_are"] = found.stability ? found.stability->runs_are : "";
  result["stability"] = to_python(std::move(found.stability));
  if (!text.empty()) result["stability"]["text"] = text;
  result["explained"] = to_python(std::move(found.explained));
  return result;
}

/// IncrementalSelection with what it was made from, so that it can be pickled.
struct Training {
  py::tuple asked;
  IncrementalSelection selection;
};

py::object learn(Training& training, const Dataset& chunk, int threads, py::object progress,
                 py::object after_epoch) {
  const RunContext context = watch(threads, std::move(progress), std::move(after_epoch));
  Selection selection;
  const Stopwatch clock;
  EnergyMeter energy;
  {
    const py::gil_scoped_release unlocked;
    selection = training.selection.learn(chunk, context);
  }
  py::object result = result_of(std::move(selection));
  result["measured"] = to_python(Measured{0, clock.seconds(), energy.read()});
  return result;
}

}  // namespace

void add_selection(py::module_& module) {
  module.def("select", run_select, py::arg("data"), py::arg("asked"), py::arg("runs") = 1,
             py::arg("bootstrap") = false, py::arg("threads") = 0, py::arg("progress") = py::none(),
             py::arg("after_epoch") = py::none(), py::arg("automatic_k") = false,
             py::arg("check") = true);
  py::class_<Training>(module, "Training")
      .def(py::init([](const py::tuple& asked) {
        return Training{asked, IncrementalSelection(options_of(asked))};
      }))
      .def("learn", learn, py::arg("chunk"), py::arg("threads") = 0,
           py::arg("progress") = py::none(), py::arg("after_epoch") = py::none())
      .def(py::pickle(
          [](const Training& training) {
            return py::make_tuple(training.asked, py::bytes(training.selection.pack()));
          },
          [](const py::tuple& state) {
            const auto asked = state[0].cast<py::tuple>();
            return Training{asked,
                            IncrementalSelection(options_of(asked), state[1].cast<std::string>())};
          }));
}

}  // namespace quickselection::python
