// src/experiment/methods.cpp: the methods of a plan as selections (see tasks.h) and as text.
#include "experiment/tasks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <variant>

#include "core/text/options.h"
#include "quickselection/error.h"
#include "selectors/method.h"

namespace quickselection {
namespace {

std::vector<std::string> split_text(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

double number_of(const std::string& text, const char* option) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw InvalidArgument(fmt::format("‹{}› is '{}', which is not a number", option, text));
  return value;
}

bool is_number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

/// Later ones replace earlier ones of the same name.
void set_option(std::vector<GivenOption>& options, const GivenOption& option) {
  std::erase_if(options, [&](const GivenOption& one) { return one.name == option.name; });
  options.push_back(option);
}

bool has_option(const std::string& method, const std::string& name) {
  if (name == "scale" || name == "clip") return true;
  const auto options = method_info(method).options;
  return std::any_of(options.begin(), options.end(),
                     [&](const OptionInfo& option) { return option.name == name; });
}

}  // namespace

ExperimentMethod parse_experiment_method(const std::string& text) {
  ExperimentMethod method;
  std::vector<std::string> parts = split_text(text, ':');
  const auto equals = parts[0].find('=');
  if (equals != std::string::npos) {
    method.label = parts[0].substr(0, equals);
    parts[0].erase(0, equals + 1);
    if (method.label.empty())
      throw InvalidArgument(fmt::format("the method '{}' has an empty label", text),
                            "write LABEL=METHOD, or METHOD alone");
  } else {
    method.label = text;
  }
  method.method = parts[0];
  find_method(method.method);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto at = parts[i].find('=');
    if (at == std::string::npos || at == 0)
      throw InvalidArgument(
          fmt::format("'{}' in the method '{}' is not an option", parts[i], text),
          "write METHOD:OPTION=VALUE, for example quickselection:epochs=10:zeta=0.3");
    set_option(method.options, {parts[i].substr(0, at), parts[i].substr(at + 1)});
  }
  check_options(select_options(method, {}));
  return method;
}

std::vector<ExperimentMethod> parse_experiment_methods(const std::string& text) {
  std::vector<std::string> pieces;
  for (const std::string& piece : split_text(text, ',')) {
    // A list of numbers is a value, as in hidden=1000,50,1000.
    if (is_number(piece.substr(0, piece.find(':'))) && !pieces.empty() &&
        pieces.back().find('=') != std::string::npos)
      pieces.back() += "," + piece;
    else
      pieces.push_back(piece);
  }
  std::vector<ExperimentMethod> methods;
  methods.reserve(pieces.size());
  for (const std::string& piece : pieces) methods.push_back(parse_experiment_method(piece));
  return methods;
}

void share_options(std::vector<ExperimentMethod>& methods, std::span<const GivenOption> shared) {
  for (const GivenOption& option : shared) {
    bool taken = false;
    for (ExperimentMethod& method : methods) {
      if (!has_option(method.method, option.name)) continue;
      taken = true;
      const bool own = std::any_of(method.options.begin(), method.options.end(),
                                   [&](const GivenOption& one) { return one.name == option.name; });
      if (!own) method.options.push_back(option);
    }
    if (!taken)
      throw InvalidArgument(fmt::format("none of the methods has an option ‹{}›", option.name),
                            "`quickselection methods` lists the options of each");
  }
}

SelectOptions select_options(const ExperimentMethod& method, const ExperimentData& data) {
  std::vector<GivenOption> given;
  if (const auto own = data.options.find(method.method); own != data.options.end())
    for (const GivenOption& option : own->second) set_option(given, option);
  // What the method was told itself counts more: it may be an axis of a grid.
  for (const GivenOption& option : method.options) set_option(given, option);
  SelectOptions options;
  options.method = method.method;
  for (const GivenOption& option : given) {
    if (option.name == "scale")
      options.scale = scale_mode(option.text);
    else if (option.name == "clip")
      options.clip = number_of(option.text, "clip");
    else
      options.method_options.push_back(option);
  }
  return options;
}

bool needs_k(const SelectOptions& options) {
  const Method& method = find_method(options.method);
  return method.needs_k != nullptr && method.needs_k(options.method_options);
}

std::optional<std::size_t> shareable_epochs(const SelectOptions& options) {
  if (!find_method(options.method).epochs_may_grow) return std::nullopt;
  std::string epochs = "auto";
  for (const OptionInfo& option : method_info(options.method).options)
    if (option.name == "epochs") epochs = to_text(option.default_value);
  for (const GivenOption& option : options.method_options)
    if (option.name == "epochs") epochs = option.text;
  if (epochs == "auto") return std::nullopt;  // it is not known before where it ends
  return static_cast<std::size_t>(number_of(epochs, "epochs"));
}

}  // namespace quickselection
