// python/src/selection.cpp: ranking features, at once, several times, or chunk by chunk.
#include <pybind11/stl.h>

#include <string>
#include <utility>

#include "convert.h"
#include "parts.h"
#include "quickselection/incremental.h"
#include "quickselection/selection.h"
#include "quickselection/stability.h"
#include "watch.h"

namespace py = pybind11;

namespace quickselection::python {
namespace {

py::dict selection_to_python(Selection selection) {
  py::dict result;
  result["ranking"] = array_of(std::move(selection.ranking));
  result["scores"] = array_of(std::move(selection.scores));
  result["loss"] = array_of(std::move(selection.loss));
  result["scale"] = to_text(selection.scale);
  result["parameters"] = selection.parameters;
  result["seconds"] = selection.seconds;
  result["warnings"] = warnings_to_python(selection.warnings);
  result["notes"] = selection.notes;
  py::list layers;
  for (LayerWeights& layer : selection.network) layers.append(layer_to_python(std::move(layer)));
  result["network"] = layers;
  return result;
}

py::dict stability_to_python(const Stability& found, const std::string& runs_are) {
  py::dict result;
  result["k"] = found.k;
  result["runs"] = found.runs;
  result["overlap"] = found.overlap;
  result["overlap_by_chance"] = found.overlap_by_chance;
  result["index"] = found.index;
  result["lower"] = found.lower;
  result["upper"] = found.upper;
  result["frequency"] = array_of(std::vector<double>(found.frequency));
  result["text"] = describe(found, runs_are);
  return result;
}

/// What the caller asks for: (method, options, scale, clip, k, seed).
SelectOptions options_of(const py::tuple& asked) {
  SelectOptions options;
  options.method = asked[0].cast<std::string>();
  options.method_options = given_options(asked[1].cast<py::dict>());
  const auto scale = asked[2].cast<std::string>();
  if (!scale.empty()) options.scale = scale_mode(scale);
  options.clip = asked[3].cast<double>();
  options.k = asked[4].cast<std::size_t>();
  options.seed = asked[5].cast<std::uint64_t>();
  options.keep_network = true;
  return options;
}

py::dict run_select(const Dataset& data, const py::tuple& asked, int runs, bool bootstrap,
                    int threads, py::object progress, py::object after_epoch) {
  const SelectOptions options = options_of(asked);
  const RunContext context = watch(threads, std::move(progress), std::move(after_epoch));
  RepeatedSelection found;
  {
    const py::gil_scoped_release unlocked;
    if (runs == 1)
      found.selection = select_features(data, options, context);
    else
      found = select_repeatedly(data, options, {runs, bootstrap, options.k}, context);
  }
  py::dict result = selection_to_python(std::move(found.selection));
  result["stability"] = found.stability
                            ? py::object(stability_to_python(*found.stability, found.runs_are))
                            : py::none();
  return result;
}

/// IncrementalSelection with what it was made from, so that it can be pickled.
struct Training {
  py::tuple asked;
  IncrementalSelection selection;
};

py::dict learn(Training& training, const Dataset& chunk, int threads, py::object progress,
               py::object after_epoch) {
  const RunContext context = watch(threads, std::move(progress), std::move(after_epoch));
  Selection selection;
  {
    const py::gil_scoped_release unlocked;
    selection = training.selection.learn(chunk, context);
  }
  return selection_to_python(std::move(selection));
}

}  // namespace

void add_selection(py::module_& module) {
  module.def("select", run_select, py::arg("data"), py::arg("asked"), py::arg("runs") = 1,
             py::arg("bootstrap") = false, py::arg("threads") = 0, py::arg("progress") = py::none(),
             py::arg("after_epoch") = py::none());
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
