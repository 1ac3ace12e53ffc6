// src/data/mat5.cpp: MATLAB files of version 5, compressed or not, through matio.
#include <fmt/format.h>
#include <matio.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "data/array.h"
#include "data/growing_buffer.h"
#include "data/mapped_file.h"
#include "data/mat.h"
#include "data/variables.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr std::size_t kHeaderBytes = 128, kTagBytes = 8;
constexpr std::uint32_t kCompressed = 15, kMatrix = 14;
// A double may be stored in one byte, and deflate makes nothing more than 1032 times smaller.
constexpr std::size_t kMostStored = 8, kMostDeflated = 8 * 1100;
constexpr const char* kHint = "was it written or copied completely?";

struct CloseFile {
  void operator()(mat_t* file) const { Mat_Close(file); }
};
struct FreeVariable {
  void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};
using File = std::unique_ptr<mat_t, CloseFile>;
using MatVariable = std::unique_ptr<matvar_t, FreeVariable>;

/// matio takes what is left of a file that was cut: the elements' lengths must add up.
void check_elements(const MappedFile& file) {
  const std::string_view bytes = file.text();
  const bool big_endian = bytes[126] == 'M';
  const auto word = [&](std::size_t at) {
    std::uint32_t value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return big_endian ? __builtin_bswap32(value) : value;
  };
  for (std::size_t at = kHeaderBytes; at < bytes.size();) {
    const std::size_t left = bytes.size() - at;
    const std::size_t needed = left < kTagBytes ? kTagBytes : kTagBytes + word(at + 4);
    if (needed > left)
      throw Error(fmt::format("{} is cut short: what begins at byte {} needs {} bytes, it has {}",
                              file.path(), at, needed, left),
                  kHint);
    if (word(at) != kCompressed && word(at) != kMatrix)
      throw Error(fmt::format("{} is damaged: what begins at byte {} has the unknown type {}",
                              file.path(), at, word(at)),
                  kHint);
    at += needed;
  }
}

std::optional<ValueType> type_of(const matvar_t& variable) {
  if (variable.isComplex != 0) return std::nullopt;
  switch (variable.class_type) {
    case MAT_C_DOUBLE:
      return ValueType::f64;
    case MAT_C_SINGLE:
      return ValueType::f32;
    case MAT_C_INT8:
      return ValueType::i8;
    case MAT_C_UINT8:
      return ValueType::u8;
    case MAT_C_INT16:
      return ValueType::i16;
    case MAT_C_UINT16:
      return ValueType::u16;
    case MAT_C_INT32:
      return ValueType::i32;
    case MAT_C_UINT32:
      return ValueType::u32;
    case MAT_C_INT64:
      return ValueType::i64;
    case MAT_C_UINT64:
      return ValueType::u64;
    default:
      return std::nullopt;
  }
}

std::vector<std::size_t> shape_of(const matvar_t& variable) {
  if (variable.rank < 1 || variable.dims == nullptr) return {};
  return {variable.dims, variable.dims + variable.rank};
}

const char* kind_of(const matvar_t& variable) {
  switch (variable.class_type) {
    case MAT_C_CELL:
      return "a cell array";
    case MAT_C_STRUCT:
      return "a struct";
    case MAT_C_CHAR:
      return "text";
    case MAT_C_SPARSE:
      return "a sparse matrix, which cannot be read yet";
    default:
      return variable.isComplex != 0 ? "complex numbers" : "not a matrix of numbers";
  }
}

