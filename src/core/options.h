// src/core/options.h: one description of a method's options serves everything.
//
// A method has a plain struct of options and one function `for_each_field(options, visitor)` that
// names each field once, with its range and one sentence. From it come the command line, the help,
// the Python keyword arguments, validation, and the settings recorded in every result.
//
//   struct WaltzOptions { int steps = 3; Mood mood = Mood::gay; };
//   template <class Self, class Visitor>
//     requires OptionsOf<Self, WaltzOptions>
//   void for_each_field(Self& o, Visitor&& field) {
//     field("steps", o.steps, at_least(1), "Steps in a bar.");
//     field("mood", o.mood, choices_of<Mood>(), "How it is danced.");
//   }
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "quickselection/error.h"
#include "quickselection/setting.h"

namespace quickselection {

template <class Self, class Options>
concept OptionsOf = std::is_same_v<std::remove_const_t<Self>, Options>;

/// Allowed numbers, both ends included unless said otherwise.
struct Limits {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool open_least = false, open_most = false;  // the end itself is not allowed
};
constexpr Limits at_least(double least) { return {.least = least}; }
constexpr Limits above(double least) { return {.least = least, .open_least = true}; }
constexpr Limits between(double least, double most) { return {.least = least, .most = most}; }
/// [least, most): for fractions that must leave something over.
constexpr Limits from_below(double least, double most) {
  return {.least = least, .most = most, .open_most = true};
}
std::string describe(const Limits& limits);

/// For a field of type std::optional: a number, or `auto` for one that the method finds by itself.
struct AutoOr {
  Limits limits;
};
constexpr AutoOr auto_or(Limits limits) { return {limits}; }
std::string describe(const AutoOr& allowed);

/// Names of an enum's values, in order. Specialise for every enum used as an option.
template <class Enum>
inline constexpr std::span<const std::string_view> kChoices;

struct Choices {
  std::span<const std::string_view> names;
};
template <class Enum>
constexpr Choices choices_of() {
  return {kChoices<Enum>};
}
inline constexpr std::string_view kNoYes[] = {"no", "yes"};
/// For a field of type bool.
constexpr Choices yes_or_no() { return {kNoYes}; }

template <class Enum>
requires std::is_enum_v<Enum>
constexpr std::string_view name_of(Enum value) {
  return kChoices<Enum>[static_cast<std::size_t>(value)];
}

/// The name in `known` that is most like `name`, or "" when none is near: for hints.
std::string closest(std::string_view name, std::span<const std::string> known);

namespace options_detail {

[[noreturn]] void refuse(std::string_view name, std::string_view text, std::string_view allowed);
bool within(double value, const Limits& limits);

template <class T>
void parse(std::string_view name, T& field, const Limits& limits, std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || !within(static_cast<double>(value), limits)) refuse(name, text, describe(limits));
  field = value;
}

/// A list of whole numbers, as in --hidden 1000,50,1000.
template <class T>
void parse(std::string_view name, std::vector<T>& field, const Limits& limits,
           std::string_view text) {
  std::vector<T> values;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    parse(name, values.emplace_back(), limits, text.substr(at, comma - at));
    at = comma + 1;
  }
  field = std::move(values);
}

template <class T>
void parse(std::string_view name, std::optional<T>& field, const AutoOr& allowed,
           std::string_view text) {
  if (text == "auto") {
    field.reset();
    return;
  }
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || !within(static_cast<double>(value), allowed.limits))
    refuse(name, text, describe(allowed));
  field = value;
}

template <class Enum>
requires std::is_enum_v<Enum>
void parse(std::string_view name, Enum& field, const Choices& choices, std::string_view text) {
  std::string allowed;
  for (std::size_t i = 0; i < choices.names.size(); ++i) {
    if (choices.names[i] == text) {
      field = static_cast<Enum>(i);
      return;
    }
    allowed += fmt::format("{}{}", i == 0 ? "one of " : ", ", choices.names[i]);
  }
  refuse(name, text, allowed);
}

