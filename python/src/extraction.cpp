// python/src/extraction.cpp: feature extraction.
#include "quickselection/extraction.h"

#include <pybind11/stl.h>

#include <utility>

#include "convert.h"
#include "extraction/extraction_fields.h"

namespace py = pybind11;

namespace quickselection::python {
namespace {

/// What the caller asks for: options of every network, options of this one.
Extractor fit(const Dataset& data, const py::dict& asked, const py::dict& given, int threads,
              py::object progress) {
  auto options = parse_options<ExtractOptions>(given_options(asked), "extract");
  options.network_options = given_options(given);
  const RunContext context = watch(threads, std::move(progress), py::none());
  const py::gil_scoped_release unlocked;
  return fit_extractor(data, options, context);
}

/// extract or decode.
template <Dataset (*convert)(const Extractor&, const Dataset&, const RunContext&)>
Dataset convert_rows(const Extractor& extractor, const Dataset& data, int threads) {
  const RunContext context = watch(threads, py::none(), py::none());
  const py::gil_scoped_release unlocked;
  return convert(extractor, data, context);
}

}  // namespace

void add_extraction(py::module_& module) {
  module.def("extraction_options", [](const std::string& network) {
    return options_to_python(extraction_options(network));
  });
  module.attr("extraction_layers") = py::tuple(py::cast(ExtractOptions{}.layers));
  py::class_<Extractor>(module, "Extractor")
      .def_static("fit", fit, py::arg("data"), py::arg("asked"), py::arg("options"),
                  py::arg("threads") = 0, py::arg("progress") = py::none())
      .def("extract", convert_rows<extract>, py::arg("data"), py::arg("threads") = 0)
      .def("decode", convert_rows<decode>, py::arg("codes"), py::arg("threads") = 0)
      .def_property_readonly("info",
                             [](const Extractor& e) { return to_python(ExtractorInfo(e.info())); })
      .def(py::pickle(
          [](const Extractor& extractor) { return py::bytes(pack_extractor(extractor)); },
          [](const py::bytes& bytes) { return unpack_extractor(bytes); }));
}

}  // namespace quickselection::python
