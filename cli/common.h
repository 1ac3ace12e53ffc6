// cli/common.h: options that several commands share, and how they become library calls.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "cli/parser.h"
#include "core/options.h"
#include "quickselection/dataset.h"
#include "quickselection/setting.h"
#include "quickselection/words.h"

namespace quickselection::cli {

struct CommonOptions {
  std::string json;
  bool quiet = false;
  int threads = 0;
};
/// --json and --quiet.
void add_output(Parser& command, CommonOptions& options);
/// --threads as well.
void add_common(Parser& command, CommonOptions& options);

struct DataOptions {
  std::string path;
  ReadOptions read;
};
/// DATA and how it is read.
void add_data(Parser& command, DataOptions& options);

/// Reads the data and prints the reader's notes unless quiet.
Dataset read_data(const DataOptions& options, bool quiet);
void say_notes(const std::vector<std::string>& notes, bool quiet);

/// "--array,--variable" for array, "-k,--k" for k.
std::string flags_of(std::string_view name);

/// An option for a field of a described struct; a flag for what is off unless asked for.
template <class Field, class Allowed>
Option* add_field(Parser& command, std::string_view name, Field& field, const Allowed& allowed,
                  std::string_view help) {
  std::string text = on_command_line(help.substr(0, help.find_last_not_of('.') + 1));
  if constexpr (std::is_same_v<Field, bool>)
    if (!field) return command.add_flag(flags_of(name), field, text);
  std::string kind = options_detail::describe(allowed);
  if constexpr (std::is_same_v<Allowed, Limits>) {
    if (std::isfinite(allowed.least) && allowed.least != 0) text += fmt::format(" ({})", kind);
    kind = "N";
  }
  Option* const option = command.add_option(
      flags_of(name),
      [&field, allowed, own = std::string(name)](const std::string& said) {
        options_detail::parse(own, field, allowed, said);
      },
      text);
  if constexpr (!options_detail::kIsOptional<Field>)
    option->default_str(to_text(options_detail::value_of(field)));
  return option->type_name(kind);
}

/// An option for each field but some.
void add_fields(Parser& command, auto& options,
                std::initializer_list<std::string_view> without = {}) {
  for_each_field(options, [&](std::string_view name, auto& field, const auto&... about) {
    if constexpr (sizeof...(about) == 2)
      if (std::find(without.begin(), without.end(), name) == without.end())
        add_field(command, name, field, about...);
  });
}

/// Refuses two ways to say which rows are tested on, and labels that belong to no file.
void check_test_rows(const Parser& command, const std::string& label, const std::string& test,
                     const std::string& test_label);

/// Makes the options of methods or generators known to the parser, so that their values are not
/// taken for DATA; those that are used are appended to `given`, which must outlive the command.
void add_given(Parser& command, const std::vector<OptionInfo>& options,
               std::vector<GivenOption>& given);

/// What a command does. Words that no option or position takes are refused before, with the nearest
/// option as a hint.
void on_call(Parser& command, const std::function<void()>& action);

/// Refuses files that cannot be written, before the long work; "" is none. Pages need the scripts
/// that show them.
void check_outputs(std::initializer_list<std::string> files, const std::string& report = "");

/// Lines of help for a list of options.
std::string option_lines(const std::vector<OptionInfo>& options);

}  // namespace quickselection::cli
