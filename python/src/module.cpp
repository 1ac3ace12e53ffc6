// python/src/module.cpp: quickselection._core, the thin layer that the Python package stands on.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <utility>

#include "convert.h"
#include "quickselection/error.h"
#include "quickselection/generators.h"
#include "quickselection/selection.h"
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
  result["warnings"] = selection.warnings;
  result["notes"] = selection.notes;
  py::list layers;
  for (LayerWeights& layer : selection.network) layers.append(layer_to_python(std::move(layer)));
  result["network"] = layers;
  return result;
}

py::dict run_select(const Dataset& data, const std::string& method, const py::dict& given,
                    const std::string& scale, double clip, std::size_t k, std::uint64_t seed,
                    int threads, bool keep_network, py::object progress, py::object after_epoch) {
  SelectOptions options;
  options.method = method;
  options.method_options = given_options(given);
  if (!scale.empty()) options.scale = scale_mode(scale);
  options.clip = clip;
  options.k = k;
  options.seed = seed;
  options.keep_network = keep_network;
  const RunContext context = watch(threads, std::move(progress), std::move(after_epoch));
  Selection selection;
  {
    const py::gil_scoped_release unlocked;
    selection = select_features(data, options, context);
  }
  return selection_to_python(std::move(selection));
}

py::object labels_of(const Dataset& data) {
  if (!data.labels) return py::none();
  return py::make_tuple(array_of(std::vector<std::int32_t>(data.labels->codes)),
                        data.labels->classes);
}

py::list all_methods() {
  py::list list;
  for (const MethodInfo& method : methods()) {
    py::dict entry;
    entry["name"] = method.name;
    entry["summary"] = method.summary;
    entry["scale"] = to_text(method.scale);
    entry["options"] = options_to_python(method.options);
    list.append(entry);
  }
  return list;
}

py::dict all_generators() {
  py::dict all;
  for (const Generator& generator : generators())
    all[py::str(generator.name)] = options_to_python(generator.options);
  return all;
}

std::string with_hint(const std::string& message, const std::string& hint) {
  return hint.empty() ? message : message + "\nhint: " + hint;
}

void translate(std::exception_ptr error) {
  static const py::object kError = py::module_::import("quickselection.errors").attr("Error");
  const auto raise = [](const std::string& text) { PyErr_SetString(kError.ptr(), text.c_str()); };
  try {
    if (error) std::rethrow_exception(error);
  } catch (const Error& e) {
    raise(with_hint(e.what(), e.hint()));
  } catch (const InvalidArgument& e) {
    raise(with_hint(e.what(), e.hint()));
  } catch (const Interrupted& e) {
    PyErr_SetString(PyExc_KeyboardInterrupt, e.what());
  }
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  py::register_exception_translator(translate);
  py::class_<Dataset>(module, "Dataset")
      .def_static("dense", [](const py::array& values) { return dataset_of(values); })
      .def_static(
          "csr",
          [](const py::array& offsets, const py::array& columns, const py::array& values,
             std::size_t features) { return dataset_of(offsets, columns, values, features); })
      .def_property_readonly(
          "shape", [](const Dataset& d) { return py::make_tuple(d.rows(), d.features()); })
      .def_property_readonly("values", values_of)
      .def_property_readonly("labels", labels_of)
      .def_readwrite("names", &Dataset::names)
      .def_readonly("notes", &Dataset::notes);
  module.def("select", run_select, py::arg("data"), py::arg("method"), py::arg("options"),
             py::arg("scale") = "", py::arg("clip") = 0.0, py::arg("k") = 0,
             py::arg("seed") = 0, py::arg("threads") = 0, py::arg("keep_network") = false,
             py::arg("progress") = py::none(), py::arg("after_epoch") = py::none());
  module.def(
      "read",
      [](const std::string& path, const std::string& format, const std::string& label,
         const std::string& array) {
        ReadOptions options;
        options.format = format;
        options.label = label;
        options.array = array;
        const py::gil_scoped_release unlocked;
        return read(path, options);
      },
      py::arg("path"), py::arg("format") = "", py::arg("label") = "", py::arg("array") = "");
  module.def("methods", all_methods);
  module.def("generators", all_generators);
  module.def(
      "generate",
      [](const std::string& name, const py::dict& options, std::uint64_t seed) {
        Generated made = find_generator(name).make(given_options(options), seed);
        return py::make_tuple(std::move(made.data), made.relevant);
      },
      py::arg("name"), py::arg("options"), py::arg("seed") = 0);
}

}  // namespace quickselection::python
