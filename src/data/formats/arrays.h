// src/data/formats/arrays.h: arrays in files: how those of any shape and order become rows of
// features, and which of several are the values and the labels.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quickselection/dataset.h"

namespace quickselection {

/// The type of signed ('i'), unsigned ('u') or floating ('f') numbers of so many bytes, if any.
std::optional<ValueType> number_type(char kind, std::size_t size);

/// The first dimension counts the rows, all others together the features.
/// Saturates at SIZE_MAX instead of overflowing.
std::size_t count_features(std::span<const std::size_t> shape);

/// shape[0] * shape[1] * ... * size, SIZE_MAX when that is too much.
std::size_t count_bytes(std::span<const std::size_t> shape, std::size_t size);

/// Adds a note when more than two dimensions were flattened.
void note_shape(std::vector<std::string>& notes, std::span<const std::size_t> shape);
/// The same, and keeps the shape of the features.
void note_shape(Dataset& data, std::span<const std::size_t> shape);

/// Takes the column that options.label numbers as the labels, if it does.
void take_label_option(Dataset& data, const ReadOptions& options);

/// Copies a column-major matrix into a row-major one, whose rows are `row_bytes` apart.
void transpose(const std::byte* from, std::byte* to, std::size_t rows, std::size_t columns,
               std::size_t size, std::size_t row_bytes);

/// Rows become features, called by their row names; what the features were called is gone, and so
/// are labels. Sparse data stays sparse.
Dataset transposed(const Dataset& data);

/// Copies values of `size` bytes in the other byte order; in place when both are the same.
void copy_swapped(const std::byte* from, std::byte* to, std::size_t count, std::size_t size);

/// One text per value, row after row, as labels have it: 3, 2.5.
std::vector<std::string> number_texts(const Dataset& data);

/// Names under which labels are found by themselves.
inline constexpr std::array<std::string_view, 6> kLabelNames{"Y",      "gnd",   "y",
                                                             "labels", "label", "target"};

struct Variable {
  std::string name;
  std::vector<std::size_t> shape;  ///< empty when it can be neither
  bool is_text = false;            ///< can be the labels, but not the values
};

/// The one that options.array names; else X or fea; else the only one that is no vector or single
/// value; else the only one. Throws Error (InvalidArgument for a wrong name) that lists them all.
std::size_t choose_matrix(std::span<const Variable> variables, const ReadOptions& options,
                          const std::string& path);

/// The one that options.label names; without that Y, gnd, y, labels, label or target when it has
/// one value for each row. Nothing when options.label is "none" or no variable's name.
std::optional<std::size_t> choose_labels(std::span<const Variable> variables, std::size_t matrix,
                                         const ReadOptions& options, const std::string& path);

/// Says so when the labels were found by themselves.
void note_labels(std::vector<std::string>& notes, const std::string& name,
                 const ReadOptions& options);

/// Adds the labels, and that note.
void set_labels(Dataset& data, std::span<const std::string> texts, const std::string& name,
                const ReadOptions& options);

}  // namespace quickselection
