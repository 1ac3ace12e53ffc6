// include/quickselection/setting.h: a named value, as options are given, described and recorded.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

namespace quickselection {

using SettingValue = std::variant<std::int64_t, double, std::string>;

/// An option as it was used.
struct Setting {
  std::string name;
  SettingValue value;
};

/// An option as it was asked for: --name text. Names as on the command line, without the dashes.
struct GivenOption {
  std::string name;
  std::string text;
};

/// An option as it is shown to people.
struct OptionInfo {
  std::string name;
  SettingValue default_value;
  std::string allowed;  ///< range or choices, in words
  std::string help;     ///< one sentence
};

/// The value as text, in the form in which it could be given again.
std::string to_text(const SettingValue& value);

}  // namespace quickselection
