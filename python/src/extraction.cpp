// python/src/extraction.cpp: feature extraction.
#include "quickselection/extraction.h"

#include <pybind11/stl.h>

#include <string>
#include <utility>

#include "convert.h"
#include "parts.h"
#include "quickselection/selection.h"
#include "watch.h"

namespace py = pybind11;

namespace quickselection::python {
namespace {

Extractor fit(const Dataset& data, const std::string& network, std::vector<std::uint32_t> layers,
              const py::dict& given, const std::string& scale, double clip, std::uint64_t seed,
              int threads, py::object progress) {
  ExtractOptions options;
  options.network = network;
  options.layers = std::move(layers);
  options.network_options = given_options(given);
  if (!scale.empty()) options.scale = scale_mode(scale);
  options.clip = clip;
  options.seed = seed;
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
      .def_static("fit", fit, py::arg("data"), py::arg("network"), py::arg("layers"),
                  py::arg("options"), py::arg("scale") = "", py::arg("clip") = 0.0,
                  py::arg("seed") = 0, py::arg("threads") = 0, py::arg("progress") = py::none())
      .def("extract", convert_rows<extract>, py::arg("data"), py::arg("threads") = 0)
      .def("decode", convert_rows<decode>, py::arg("codes"), py::arg("threads") = 0)
      .def_property_readonly("dimensions", [](const Extractor& e) { return e.info().dimensions; })
      .def_property_readonly("parameters", [](const Extractor& e) { return e.info().parameters; })
      .def_property_readonly(
          "warnings", [](const Extractor& e) { return warnings_to_python(e.info().warnings); })
      .def_property_readonly(
          "loss", [](const Extractor& e) { return array_of(std::vector<double>(e.info().loss)); })
      .def(py::pickle(
          [](const Extractor& extractor) { return py::bytes(pack_extractor(extractor)); },
          [](const py::bytes& bytes) { return unpack_extractor(bytes); }));
}

}  // namespace quickselection::python
