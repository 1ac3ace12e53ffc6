// python/src/module.cpp: quickselection._core, the thin layer that the Python package stands on.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <utility>

#include "convert.h"
#include "core/files/waiting.h"
#include "core/text/visible.h"
#include "data/formats/read_options.h"
#include "quickselection/error.h"
#include "quickselection/generators.h"
#include "quickselection/selection.h"

namespace py = pybind11;

namespace quickselection::python {
namespace {

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
    entry["class_name"] = method.class_name;
    entry["trains"] = method.trains;
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
  const auto raise = [](const auto& e) {
    const py::object made = kError(visible(with_hint(e.what(), e.hint()), true), e.option());
    PyErr_SetObject(kError.ptr(), made.ptr());
  };
  try {
    if (error) std::rethrow_exception(error);
  } catch (const Error& e) {
    raise(e);
  } catch (const InvalidArgument& e) {
    raise(e);
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
      .def_property(
          "labels", labels_of,
          [](Dataset& d, const std::vector<std::string>& texts) { d.labels = make_labels(texts); })
      .def("set_labels",
           [](Dataset& d, const std::vector<std::string>& texts, const std::string& task) {
             LabelTask taken = LabelTask::automatic;
             options_detail::parse("task", taken, choices_of<LabelTask>(), task);
             d.labels = make_labels(texts, taken);
           })
      .def_readwrite("names", &Dataset::names)
      .def_readwrite("source", &Dataset::source)
      .def_readonly("notes", &Dataset::notes)
      .def_readonly("decisions", &Dataset::decisions);
  set_while_waiting(check_signals);
  add_selection(module);
  add_evaluation(module);
  add_extraction(module);
  add_reports(module);
  add_arrow(module);
  module.def(
      "read",
      [](const std::vector<std::string>& paths, const py::dict& given) {
        const auto options = parse_options<ReadOptions>(given_options(given), "read");
        const py::gil_scoped_release unlocked;
        return read(paths, options);
      },
      py::arg("paths"), py::arg("options"));
  module.attr("version") = QS_VERSION;
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
