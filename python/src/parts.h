// python/src/parts.h: the parts of the module, each in a file of its own.
#pragma once

#include <pybind11/pybind11.h>

namespace quickselection::python {

/// select, and the class Training.
void add_selection(pybind11::module_& module);
/// evaluate, read_ranking, info.
void add_evaluation(pybind11::module_& module);
/// The class Extractor.
void add_extraction(pybind11::module_& module);

}  // namespace quickselection::python
