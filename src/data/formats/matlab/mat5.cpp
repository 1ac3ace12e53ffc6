// src/data/formats/matlab/mat5.cpp: MATLAB files of version 5, compressed or not.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "data/dataset/sparse.h"
#include "data/formats/arrays.h"
#include "data/formats/format.h"
#include "data/formats/matlab/mat5_file.h"
#include "data/io/growing_buffer.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

using namespace mat5;

constexpr std::string_view kNames = "names";

const char* kind_of(const MatVariable& variable) {
  if (variable.is_complex) return "complex numbers";
  switch (variable.kind) {
    case MatClass::cell:
      return "a cell array";
    case MatClass::structure:
      return "a struct";
    case MatClass::text:
      return "text";
    default:
      return "not a matrix of numbers";
  }
}

/// Whole numbers of four bytes: rows (ir) or offsets (jc).
std::vector<std::byte> read_integers(MatStream& stream, std::size_t least,
                                     const std::string& name) {
  const MatStream::Element element = stream.next();
  if (element.number != ValueType::i32 || element.bytes / 4 < least)
    throw Error(fmt::format("{} is damaged: its places are missing", name), kHint);
  if (element.bytes > stream.most_bytes())
    throw Error(fmt::format("{} is damaged: {} bytes of places", name, element.bytes), kHint);
  std::vector<std::byte> bytes(element.bytes);
  stream.read_numbers(bytes.data(), element.bytes / 4, 4);
  stream.end_element();
  return bytes;
}

/// Columns of rows and values, with room for more of both than are used.
Dataset read_sparse(const Mat5File& file, const MatVariable& variable, const std::string& name) {
  if (variable.shape.size() != 2)
    throw Error(fmt::format("{} is damaged: a sparse matrix has two dimensions", name), kHint);
  const std::size_t rows = variable.shape[0], features = variable.shape[1];
  check_sparse_shape(rows, features, file.bytes(), name);
  const auto stream = file.open(variable);
  const std::vector<std::byte> row_bytes = read_integers(*stream, 0, name);
  const std::vector<std::byte> offset_bytes = read_integers(*stream, features + 1, name);
  std::vector<std::uint64_t> offsets(features + 1);
  make_offsets(offset_bytes.data(), ValueType::i32, features + 1, row_bytes.size() / 4,
               offsets.data(), name);
  std::vector<std::uint32_t> places(offsets.back());
  make_places(row_bytes.data(), ValueType::i32, places.size(), rows, places.data(), name);
  const MatStream::Element element = stream->next();
  const ValueType type = element.number.value_or(ValueType::f64);
  const std::size_t bytes = places.size() * size_of(type);
  if (!element.number || bytes > element.bytes || bytes > stream->most_bytes())
    throw Error(fmt::format("{} is damaged: its values are missing", name), kHint);
  std::vector<std::byte> values(bytes);
  stream->read_numbers(values.data(), places.size(), size_of(type));
  stream->finish();
  return sparse_by_columns({offsets, places, values.data(), type}, rows, name);
}

/// MATLAB stores doubles that are integers in the smallest type that holds them: it is kept.
Dataset read_variable(const Mat5File& file, const MatVariable& variable) {
  const std::string name = fmt::format("{}, variable '{}'", file.path(), variable.name);
  if (variable.kind == MatClass::sparse && !variable.is_complex)
    return read_sparse(file, variable, name);
  if (!variable.is_number)
    throw Error(fmt::format("{} is {}", name, kind_of(variable)),
                "a matrix of real numbers is needed");
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

/// A cell array of texts.
std::vector<std::string> read_cells(const Mat5File& file, const MatVariable& variable) {
  const std::size_t count = count_bytes(variable.shape, 1);
  const auto stream = file.open(variable);
  constexpr std::size_t kLeastBytes = 48;  // of one text with its flags and dimensions
  if (count > stream->most_bytes() / kLeastBytes)
    throw Error(fmt::format("{}, variable '{}' is damaged: {} texts cannot come from {} bytes",
                            file.path(), variable.name, count, stream->most_bytes()),
                kHint);
  std::vector<std::string> texts;
  texts.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    MatVariable cell;
    stream->enter();
    stream->read_head(cell);
    if (cell.kind != MatClass::text)
      throw Error(
          fmt::format("{}, variable '{}': cell {} is no text", file.path(), variable.name, i + 1),
          "‹label none› does without labels");
    texts.push_back(stream->read_text());
  }
  stream->finish();
  return texts;
}

/// Numbers or texts, one text for each.
std::vector<std::string> read_texts(const Mat5File& file, const MatVariable& variable) {
  if (variable.kind == MatClass::cell) return read_cells(file, variable);
  return number_texts(read_variable(file, variable));
}

}  // namespace

Dataset read_mat5(const std::string& path, const ReadOptions& options) {
  const Mat5File file(path);
  const std::vector<MatVariable>& variables = file.variables();
  std::vector<Variable> list;
  for (const MatVariable& variable : variables) {
    list.push_back({variable.name, {}, false});
    list.back().is_text = variable.kind == MatClass::cell;
    if (variable.is_number || variable.kind == MatClass::sparse || list.back().is_text)
      list.back().shape = variable.shape;
  }
  const std::size_t matrix = choose_matrix(list, options, path);
  Dataset data = read_variable(file, variables[matrix]);
  for (const MatVariable& variable : variables)
    if (variable.name == kNames && variable.kind == MatClass::cell &&
        count_bytes(variable.shape, 1) == data.features())
      data.names = read_cells(file, variable);
  if (const auto labels = choose_labels(list, matrix, options, path))
    set_labels(data, read_texts(file, variables[*labels]), list[*labels].name, options);
  else
    take_label_option(data, options);
  return data;
}

}  // namespace quickselection
