// src/data/formats/array.h: how arrays of any shape and order become rows of features.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
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

/// Copies values of `size` bytes in the other byte order; in place when both are the same.
void copy_swapped(const std::byte* from, std::byte* to, std::size_t count, std::size_t size);

/// One text per value, row after row, as labels have it: 3, 2.5.
std::vector<std::string> number_texts(const Dataset& data);

}  // namespace quickselection
