// src/data/mat5.cpp: MATLAB files of version 5, compressed or not.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "data/array.h"
#include "data/growing_buffer.h"
#include "data/mat.h"
#include "data/mat5_file.h"
#include "data/variables.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr std::size_t kPiece = std::size_t{4} << 20;  // columns turned into rows at once
constexpr const char* kHint = "was it written or copied completely?";

const char* kind_of(const MatVariable& variable) {
  if (variable.is_complex) return "complex numbers";
  switch (variable.kind) {
    case MatClass::cell:
      return "a cell array";
    case MatClass::structure:
      return "a struct";
    case MatClass::text:
      return "text";
    case MatClass::sparse:
      return "a sparse matrix, which cannot be read yet";
    default:
      return "not a matrix of numbers";
  }
}

/// MATLAB stores doubles that are integers in the smallest type that holds them: it is kept.
Dataset read_variable(const Mat5File& file, const MatVariable& variable) {
  const std::string name = fmt::format("{}, variable '{}'", file.path(), variable.name);
  if (!variable.is_number)
    throw Error(fmt::format("{} is {}", name, kind_of(variable)),
                "a full matrix of real numbers is needed; full(X) makes one in MATLAB");
  const std::size_t rows = variable.shape[0], features = count_features(variable.shape);
  if (rows == 0 || features == 0)
    throw Error(
        fmt::format("{} holds no values: it is {}", name, fmt::join(variable.shape, " x ")));
  const auto stream = file.open(variable);
  const MatStream::Element element = stream->next();
  if (!element.number)
    throw Error(
        fmt::format("{} is damaged: its values have the unknown type {}", name, element.type),
        kHint);
  const ValueType type = *element.number;
  const std::size_t size = size_of(type), bytes = count_bytes(variable.shape, size);
  if (bytes != element.bytes || bytes > stream->most_bytes())
    throw Error(fmt::format("{} is damaged: {} values cannot come from {} bytes", name,
                            fmt::join(variable.shape, " x "), element.bytes),
                kHint);

  auto buffer = std::make_shared<GrowingBuffer>();
  buffer->reserve(bytes);
  const std::size_t column_bytes = rows * size;
  const std::size_t together = std::clamp<std::size_t>(kPiece / column_bytes, 1, features);
  std::vector<std::byte> columns(together * column_bytes);
  for (std::size_t f = 0; f < features; f += together) {
    const std::size_t count = std::min(together, features - f);
    stream->read_numbers(columns.data(), count * rows, size);
    transpose(columns.data(), buffer->data() + f * size, rows, count, size, features * size);
  }
  stream->finish();
  const MatrixView view{buffer->data(), rows, features, features * size, type};
  Dataset data(view, std::move(buffer));
  data.source = file.path();
  note_shape(data.notes, variable.shape);
  return data;
}

}  // namespace

Dataset read_mat5(const std::string& path, const ReadOptions& options) {
  const Mat5File file(path);
  const std::vector<MatVariable>& variables = file.variables();
  std::vector<Variable> list;
  for (const MatVariable& variable : variables) {
    list.push_back({variable.name, {}, false});
    // A sparse matrix is listed with its shape: choosing it tells why it cannot be read.
    if (variable.is_number || variable.kind == MatClass::sparse) list.back().shape = variable.shape;
  }
  const std::size_t matrix = choose_matrix(list, options, path);
  Dataset data = read_variable(file, variables[matrix]);
  if (const auto labels = choose_labels(list, matrix, options, path))
    set_labels(data, number_texts(read_variable(file, variables[*labels])), list[*labels].name,
               options);
  else
    take_label_option(data, options);
  return data;
}

}  // namespace quickselection
