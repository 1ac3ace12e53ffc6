// src/core/text/options.h: one description of a struct serves everything.
//
// Options are a plain struct and one function `for_each_field(options, visitor)` that names each
// field once, with what is allowed and one sentence. From it come the command line, the help, the
// Python keyword arguments, experiment files, validation, and the settings recorded in every
// result. What is returned is described in the same way, by names alone: field("index", o.index).
// core/text/fields_json.h makes JSON of both.
//
//   struct WaltzOptions { int steps = 3; Mood mood = Mood::gay; };
//   void for_each_field(OptionsOf<WaltzOptions> auto& o, auto&& field) {
//     field("steps", o.steps, at_least(1), "Steps in a bar.");
//     field("mood", o.mood, choices_of<Mood>(), "How it is danced.");
//   }
#pragma once

#include <fmt/format.h>

#include <charconv>
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

/// For a field of type std::string: any text. `kind` says of what: FILE, COLUMN.
struct AnyText {
  std::string_view kind;
};
/// For an amount of memory: a number of bytes, 512M, 4G.
struct AnyBytes {};
/// For a time: a number of seconds, 90s, 10m, 24h, 2d.
struct AnySeconds {};
/// For an optional range of rows: A:B, A: or :B.
struct AnyRows {};

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
inline constexpr std::string_view kAutoNoYes[] = {"auto", "no", "yes"};
/// For a field of type std::optional<bool>, which is unset for auto.
constexpr Choices auto_or_yes_or_no() { return {kAutoNoYes}; }

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

/// The place of the text among the choices, or it is refused.
std::size_t find_choice(std::string_view name, const Choices& choices, std::string_view text);

template <class Enum>
requires std::is_enum_v<Enum>
void parse(std::string_view name, Enum& field, const Choices& choices, std::string_view text) {
  field = static_cast<Enum>(find_choice(name, choices, text));
}

inline void parse(std::string_view name, std::string& field, const Choices& choices,
                  std::string_view text) {
  field = choices.names[find_choice(name, choices, text)];
}

inline void parse(std::string_view name, bool& field, const Choices& choices,
                  std::string_view text) {
  if (text != choices.names[0] && text != choices.names[1]) refuse(name, text, "yes or no");
  field = text == choices.names[1];
}

inline void parse(std::string_view, std::string& field, const AnyText&, std::string_view text) {
  field = text;
}
void parse(std::string_view name, std::size_t& field, const AnyBytes&, std::string_view text);
void parse(std::string_view name, double& field, const AnySeconds&, std::string_view text);
std::pair<std::size_t, std::size_t> parse_rows(std::string_view name, std::string_view text);

template <class Range>
void parse(std::string_view name, std::optional<Range>& field, const AnyRows&,
           std::string_view text) {
  const auto [begin, end] = parse_rows(name, text);
  field = Range{begin, end};
}

template <class Enum>
requires std::is_enum_v<Enum>
void parse(std::string_view name, std::optional<Enum>& field, const Choices& choices,
           std::string_view text) {
  parse(name, field.emplace(), choices, text);
}

inline void parse(std::string_view name, std::optional<bool>& field, const Choices& choices,
                  std::string_view text) {
  if (text == choices.names[0])
    field.reset();
  else
    parse(name, field.emplace(), yes_or_no(), text);
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
  else if constexpr (std::is_same_v<T, std::string>)
    return field;
  else if constexpr (requires { field.end + field.begin; })
    return fmt::format("{}:{}", field.begin, field.end);
  else
    return std::string(fmt::format("{}", fmt::join(field, ",")));
}

inline std::string describe(const Limits& limits) { return quickselection::describe(limits); }
inline std::string describe(const AutoOr& allowed) { return quickselection::describe(allowed); }
std::string describe(const Choices& choices);
inline std::string describe(const AnyText& text) { return std::string(text.kind); }
inline std::string describe(const AnyBytes&) { return "SIZE"; }
inline std::string describe(const AnySeconds&) { return "TIME"; }
inline std::string describe(const AnyRows&) { return "A:B"; }

/// Throws InvalidArgument when a value set in code is out of its range. Only numbers can be.
template <class Field>
void validate(std::string_view name, const Field& field, const Limits& limits) {
  if constexpr (std::is_arithmetic_v<Field>) {
    if (!within(static_cast<double>(field), limits))
      refuse(name, fmt::format("{}", field), quickselection::describe(limits));
  } else {
    for (const auto& value : field) validate(name, value, limits);
  }
}
template <class T>
void validate(std::string_view name, const std::optional<T>& field, const AutoOr& allowed) {
  if (field && !within(static_cast<double>(*field), allowed.limits))
    refuse(name, fmt::format("{}", *field), quickselection::describe(allowed));
}
inline void validate(std::string_view name, double seconds, const AnySeconds&) {
  validate(name, seconds, at_least(0));
}

// Out of line, because every field of every struct comes by here.
void add(std::vector<OptionInfo>& infos, std::string_view name, SettingValue value,
         std::string allowed, std::string_view help);
void add(std::vector<Setting>& settings, std::string_view name, SettingValue value);
[[noreturn]] void refuse_name(std::string_view owner, std::string_view name,
                              std::span<const std::string> known);

}  // namespace options_detail

std::vector<std::string> field_names(const auto& value) {
  std::vector<std::string> names;
  for_each_field(
      value, [&](std::string_view name, const auto&, const auto&...) { names.emplace_back(name); });
  return names;
}

/// What --help, `methods` and Python show of a field.
template <class Options>
std::vector<OptionInfo> describe_options() {
  std::vector<OptionInfo> infos;
  const Options defaults{};
  for_each_field(defaults, [&](std::string_view name, const auto& field, const auto& allowed,
                               std::string_view help) {
    options_detail::add(infos, name, options_detail::value_of(field),
                        options_detail::describe(allowed), help);
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
    for_each_field(options, [&](std::string_view field_name, auto& field, const auto& allowed,
                                std::string_view) {
      if (field_name != option.name) return;
      known = true;
      options_detail::parse(field_name, field, allowed, option.text);
    });
    if (!known) options_detail::refuse_name(owner, option.name, field_names(options));
  }
  return options;
}

/// Throws InvalidArgument when a field set in code is out of its range.
void validate_options(const auto& options) {
  for_each_field(options, [&](std::string_view name, const auto& field, const auto& allowed,
                              std::string_view) {
    if constexpr (requires { options_detail::validate(name, field, allowed); })
      options_detail::validate(name, field, allowed);
  });
}

/// The settings as they were used, for results and checkpoints.
std::vector<Setting> settings_of(const auto& options) {
  std::vector<Setting> settings;
  for_each_field(options,
                 [&](std::string_view name, const auto& field, const auto&, std::string_view) {
                   options_detail::add(settings, name, options_detail::value_of(field));
                 });
  return settings;
}

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

}  // namespace quickselection
