// python/src/convert.cpp: see convert.h.
#include "convert.h"

#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <utility>

#include "core/iota.h"
#include "data/dataset/subset.h"
#include "data/formats/arrays.h"
#include "quickselection/error.h"

namespace py = pybind11;

namespace quickselection::python {
namespace {

ValueType type_of(const py::array& array) {
  const auto type = number_type(array.dtype().kind(), static_cast<std::size_t>(array.itemsize()));
  if (!type || array.dtype().byteorder() == '>')
    throw InvalidArgument(fmt::format("values of type {} cannot be read in place",
                                      py::str(array.dtype()).cast<std::string>()));
  return *type;
}

/// Keeps a Python object alive for as long as a data set uses its memory, or a callback it. The
/// last copy may die on any thread, with or without the interpreter's lock.
std::shared_ptr<py::object> keep(py::object object) {
  return {new py::object(std::move(object)), [](py::object* kept) {
            const py::gil_scoped_acquire lock;
            delete kept;
          }};
}

py::object setting_value(const SettingValue& value) {
  return std::visit([](const auto& held) -> py::object { return py::cast(held); }, value);
}

const std::byte* bytes_of(const py::array& array) {
  return static_cast<const std::byte*>(array.data());
}

}  // namespace

Dataset dataset_of(const py::array& array) {
  if (array.ndim() != 2)
    throw InvalidArgument(fmt::format("expected a 2-D array, got {} dimensions", array.ndim()));
  const auto rows = static_cast<std::size_t>(array.shape(0));
  const auto features = static_cast<std::size_t>(array.shape(1));
  const bool neighbours = features <= 1 || array.strides(1) == array.itemsize();
  const bool ascending =
      rows <= 1 || array.strides(0) >= static_cast<py::ssize_t>(features) * array.itemsize();
  if (!neighbours || !ascending)
    throw InvalidArgument("the columns of the array are not neighbours in memory",
                          "pass numpy.ascontiguousarray(X)");
  const std::size_t row_bytes = rows <= 1 ? features * static_cast<std::size_t>(array.itemsize())
                                          : static_cast<std::size_t>(array.strides(0));
  return Dataset(MatrixView{bytes_of(array), rows, features, row_bytes, type_of(array)},
                 keep(array));
}

Dataset dataset_of(const py::array& offsets, const py::array& columns, const py::array& values,
                   std::size_t features) {
  const auto contiguous = [](const py::array& array, py::ssize_t size) {
    return array.ndim() == 1 && array.itemsize() == size && (array.flags() & py::array::c_style);
  };
  if (!contiguous(offsets, 8) || !contiguous(columns, 4) || !contiguous(values, values.itemsize()))
    throw InvalidArgument("the arrays of a sparse matrix must be contiguous");
  const auto* first = reinterpret_cast<const std::uint64_t*>(bytes_of(offsets));
  const py::ssize_t entries = offsets.size();
  if (entries < 1 || first[entries - 1] > static_cast<std::uint64_t>(values.size()) ||
      columns.size() < values.size())
    throw InvalidArgument("the arrays of the sparse matrix do not fit each other");
  const SparseView view{first,
                        reinterpret_cast<const std::uint32_t*>(bytes_of(columns)),
                        bytes_of(values),
                        static_cast<std::size_t>(entries - 1),
                        features,
                        type_of(values)};
  return Dataset(view, keep(py::make_tuple(offsets, columns, values)));
}

py::object values_of(const Dataset& stored) {
  // An array is in one place: the rows of several files are copied.
  const bool in_parts = !stored.is_sparse() && !stored.values().parts.empty();
  const Dataset data = in_parts ? copy_rows(stored, iota(stored.rows())) : stored;
  auto* owner = new Dataset(data);
  const py::capsule keeper(owner, [](void* p) { delete static_cast<Dataset*>(p); });
  const auto array = [&](py::dtype type, py::array::ShapeContainer shape,
                         py::array::StridesContainer strides, const void* memory) {
    py::array made(std::move(type), std::move(shape), std::move(strides), memory, keeper);
    made.attr("flags").attr("writeable") = false;
    return made;
  };
  const auto size = static_cast<py::ssize_t>(size_of(data.type()));
  return visit_type(data.type(), [&]<class T>() -> py::object {
    const auto rows = static_cast<py::ssize_t>(data.rows());
    if (!data.is_sparse())
      return array(py::dtype::of<T>(), {rows, static_cast<py::ssize_t>(data.features())},
                   {static_cast<py::ssize_t>(data.values().row_bytes), size}, data.values().data);
    const SparseView& sparse = data.sparse();
    const auto count = static_cast<py::ssize_t>(sparse.rows == 0 ? 0 : sparse.offsets[sparse.rows]);
    return py::make_tuple(array(py::dtype::of<T>(), {count}, {size}, sparse.values),
                          array(py::dtype::of<std::uint32_t>(), {count}, {4}, sparse.columns),
                          array(py::dtype::of<std::uint64_t>(), {rows + 1}, {8}, sparse.offsets));
  });
}

py::dict to_python(const std::vector<Setting>& settings) {
  py::dict dict;
  for (const auto& [name, value] : settings) dict[py::str(name)] = setting_value(value);
  return dict;
}

py::list options_to_python(const std::vector<OptionInfo>& options) {
  py::list list;
  for (const OptionInfo& option : options)
    list.append(py::make_tuple(option.name, setting_value(option.default_value), option.allowed,
                               option.help));
  return list;
}

py::tuple to_python(const Warning& warning) {
  return py::make_tuple(to_text(warning.kind), warning.text);
}

std::vector<GivenOption> given_options(const py::dict& options) {
  std::vector<GivenOption> given;
  for (const auto& [name, text] : options)
    given.push_back({name.cast<std::string>(), text.cast<std::string>()});
  return given;
}

py::tuple to_python(LayerWeights layer) {
  if (layer.is_dense()) {
    auto weights = array_of(std::move(layer.weights)).reshape({layer.outputs, layer.inputs});
    return py::make_tuple(weights, array_of(std::move(layer.bias)));
  }
  return py::make_tuple(array_of(std::move(layer.offsets)), array_of(std::move(layer.columns)),
                        array_of(std::move(layer.weights)), array_of(std::move(layer.bias)),
                        layer.inputs);
}

py::dict to_python(const Measured& measured) {
  py::dict dict;
  dict["seconds"] = measured.total_seconds;
  dict["joules"] = measured.energy.joules;
  dict["source"] = measured.energy.source;
  return dict;
}

Measured measured_of(const py::dict& dict) {
  Measured measured;
  measured.total_seconds = dict["seconds"].cast<double>();
  measured.energy = {dict["joules"].cast<double>(), dict["source"].cast<std::string>()};
  return measured;
}

void check_signals() {
  const py::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

RunContext watch(int threads, py::object progress, py::object after_epoch) {
  RunContext context;
  context.threads = threads;
  context.progress = [report = keep(std::move(progress))](const Progress& now) {
    check_signals();
    const py::gil_scoped_acquire lock;
    if (!report->is_none()) (*report)(now.task, now.done, now.total, now.seconds_left, now.loss);
  };
  if (!after_epoch.is_none()) {
    struct Answers {
      std::atomic<bool> enough{false}, take_best{false};
    };
    const auto answers = std::make_shared<Answers>();
    context.enough = &answers->enough;  // both live as long as the function below
    if (after_epoch.attr("may_raise").cast<bool>()) context.take_best = &answers->take_best;
    context.after_epoch = [answers, call = keep(std::move(after_epoch))](const EpochEnd& end) {
      const py::gil_scoped_acquire lock;
      const py::object answer = (*call)(
          end.epoch, end.loss, array_of(std::vector<double>(end.scores.begin(), end.scores.end())));
      answers->take_best = call->attr("raised").cast<bool>();
      answers->enough = answer.cast<bool>();
    };
  }
  return context;
}

}  // namespace quickselection::python
