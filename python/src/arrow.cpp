// python/src/arrow.cpp: tables of other libraries, through the Arrow C stream interface.
#include "convert.h"

#include "data/dataset/missing.h"
#include "data/formats/arrow/arrow_table.h"
#include "data/formats/read_options.h"

namespace py = pybind11;

namespace quickselection::python {
namespace {

constexpr const char* kCapsule = "arrow_array_stream";

/// Whatever has `__arrow_c_stream__`: it is asked again for a second pass.
Dataset dataset_of_table(const py::object& table, const py::dict& given) {
  const auto options = parse_options<ReadOptions>(given_options(given), "read");
  const auto open = [&] {
    const py::object capsule = table.attr("__arrow_c_stream__")();
    void* const stream = PyCapsule_GetPointer(capsule.ptr(), kCapsule);
    if (stream == nullptr) throw py::error_already_set();
    return ArrowOwner<ArrowArrayStream>(*static_cast<ArrowArrayStream*>(stream));
  };
  Dataset data = read_arrow_stream(open, "the table", options);
  data.source = "the table";
  if (data.labels) take_labels_as(*data.labels, options.task);
  treat_missing(data, options.missing);
  return data;
}

}  // namespace

void add_arrow(py::module_& module) {
  module.def("read_arrow", dataset_of_table, py::arg("table"), py::arg("options"));
}

}  // namespace quickselection::python
