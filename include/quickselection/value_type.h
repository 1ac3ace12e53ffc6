// include/quickselection/value_type.h: the number types in which data is stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace quickselection {

enum class ValueType : std::uint8_t { u8, i8, u16, i16, u32, i32, u64, i64, f32, f64 };

constexpr std::size_t size_of(ValueType type) {
  constexpr std::uint8_t kSizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
  return kSizes[static_cast<std::size_t>(type)];
}

constexpr bool is_floating(ValueType type) {
  return type == ValueType::f32 || type == ValueType::f64;
}

constexpr std::string_view name_of(ValueType type) {
  constexpr std::string_view kNames[] = {"u8",  "i8",  "u16", "i16", "u32",
                                         "i32", "u64", "i64", "f32", "f64"};
  return kNames[static_cast<std::size_t>(type)];
}

/// The ValueType of a C++ number type.
template <class T>
constexpr ValueType value_type_of() {
  constexpr bool kSigned = static_cast<T>(-1) < static_cast<T>(0);
  constexpr bool kFloat = static_cast<T>(0.5) != static_cast<T>(0);
  if constexpr (kFloat) return sizeof(T) == 4 ? ValueType::f32 : ValueType::f64;
  if constexpr (sizeof(T) == 1) return kSigned ? ValueType::i8 : ValueType::u8;
  if constexpr (sizeof(T) == 2) return kSigned ? ValueType::i16 : ValueType::u16;
  if constexpr (sizeof(T) == 4) return kSigned ? ValueType::i32 : ValueType::u32;
  return kSigned ? ValueType::i64 : ValueType::u64;
}

/// Calls body, a lambda []<class T>() {...}, with the C++ type T that `type` stands for: the one
/// place that turns a run-time type into a compile-time one.
template <class Body>
decltype(auto) visit_type(ValueType type, Body&& body) {
  switch (type) {
    case ValueType::u8:
      return body.template operator()<std::uint8_t>();
    case ValueType::i8:
      return body.template operator()<std::int8_t>();
    case ValueType::u16:
      return body.template operator()<std::uint16_t>();
    case ValueType::i16:
      return body.template operator()<std::int16_t>();
    case ValueType::u32:
      return body.template operator()<std::uint32_t>();
    case ValueType::i32:
      return body.template operator()<std::int32_t>();
    case ValueType::u64:
      return body.template operator()<std::uint64_t>();
    case ValueType::i64:
      return body.template operator()<std::int64_t>();
    case ValueType::f32:
      return body.template operator()<float>();
    case ValueType::f64:
      break;
  }
  return body.template operator()<double>();
}

}  // namespace quickselection
