// python/src/convert.h: what the parts of the module share: between Python's objects and the
// library's types, and the calls back.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <vector>

#include "core/processes/meters.h"
#include "core/text/options.h"
#include "quickselection/dataset.h"
#include "quickselection/network.h"
#include "quickselection/progress.h"
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

/// A layer as (offsets, columns, weights, bias, inputs); a dense one has (weights, bias) alone.
pybind11::tuple to_python(LayerWeights layer);
pybind11::dict to_python(const std::vector<Setting>& settings);
/// As (kind, text).
pybind11::tuple to_python(const Warning& warning);

/// Described structs as dicts, numbers as arrays, without a copy; what is unset as None.
template <class T>
pybind11::object to_python(T value) {
  if constexpr (Described<T>) {
    pybind11::dict dict;
    for_each_field(value, [&](std::string_view name, auto&& field, const auto&...) {
      dict[pybind11::str(name.data(), name.size())] = to_python(std::move(field));
    });
    return dict;
  } else if constexpr (options_detail::kIsOptional<T>) {
    if (!value) return pybind11::none();
    return to_python(std::move(*value));
  } else if constexpr (std::is_enum_v<T>) {
    return pybind11::cast(std::string(name_of(value)));
  } else if constexpr (requires { value.begin()->second; }) {  // pairs with a name
    pybind11::dict dict;
    for (const auto& [name, one] : value) dict[pybind11::str(name)] = to_python(one);
    return dict;
  } else if constexpr (requires { array_of(std::move(value)); }) {
    if constexpr (std::is_arithmetic_v<typename T::value_type>)
      return array_of(std::move(value));
    else {
      pybind11::list list;
      for (auto& one : value) list.append(to_python(std::move(one)));
      return list;
    }
  } else {
    return pybind11::cast(value);
  }
}

/// The inverse: what a dict says replaces what is in `value`; what it lacks is left. Fields that
/// are worked out from others are not read.
template <class T>
void from_python(const pybind11::handle& object, T& value) {
  if constexpr (Described<T>) {
    const auto dict = pybind11::reinterpret_borrow<pybind11::dict>(object);
    for_each_field(value, [&](std::string_view name, auto&& field, const auto&...) {
      const pybind11::str key(name.data(), name.size());
      if constexpr (std::is_lvalue_reference_v<decltype(field)>)
        if (dict.contains(key)) from_python(dict[key], field);
    });
  } else if constexpr (options_detail::kIsOptional<T>) {
    value.reset();
    if (!object.is_none()) from_python(object, value.emplace());
  } else if constexpr (std::is_enum_v<T>) {
    options_detail::parse("value", value, choices_of<T>(), object.cast<std::string>());
  } else if constexpr (std::is_same_v<T, std::vector<Setting>>) {
    for (const auto& [name, one] : object.cast<pybind11::dict>())
      value.push_back({pybind11::cast<std::string>(name), pybind11::cast<SettingValue>(one)});
  } else if constexpr (std::is_same_v<T, std::vector<Warning>>) {
    for (const auto& one : object.cast<pybind11::list>())
      value.push_back({WarningKind::other,
                       pybind11::cast<std::string>(pybind11::cast<pybind11::tuple>(one)[1])});
  } else if constexpr (requires { array_of(std::move(value)); }) {
    for (const auto& one : object) from_python(one, value.emplace_back());
  } else {
    value = object.cast<T>();
  }
}

/// What was measured around a call, for the reports.
pybind11::dict to_python(const Measured& measured);
Measured measured_of(const pybind11::dict& dict);

pybind11::list options_to_python(const std::vector<OptionInfo>& options);
std::vector<GivenOption> given_options(const pybind11::dict& options);

/// Throws what Python's handler of a signal that came raises: KeyboardInterrupt.
void check_signals();

/// `progress(task, done, total, seconds_left, loss)` and `after_epoch(epoch, loss, scores)` may be
/// None. A true answer of the latter ends the training there. Signals are looked at whenever the
/// library reports progress, several times a second.
RunContext watch(int threads, pybind11::object progress, pybind11::object after_epoch);

// The parts of the module, each in a file of its own.

/// select, and the class Training.
void add_selection(pybind11::module_& module);
/// evaluate, read_ranking, info.
void add_evaluation(pybind11::module_& module);
/// The class Extractor.
void add_extraction(pybind11::module_& module);
/// Pages, and compare.
void add_reports(pybind11::module_& module);
/// Tables behind the Arrow C stream.
void add_arrow(pybind11::module_& module);

}  // namespace quickselection::python
