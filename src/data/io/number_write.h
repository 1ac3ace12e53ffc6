// src/data/io/number_write.h: numbers as text that reads back to the same value.
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>

namespace quickselection {

template <class T>
void append_number(std::string& text, const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(value)) {
      text += "NaN";
      return;
    }
  }
  char digits[64];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

}  // namespace quickselection
