// include/quickselection/words.h: what the library says, in words that belong to no door.
//
// Errors, hints, warnings and notes write an option as ‹learning-rate›, or as ‹clip 10› with a
// value. Whoever shows them puts their own notation in its place: the command line --clip 10,
// Python clip=10.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace quickselection {

/// `text` with each option as show(name, value) has it; the value is "" where none is written.
std::string show_options(
    std::string_view text,
    const std::function<std::string(std::string_view name, std::string_view value)>& show);

/// The first option that `text` names, or "".
std::string option_in(std::string_view text);

/// Why a result may be worth less than it looks.
enum class WarningKind : std::uint8_t {
  other,
  constant_features,  ///< some features do not vary; they come last
  did_not_learn,      ///< the network is no better than predicting each feature's mean
  not_converged,      ///< the work ended before it was done
  few_features_used,  ///< the order of the other features means nothing
  fewer_than_asked,   ///< the data does not hold as many neighbours or clusters
  rows_left_out,      ///< some rows do not count
  near_chance,        ///< the chosen features tell hardly more than random ones
};

struct Warning {
  WarningKind kind = WarningKind::other;
  std::string text = {};
  std::string option = option_in(text);  ///< the one concerned, or ""

  bool operator==(const Warning&) const = default;
};

std::string_view to_text(WarningKind kind);

/// As the program writes them: --learning-rate, --clip 10, -k.
std::string on_command_line(std::string_view text);
std::vector<std::string> on_command_line(const std::vector<std::string>& texts);
std::vector<std::string> on_command_line(const std::vector<Warning>& warnings);

}  // namespace quickselection