/// MATLAB stores doubles that are integers in the smallest of these types, but matio hands out
/// doubles again. Finds the type, packs the values in place, and returns it.
ValueType pack_integers(double* values, std::size_t count) {
  double least = 0, most = 0;
  bool integers = true;
  for (std::size_t i = 0; i < count; ++i) {
    const double value = values[i];
    integers &= value == std::nearbyint(value);  // no NaN is
    least = std::min(least, value);
    most = std::max(most, value);
  }
  const auto fits = [&](auto limits) {
    return least >= static_cast<double>(limits.lowest()) &&
           most <= static_cast<double>(limits.max());
  };
  const ValueType type = !integers                                   ? ValueType::f64
                         : fits(std::numeric_limits<std::uint8_t>{}) ? ValueType::u8
                         : fits(std::numeric_limits<std::int16_t>{}) ? ValueType::i16
                         : fits(std::numeric_limits<std::int16_t>{}) ? ValueType::i16
                         : fits(std::numeric_limits<std::int32_t>{}) ? ValueType::i32
                                                                     : ValueType::f64;
  if (type == ValueType::f64) return type;
  auto* const bytes = reinterpret_cast<std::byte*>(values);
  visit_type(type, [&](auto* tag) {
    using T = std::remove_const_t<std::remove_pointer_t<decltype(tag)>>;
    for (std::size_t i = 0; i < count; ++i) {
      const T narrow = static_cast<T>(values[i]);
      std::memcpy(bytes + i * sizeof narrow, &narrow, sizeof narrow);
    }
  });
  return type;
}

Dataset read_variable(mat_t* file, matvar_t* variable, std::size_t file_size,
                      const std::string& path) {
  const std::string name = fmt::format("{}, variable '{}'", path, variable->name);
  std::optional<ValueType> type = type_of(*variable);
  const std::vector<std::size_t> shape = shape_of(*variable);
  if (!type || shape.empty())
    throw Error(fmt::format("{} is {}", name, kind_of(*variable)),
                "a full matrix of real numbers is needed; full(X) makes one in MATLAB");
  const std::size_t bytes = count_bytes(shape, size_of(*type));
  if (bytes == 0)
    throw Error(fmt::format("{} holds no values: it is {}", name, fmt::join(shape, " x ")));
  const bool deflated = variable->compression != MAT_COMPRESSION_NONE;
  if (bytes / (deflated ? kMostDeflated : kMostStored) > file_size)
    throw Error(fmt::format("{} is damaged: {} values cannot come from a file of {} bytes", name,
                            fmt::join(shape, " x "), file_size),
                kHint);
  if (Mat_VarReadDataAll(file, variable) != 0 || variable->data == nullptr ||
      variable->nbytes != bytes)
    throw Error(fmt::format("{} cannot be read: its data is damaged or cut short", name), kHint);

  const std::size_t rows = shape[0], features = count_features(shape);
  if (*type == ValueType::f64)
    type = pack_integers(static_cast<double*>(variable->data), rows * features);
  auto buffer = std::make_shared<GrowingBuffer>();
  buffer->reserve(rows * features * size_of(*type));
  transpose(static_cast<const std::byte*>(variable->data), buffer->data(), rows, features,
            size_of(*type));
  const MatrixView view{buffer->data(), rows, features, features * size_of(*type), *type};
  Dataset data(view, std::move(buffer));
  data.source = path;
  note_shape(data, shape);
  data.feature_shape.clear();  // stored by columns: not the rows of an image
  return data;
}

}  // namespace

Dataset read_mat5(const std::string& path, const ReadOptions& options) {
  std::size_t file_size = 0;
  {
    const MappedFile mapped(path);
    check_elements(mapped);
    file_size = mapped.size();
  }
  const File file(Mat_Open(path.c_str(), MAT_ACC_RDONLY));
  if (file == nullptr) throw Error(fmt::format("{} is not a readable MATLAB file", path), kHint);
  std::vector<MatVariable> variables;
  std::vector<Variable> list;
  while (matvar_t* next = Mat_VarReadNextInfo(file.get())) {
    MatVariable variable(next);
    if (variable->name == nullptr) continue;
    list.push_back({variable->name, {}, false});
    // A sparse matrix is listed with its shape: choosing it tells why it cannot be read.
    if (type_of(*variable) || variable->class_type == MAT_C_SPARSE)
      list.back().shape = shape_of(*variable);
    variables.push_back(std::move(variable));
  }
  const std::size_t matrix = choose_matrix(list, options, path);
  Dataset data = read_variable(file.get(), variables[matrix].get(), file_size, path);
  variables[matrix].reset();
  if (const auto labels = choose_labels(list, matrix, options, path)) {
    const Dataset column = read_variable(file.get(), variables[*labels].get(), file_size, path);
    set_labels(data, number_texts(column), list[*labels].name, options);
  } else {
    take_label_option(data, options);
  }
  return data;
}

}  // namespace quickselection
