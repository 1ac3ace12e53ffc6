// python/src/convert.h: between Python's objects and the library's types.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "quickselection/dataset.h"
#include "quickselection/network.h"
#include "quickselection/setting.h"
#include "quickselection/words.h"

namespace quickselection::python {

/// A 2-D array is read in place: its columns must be neighbours and its values in native order.
Dataset dataset_of(const pybind11::array& array);

/// The three arrays of a CSR matrix: 64-bit offsets, 32-bit columns, values of any real type.
Dataset dataset_of(const pybind11::array& offsets, const pybind11::array& columns,
                   const pybind11::array& values, std::size_t features);

/// The values as an array, or (values, columns, offsets) when they are sparse. They are shared with
/// the data set and must not be changed.
pybind11::object values_of(const Dataset& data);

/// Takes over a vector without a copy.
template <class T>
pybind11::array_t<T> array_of(std::vector<T> values) {
  auto* owner = new std::vector<T>(std::move(values));
  const pybind11::capsule free(owner, [](void* p) { delete static_cast<std::vector<T>*>(p); });
  return pybind11::array_t<T>(static_cast<pybind11::ssize_t>(owner->size()), owner->data(), free);
}

pybind11::object to_python(const SettingValue& value);
pybind11::list options_to_python(const std::vector<OptionInfo>& options);
/// Each as (kind, text).
pybind11::list warnings_to_python(const std::vector<Warning>& warnings);
std::vector<GivenOption> given_options(const pybind11::dict& options);

/// A layer as (offsets, columns, weights, bias, inputs).
pybind11::tuple layer_to_python(LayerWeights layer);

}  // namespace quickselection::python
