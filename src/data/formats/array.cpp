// src/data/formats/array.cpp: see array.h.
#include "data/formats/array.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "data/dataset/find_column.h"

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

}  // namespace quickselection
