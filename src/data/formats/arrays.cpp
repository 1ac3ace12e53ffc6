// src/data/formats/arrays.cpp: see arrays.h.
#include "data/formats/arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "core/aligned.h"
#include "core/text/options.h"
#include "data/dataset/find_column.h"
#include "data/dataset/sparse.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

template <class Word>
void transpose_words(const std::byte* from, std::byte* to, std::size_t rows, std::size_t columns,
                     std::size_t row_bytes) {
  constexpr std::size_t kBlock = 64;  // a block's cache lines of both sides stay in the cache
  for (std::size_t r0 = 0; r0 < rows; r0 += kBlock)
    for (std::size_t c0 = 0; c0 < columns; c0 += kBlock)
      for (std::size_t r = r0; r < std::min(rows, r0 + kBlock); ++r)
        for (std::size_t c = c0; c < std::min(columns, c0 + kBlock); ++c)
          std::memcpy(to + r * row_bytes + c * sizeof(Word), from + (c * rows + r) * sizeof(Word),
                      sizeof(Word));
}

template <class Word>
void swap_words(const std::byte* from, std::byte* to, std::size_t count) {
  for (std::size_t i = 0; i < count * sizeof(Word); i += sizeof(Word)) {
    std::array<std::byte, sizeof(Word)> word{};
    std::reverse_copy(from + i, from + i + sizeof(Word), word.begin());
    std::memcpy(to + i, word.data(), sizeof(Word));
  }
}

constexpr std::array<std::string_view, 2> kMatrixNames{"X", "fea"};

std::string list_all(std::span<const Variable> variables) {
  constexpr std::size_t kShown = 20;
  std::string list;
  for (std::size_t i = 0; i < std::min(kShown, variables.size()); ++i) {
    const Variable& variable = variables[i];
    const std::string shape =
        variable.shape.empty() ? "no matrix" : fmt::format("{}", fmt::join(variable.shape, " x "));
    list += fmt::format("{}{} ({}{})", i == 0 ? "" : ", ", variable.name, shape,
                        variable.is_text ? " texts" : "");
  }
  if (variables.size() > kShown) list += fmt::format(" and {} more", variables.size() - kShown);
  return list;
}

std::optional<std::size_t> find(std::span<const Variable> variables, std::string_view name) {
  for (std::size_t i = 0; i < variables.size(); ++i)
    if (variables[i].name == name) return i;
  return std::nullopt;
}

bool is_matrix(const Variable& variable) {
  return !variable.is_text && variable.shape.size() >= 2 && variable.shape[0] > 1 &&
         count_features(variable.shape) > 1;
}

}  // namespace

std::optional<ValueType> number_type(char kind, std::size_t size) {
  for (int i = 0; i <= static_cast<int>(ValueType::f64); ++i)
    if (const auto type = static_cast<ValueType>(i);
        name_of(type)[0] == kind && size_of(type) == size)
      return type;
  return std::nullopt;
}

std::size_t count_bytes(std::span<const std::size_t> shape, std::size_t size) {
  for (const std::size_t length : shape)
    if (__builtin_mul_overflow(size, length, &size)) return SIZE_MAX;
  return size;
}

std::size_t count_features(std::span<const std::size_t> shape) {
  return shape.empty() ? 1 : count_bytes(shape.subspan(1), 1);
}

void note_shape(std::vector<std::string>& notes, std::span<const std::size_t> shape) {
  if (shape.size() > 2)
    notes.push_back(fmt::format("the array of shape ({}) is taken as {} rows of {} features",
                                fmt::join(shape, ", "), shape[0], count_features(shape)));
}

void note_shape(Dataset& data, std::span<const std::size_t> shape) {
  note_shape(data.notes, shape);
  if (shape.size() > 2) data.feature_shape.assign(shape.begin() + 1, shape.end());
}

void take_label_option(Dataset& data, const ReadOptions& options) {
  if (!options.label.empty() && options.label != "none")
    take_label_column(data, resolve_column(options.label, {}, data.features(), "label"));
}

void transpose(const std::byte* from, std::byte* to, std::size_t rows, std::size_t columns,
               std::size_t size, std::size_t row_bytes) {
  const auto move = size == 1   ? transpose_words<std::uint8_t>
                    : size == 2 ? transpose_words<std::uint16_t>
                    : size == 4 ? transpose_words<std::uint32_t>
                                : transpose_words<std::uint64_t>;
  move(from, to, rows, columns, row_bytes);
}

