// src/core/fields.h: what is common to everything that walks over described structs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/options.h"

namespace quickselection {

/// Beside a field's name: it is left out when it holds nothing.
struct UnlessEmpty {};

namespace fields_detail {
struct Nothing {
  void operator()(std::string_view, const auto&, const auto&...) const {}
};
}  // namespace fields_detail

/// There is a for_each_field for it.
template <class T>
concept Described = requires(T& value) {
  for_each_field(value, fields_detail::Nothing{});
};

std::vector<std::string> field_names(const auto& value) {
  std::vector<std::string> names;
  for_each_field(
      value, [&](std::string_view name, const auto&, const auto&...) { names.emplace_back(name); });
  return names;
}

}  // namespace quickselection
