// src/core/text/options.cpp: the parts of options.h that need no template.
#include "core/text/options.h"

#include <algorithm>
#include <cctype>

namespace quickselection {

std::string describe(const Limits& limits) {
  const bool floor = std::isfinite(limits.least), ceiling = std::isfinite(limits.most);
  std::string least =
      fmt::format("{} {:g}", limits.open_least ? "more than" : "at least", limits.least);
  std::string most =
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
  // At least one character stays: nothing is like a name of one.
  std::size_t best_distance = std::min(std::max<std::size_t>(1, name.size() / 3) + 1, name.size());
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

std::size_t find_choice(std::string_view name, const Choices& choices, std::string_view text) {
  const auto found = std::find(choices.names.begin(), choices.names.end(), text);
  if (found == choices.names.end())
    refuse(name, text, fmt::format("one of {}", fmt::join(choices.names, ", ")));
  return static_cast<std::size_t>(found - choices.names.begin());
}

void parse(std::string_view name, std::size_t& field, const AnyBytes&, std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, text.data() + text.size());
  constexpr std::string_view kUnits = "KMGT";
  bool known = unit.empty();
  if (!unit.empty()) {
    const auto power = kUnits.find(static_cast<char>(std::toupper(unit.front())));
    const std::string_view rest = unit.substr(1);
    known = power != kUnits.npos && (rest.empty() || rest == "B" || rest == "iB");
    if (known) number *= std::pow(1024.0, static_cast<double>(power + 1));
  }
  if (error != std::errc() || !known || !(number >= 0) || number > 1e18)
    throw InvalidArgument(fmt::format("‹{}› is '{}', which is not an amount of memory", name, text),
                          "for example 512M or 4G");
  field = static_cast<std::size_t>(number);
}

void parse(std::string_view name, double& field, const AnySeconds&, std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, text.data() + text.size());
  const double factor = unit.empty() || unit == "s" ? 1
                        : unit == "m"               ? 60
                        : unit == "h"               ? 3600
                        : unit == "d"               ? 86400
                                                    : 0;
  if (error != std::errc() || factor == 0 || !(number >= 0) || number > 1e12)
    throw InvalidArgument(fmt::format("‹{}› is '{}', which is not a time", name, text),
                          "for example 90s, 10m or 24h");
  field = factor * number;
}

std::pair<std::size_t, std::size_t> parse_rows(std::string_view name, std::string_view text) {
  const auto fail = [&] {
    throw InvalidArgument(
        fmt::format("‹{}› is '{}', but must be A:B with A less than B", name, text),
        fmt::format("for example ‹{} 0:2000›", name));
  };
  const std::size_t colon = text.find(':');
  if (colon == text.npos) fail();
  const auto number = [&](std::string_view part, std::size_t missing) {
    if (part.empty()) return missing;
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc() || end != part.data() + part.size()) fail();
    return value;
  };
  const std::size_t begin = number(text.substr(0, colon), 0);
  const std::size_t end = number(text.substr(colon + 1), SIZE_MAX);
  if (begin >= end) fail();
  return {begin, end};
}

bool within(double value, const Limits& limits) {
  return std::isfinite(value) &&
         (limits.open_least ? value > limits.least : value >= limits.least) &&
         (limits.open_most ? value < limits.most : value <= limits.most);
}

std::string describe(const Choices& choices) {
  return fmt::format("{}", fmt::join(choices.names, "|"));
}

void add(std::vector<OptionInfo>& infos, std::string_view name, SettingValue value,
         std::string allowed, std::string_view help) {
  infos.push_back({std::string(name), std::move(value), std::move(allowed), std::string(help)});
}

void add(std::vector<Setting>& settings, std::string_view name, SettingValue value) {
  settings.push_back({std::string(name), std::move(value)});
}

void refuse_name(std::string_view owner, std::string_view name,
                 std::span<const std::string> known) {
  const std::string near = closest(name, known);
  throw InvalidArgument(fmt::format("{} has no option ‹{}›", owner, name),
                        !near.empty() ? fmt::format("did you mean ‹{}›?", near)
                        : known.empty()
                            ? fmt::format("{} has no options of its own", owner)
                            : fmt::format("its options are ‹{}›", fmt::join(known, "›, ‹")));
}

}  // namespace options_detail
}  // namespace quickselection