Dataset transposed(const Dataset& data) {
  const std::size_t rows = data.features(), features = data.rows(), size = size_of(data.type());
  Dataset turned;
  if (data.is_sparse()) {
    const SparseView& sparse = data.sparse();
    turned = sparse_by_columns({{sparse.offsets, features + 1},
                                {sparse.columns, sparse.offsets[features]},
                                sparse.values,
                                data.type()},
                               rows, data.source);
  } else {
    const MatrixView& from = data.values();
    auto made = std::make_shared<AlignedArray<std::byte>>(rows * features * size);
    if (from.row_bytes == rows * size) {
      transpose(from.data, made->data(), rows, features, size, features * size);
    } else {
      for (std::size_t r = 0; r < features; ++r)
        transpose(from.row(r), made->data() + r * size, rows, 1, size, features * size);
    }
    turned = Dataset(MatrixView{made->data(), rows, features, features * size, data.type()}, made);
  }
  turned.names = data.row_names;
  turned.source = data.source;
  turned.notes = data.notes;
  turned.decisions = data.decisions;
  turned.notes.push_back(
      fmt::format("the file's {} rows are the features, its {} columns the rows", features, rows));
  return turned;
}

void copy_swapped(const std::byte* from, std::byte* to, std::size_t count, std::size_t size) {
  const auto copy = size == 1   ? swap_words<std::uint8_t>
                    : size == 2 ? swap_words<std::uint16_t>
                    : size == 4 ? swap_words<std::uint32_t>
                                : swap_words<std::uint64_t>;
  copy(from, to, count);
}

std::vector<std::string> number_texts(const Dataset& data) {
  std::vector<std::string> texts;
  texts.reserve(data.rows() * data.features());
  for (std::size_t r = 0; r < data.rows(); ++r)
    for (std::size_t f = 0; f < data.features(); ++f)
      texts.push_back(fmt::format("{}", data.at(r, f)));
  return texts;
}

std::size_t choose_matrix(std::span<const Variable> variables, const ReadOptions& options,
                          const std::string& path) {
  if (variables.empty())
    throw Error(fmt::format("{} holds no arrays", path), "was it written completely?");
  if (!options.array.empty()) {
    if (const auto named = find(variables, options.array)) return *named;
    std::vector<std::string> names;
    for (const Variable& variable : variables) names.push_back(variable.name);
    const std::string near = closest(options.array, names);
    throw InvalidArgument(
        fmt::format("‹array› is '{}', but {} has no array of that name", options.array, path),
        (near.empty() ? "" : fmt::format("did you mean '{}'? ", near)) +
            "it holds: " + list_all(variables));
  }
  for (const std::string_view name : kMatrixNames)
    if (const auto found = find(variables, name);
        found && !variables[*found].shape.empty() && !variables[*found].is_text)
      return *found;
  if (variables.size() == 1) return 0;
  const auto first = std::find_if(variables.begin(), variables.end(), is_matrix);
  if (first != variables.end() && std::none_of(first + 1, variables.end(), is_matrix))
    return static_cast<std::size_t>(first - variables.begin());
  throw Error(fmt::format("{} holds {} arrays, and it is not clear which one is the data", path,
                          variables.size()),
              "name it with ‹array›; it holds: " + list_all(variables));
}

std::optional<std::size_t> choose_labels(std::span<const Variable> variables, std::size_t matrix,
                                         const ReadOptions& options, const std::string& path) {
  if (options.label == "none") return std::nullopt;
  const std::size_t rows = variables[matrix].shape.empty() ? 0 : variables[matrix].shape[0];
  const auto fits = [&](std::size_t i) {
    return i != matrix && !variables[i].shape.empty() && count_bytes(variables[i].shape, 1) == rows;
  };
  if (!options.label.empty()) {
    const auto named = find(variables, options.label);
    if (named && !fits(*named))
      throw Error(fmt::format("{}: ‹label› is '{}', which does not hold one value for each of the "
                              "{} rows of '{}'",
                              path, options.label, rows, variables[matrix].name),
                  "it holds: " + list_all(variables));
    return named;
  }
  for (const std::string_view name : kLabelNames)
    if (const auto found = find(variables, name); found && fits(*found)) return found;
  return std::nullopt;
}

void note_labels(std::vector<std::string>& notes, const std::string& name,
                 const ReadOptions& options) {
  if (options.label.empty())
    notes.push_back(fmt::format("'{}' is taken as the labels (‹label none› to do without)", name));
}

void set_labels(Dataset& data, std::span<const std::string> texts, const std::string& name,
                const ReadOptions& options) {
  data.labels = make_labels(texts);
  note_labels(data.notes, name, options);
}

}  // namespace quickselection
