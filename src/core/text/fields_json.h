// src/core/text/fields_json.h: described structs (core/text/options.h) as JSON, and back.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text/options.h"
#include "quickselection/error.h"
#include "quickselection/words.h"

namespace quickselection {

using Json = nlohmann::ordered_json;

/// Of the keys that the commands write, documented in docs/json.md. It grows when a key changes its
/// meaning or goes; new keys do not change it.
inline constexpr int kJsonVersion = 1;

/// What text of a file says; throws the JSON library's exception when it is no JSON, and Error when
/// it is nested deeper than anything that is written here: what walks over it calls itself.
template <class Tree = Json>
Tree parse_json(const std::string& text, bool comments = false) {
  constexpr int kDeepest = 64;
  const auto look = [](int depth, typename Tree::parse_event_t, Tree&) {
    if (depth > kDeepest) throw Error("its values are nested too deeply");
    return true;
  };
  return Tree::parse(text, look, true, comments);
}

/// A whole number that its type holds; the JSON library would wrap or cut it. Throws
/// InvalidArgument.
template <std::integral Whole>
Whole whole_number(const auto& json) {
  if (json.is_number_unsigned() && std::in_range<Whole>(json.template get<std::uint64_t>()))
    return static_cast<Whole>(json.template get<std::uint64_t>());
  if (json.is_number_integer() && !json.is_number_unsigned() &&
      std::in_range<Whole>(json.template get<std::int64_t>()))
    return static_cast<Whole>(json.template get<std::int64_t>());
  throw InvalidArgument(fmt::format("{} is not a whole number from {} to {}", json.dump(),
                                    std::numeric_limits<Whole>::min(),
                                    std::numeric_limits<Whole>::max()));
}

/// A number with few digits, so that it takes few bytes. Not finite becomes null.
Json rounded(double value, int digits = 4);

Json json_of(const std::vector<Setting>& settings, int digits = 0);
Json json_of(const std::vector<GivenOption>& options, int digits = 0);
/// Options that texts name are written as on the command line.
Json json_of(const std::vector<std::string>& texts, int digits = 0);
Json json_of(const std::vector<Warning>& warnings, int digits = 0);

/// Optional fields that are unset are left out. `digits`: of all numbers with a fraction, 0 = all.
template <class T>
Json json_of(const T& value, int digits = 0) {
  if constexpr (Described<const T>) {
    Json json = Json::object();
    for_each_field(value, [&](std::string_view name, const auto& field, const auto&... about) {
      using Field = std::remove_cvref_t<decltype(field)>;
      if constexpr (options_detail::kIsOptional<Field>) {
        if (field) json[name] = json_of(*field, digits);
      } else if constexpr ((std::same_as<std::remove_cvref_t<decltype(about)>, UnlessEmpty> ||
                            ...)) {
        if (!field.empty()) json[name] = json_of(field, digits);
      } else {
        json[name] = json_of(field, digits);
      }
    });
    return json;
  } else if constexpr (std::is_enum_v<T>) {
    return std::string(name_of(value));
  } else if constexpr (std::same_as<T, double>) {
    return digits > 0 ? rounded(value, digits) : Json(value);
  } else if constexpr (requires { value.begin()->second; }) {  // pairs with a name
    Json json = Json::object();
    for (const auto& [name, one] : value) json[name] = json_of(one);
    return json;
  } else if constexpr (std::ranges::range<T> && !std::convertible_to<T, std::string_view>) {
    Json json = Json::array();
    for (const auto& one : value) json.push_back(json_of(one, digits));
    return json;
  } else if constexpr (requires { value.end + value.begin; }) {
    return {value.begin, value.end};
  } else {
    return Json(value);
  }
}

/// A value as it would be given on the command line.
std::string text_of(const Json& json, std::string_view between = ",");
std::vector<GivenOption> options_from_json(const Json& json);

/// Throws InvalidArgument for a key that is not among the known ones.
void refuse_unknown(const Json& json, const std::vector<std::string>& known,
                    const std::string& where);

/// What `json` says replaces what is in `value`; options are checked as on the command line.
/// `whole`: everything but optional fields must be there, otherwise the JSON library's exception is
/// thrown.
template <class T>
void read_json(const Json& json, T& value, bool whole) {
  if constexpr (Described<T>) {
    for_each_field(value, [&](std::string_view name, auto& field, const auto&... about) {
      using Field = std::remove_cvref_t<decltype(field)>;
      constexpr bool kMayLack =
          options_detail::kIsOptional<Field> ||
          (std::same_as<std::remove_cvref_t<decltype(about)>, UnlessEmpty> || ...);
      if (!json.contains(name) && (kMayLack || !whole)) return;
      const Json& said = json.at(std::string(name));
      if constexpr (sizeof...(about) == 2)
        [&](const auto& allowed, const auto&...) {
          constexpr bool kRows = std::same_as<std::remove_cvref_t<decltype(allowed)>, AnyRows>;
          options_detail::parse(name, field, allowed, text_of(said, kRows ? ":" : ","));
        }(about...);
      else
        read_json(said, field, whole);
    });
  } else if constexpr (std::same_as<T, std::vector<GivenOption>>) {
    value = options_from_json(json);
  } else if constexpr (std::is_enum_v<T>) {
    options_detail::parse("value", value, choices_of<T>(), json.get<std::string>());
  } else if constexpr (options_detail::kIsOptional<T>) {
    read_json(json, value.emplace(), whole);
  } else if constexpr (requires { value.begin()->second; }) {
    for (const auto& [name, one] : json.items()) read_json(one, value[name], whole);
  } else if constexpr (std::ranges::range<T> && !std::convertible_to<T, std::string_view>) {
    value.clear();
    for (const Json& one : json) read_json(one, value.emplace_back(), whole);
  } else if constexpr (std::integral<T> && !std::same_as<T, bool>) {
    value = whole_number<T>(json);
  } else {
    value = json.get<T>();
  }
}

/// What is wrong; of an error of the JSON library without its number.
std::string reason_of(const std::exception& error);

/// One line, also for text that is not UTF-8.
std::string dump_line(const Json& json);
/// The same for people.
std::string dump_pretty(const Json& json);

}  // namespace quickselection