inline void parse(std::string_view name, bool& field, const Choices& choices,
                  std::string_view text) {
  if (text != choices.names[0] && text != choices.names[1]) refuse(name, text, "yes or no");
  field = text == choices.names[1];
}

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

template <class T>
SettingValue value_of(const T& field) {
  if constexpr (std::is_enum_v<T>)
    return std::string(name_of(field));
  else if constexpr (std::is_same_v<T, bool>)
    return std::string(kNoYes[field]);
  else if constexpr (std::is_integral_v<T>)
    return static_cast<std::int64_t>(field);
  else if constexpr (std::is_floating_point_v<T>)
    return static_cast<double>(field);
  else if constexpr (kIsOptional<T>)
    return field ? value_of(*field) : SettingValue("auto");
  else
    return std::string(fmt::format("{}", fmt::join(field, ",")));
}

inline std::string describe(const Limits& limits) { return quickselection::describe(limits); }
inline std::string describe(const AutoOr& allowed) { return quickselection::describe(allowed); }
inline std::string describe(const Choices& choices) {
  return fmt::format("{}", fmt::join(choices.names, "|"));
}

}  // namespace options_detail

/// What --help, `methods` and Python show of a field.
template <class Options>
std::vector<OptionInfo> describe_options() {
  std::vector<OptionInfo> infos;
  const Options defaults{};
  for_each_field(defaults, [&](std::string_view name, const auto& field, const auto& allowed,
                               std::string_view help) {
    infos.push_back({std::string(name), options_detail::value_of(field),
                     options_detail::describe(allowed), std::string(help)});
  });
  return infos;
}

/// Defaults overridden by `given`. Throws InvalidArgument for an unknown name or a value out of
/// range.
template <class Options>
Options parse_options(std::span<const GivenOption> given, std::string_view owner) {
  Options options{};
  for (const GivenOption& option : given) {
    bool known = false;
    std::vector<std::string> names;
    for_each_field(options, [&](std::string_view field_name, auto& field, const auto& allowed,
                                std::string_view) {
      names.emplace_back(field_name);
      if (field_name != option.name) return;
      known = true;
      options_detail::parse(field_name, field, allowed, option.text);
    });
    if (known) continue;
    const std::string near = closest(option.name, names);
    throw InvalidArgument(fmt::format("{} has no option ‹{}›", owner, option.name),
                          !near.empty() ? fmt::format("did you mean ‹{}›?", near)
                          : names.empty()
                              ? fmt::format("{} has no options of its own", owner)
                              : fmt::format("its options are ‹{}›", fmt::join(names, "›, ‹")));
  }
  return options;
}

/// Throws InvalidArgument when a field set in code is out of its range.
template <class Options>
void validate_options(const Options& options) {
  for_each_field(options, [&](std::string_view name, const auto& field, const auto& allowed,
                              std::string_view) {
    using Field = std::remove_cvref_t<decltype(field)>;
    if constexpr (std::is_enum_v<Field> || std::is_same_v<Field, bool>) {
      return;  // cannot be out of range
    } else if constexpr (std::is_arithmetic_v<Field>) {
      if (!options_detail::within(static_cast<double>(field), allowed))
        options_detail::refuse(name, fmt::format("{}", field), options_detail::describe(allowed));
    } else if constexpr (options_detail::kIsOptional<Field>) {
      if (field && !options_detail::within(static_cast<double>(*field), allowed.limits))
        options_detail::refuse(name, fmt::format("{}", *field), options_detail::describe(allowed));
    } else {
      for (const auto& value : field)
        if (!options_detail::within(static_cast<double>(value), allowed))
          options_detail::refuse(name, fmt::format("{}", value), options_detail::describe(allowed));
    }
  });
}

/// The settings as they were used, for results and checkpoints.
template <class Options>
std::vector<Setting> settings_of(const Options& options) {
  std::vector<Setting> settings;
  for_each_field(options,
                 [&](std::string_view name, const auto& field, const auto&, std::string_view) {
                   settings.push_back({std::string(name), options_detail::value_of(field)});
                 });
  return settings;
}

}  // namespace quickselection
