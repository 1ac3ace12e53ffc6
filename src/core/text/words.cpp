// src/core/text/words.cpp: finds the options that a text names.
#include "quickselection/words.h"

#include <fmt/format.h>

#include "core/text/visible.h"

namespace quickselection {
namespace {

// In the order of WarningKind.
constexpr std::string_view kKinds[] = {"other",         "constant_features", "did_not_learn",
                                       "not_converged", "few_features_used", "fewer_than_asked",
                                       "rows_left_out", "near_chance"};

constexpr std::string_view kOpen = "‹", kClose = "›";

}  // namespace

std::string show_options(
    std::string_view text,
    const std::function<std::string(std::string_view name, std::string_view value)>& show) {
  std::string shown;
  while (true) {
    const std::size_t close = text.find(kClose, text.find(kOpen));
    if (close == std::string_view::npos) return shown.append(text);
    const std::size_t open = text.rfind(kOpen, close);
    const std::size_t begin = open + kOpen.size();
    const std::string_view option = text.substr(begin, close - begin);
    const std::size_t space = option.find(' ');
    const bool alone = space == std::string_view::npos;
    shown.append(text.substr(0, open));
    shown += show(option.substr(0, space), alone ? "" : option.substr(space + 1));
    text.remove_prefix(close + kClose.size());
  }
}

std::string option_in(std::string_view text) {
  std::string first;
  show_options(text, [&](std::string_view name, std::string_view) {
    if (first.empty()) first = name;
    return std::string();
  });
  return first;
}

std::string_view to_text(WarningKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

std::string on_command_line(std::string_view text) {
  const std::string shown = show_options(text, [](std::string_view name, std::string_view value) {
    return fmt::format("{}{}{}{}", name == "k" ? "-" : "--", name, value.empty() ? "" : " ", value);
  });
  return visible(shown, true);
}

std::vector<std::string> on_command_line(const std::vector<std::string>& texts) {
  std::vector<std::string> shown;
  for (const std::string& text : texts) shown.push_back(on_command_line(text));
  return shown;
}

std::vector<std::string> on_command_line(const std::vector<Warning>& warnings) {
  std::vector<std::string> shown;
  for (const Warning& warning : warnings) shown.push_back(on_command_line(warning.text));
  return shown;
}

}  // namespace quickselection
