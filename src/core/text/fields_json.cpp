// src/core/text/fields_json.cpp: see fields_json.h.
#include "core/text/fields_json.h"

#include <cmath>
#include <cstdlib>

namespace quickselection {

Json rounded(double value, int digits) {
  if (!std::isfinite(value)) return nullptr;
  const double few = std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr);
  // Whole numbers are written without ".0".
  if (few == std::trunc(few) && std::abs(few) < 1e15) return static_cast<std::int64_t>(few);
  return few;
}

Json json_of(const std::vector<Setting>& settings, int) {
  Json json = Json::object();
  for (const Setting& setting : settings)
    std::visit([&](const auto& value) { json[setting.name] = value; }, setting.value);
  return json;
}

Json json_of(const std::vector<GivenOption>& options, int) {
  Json json = Json::object();
  for (const GivenOption& option : options) json[option.name] = option.text;
  return json;
}

Json json_of(const std::vector<std::string>& texts, int) { return on_command_line(texts); }

Json json_of(const std::vector<Warning>& warnings, int) { return on_command_line(warnings); }

std::string text_of(const Json& json, std::string_view between) {
  if (json.is_string()) return json.get<std::string>();
  if (json.is_boolean()) return std::string(kNoYes[json.get<bool>()]);
  if (!json.is_array()) return json.dump();
  std::string text;
  for (const Json& one : json)
    text += fmt::format("{}{}", text.empty() ? "" : between, text_of(one));
  return text;
}

std::vector<GivenOption> options_from_json(const Json& json) {
  std::vector<GivenOption> options;
  for (const auto& [name, value] : json.items()) options.push_back({name, text_of(value)});
  return options;
}

void refuse_unknown(const Json& json, const std::vector<std::string>& known,
                    const std::string& where) {
  for (const auto& [key, value] : json.items())
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw InvalidArgument(fmt::format("{} has no key '{}'", where, key),
                            fmt::format("its keys are {}", fmt::join(known, ", ")));
}

std::string reason_of(const std::exception& error) {
  std::string text = error.what();
  if (!text.starts_with("[json.exception")) return text;
  const std::size_t number = text.find("] ");
  return number == std::string::npos ? text : text.substr(number + 2);
}

std::string dump_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string dump_pretty(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace quickselection
