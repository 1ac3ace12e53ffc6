// src/core/options.cpp: the parts of options.h that need no template.
#include "core/options.h"

#include <algorithm>

namespace quickselection {

std::string describe(const Limits& limits) {
  const bool floor = std::isfinite(limits.least), ceiling = std::isfinite(limits.most);
  const std::string least =
      fmt::format("{} {:g}", limits.open_least ? "more than" : "at least", limits.least);
  const std::string most =
      fmt::format("{} {:g}", limits.open_most ? "less than" : "at most", limits.most);
  if (floor && ceiling && !limits.open_least && !limits.open_most)
    return fmt::format("{:g} to {:g}", limits.least, limits.most);
  if (floor && ceiling) return least + " and " + most;
  if (floor) return least;
  if (ceiling) return most;
  return "a number";
}

std::string describe(const AutoOr& allowed) { return "auto, or " + describe(allowed.limits); }

std::string closest(std::string_view name, std::span<const std::string> known) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (const std::string& candidate : known) {
    // Edit distance, one row at a time.
    std::vector<std::size_t> row(candidate.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= name.size(); ++i) {
      std::size_t diagonal = std::exchange(row[0], i);
      for (std::size_t j = 1; j < row.size(); ++j) {
        const std::size_t replace = diagonal + (name[i - 1] != candidate[j - 1]);
        diagonal = row[j];
        row[j] = std::min({row[j] + 1, row[j - 1] + 1, replace});
      }
    }
    if (row.back() < best_distance) {
      best_distance = row.back();
      best = candidate;
    }
  }
  return best;
}

std::string to_text(const SettingValue& value) {
  return std::visit(
      [](const auto& v) -> std::string {
        if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::string>)
          return v;
        else
          return fmt::format("{}", v);
      },
      value);
}

namespace options_detail {

void refuse(std::string_view name, std::string_view text, std::string_view allowed) {
  throw InvalidArgument(fmt::format("‹{}› is '{}', but must be {}", name, text, allowed));
}

bool within(double value, const Limits& limits) {
  return std::isfinite(value) &&
         (limits.open_least ? value > limits.least : value >= limits.least) &&
         (limits.open_most ? value < limits.most : value <= limits.most);
}

}  // namespace options_detail
}  // namespace quickselection
