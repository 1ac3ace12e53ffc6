// src/data/formats/matlab/mat5_types.h: the numbers that stand for types in a MATLAB 5 file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "quickselection/value_type.h"

namespace quickselection::mat5 {

/// What an element holds.
enum : std::uint32_t {
  kInt8 = 1,
  kUint8 = 2,
  kUint16 = 4,
  kInt32 = 5,
  kUint32 = 6,
  kDouble = 9,
  kMatrix = 14,
  kCompressed = 15,
  kUtf8 = 16,
  kUtf16 = 17
};

/// The elements and the classes of matrices that hold numbers.
struct NumberType {
  ValueType type;
  std::uint32_t element, matrix;
};
constexpr std::array<NumberType, 10> kNumberTypes{{{ValueType::i8, 1, 8},
                                                   {ValueType::u8, 2, 9},
                                                   {ValueType::i16, 3, 10},
                                                   {ValueType::u16, 4, 11},
                                                   {ValueType::i32, 5, 12},
                                                   {ValueType::u32, 6, 13},
                                                   {ValueType::f32, 7, 7},
                                                   {ValueType::f64, 9, 6},
                                                   {ValueType::i64, 12, 14},
                                                   {ValueType::u64, 13, 15}}};

constexpr std::size_t kHeaderBytes = 128;  // text, then two bytes each of version and byte order
constexpr std::size_t kPiece = std::size_t{4} << 20;  // bytes turned from columns to rows at once
constexpr const char* kHint = "was it written or copied completely?";

}  // namespace quickselection::mat5
