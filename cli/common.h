// cli/common.h: options that several commands share, and how they become library calls.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "core/text/options.h"
#include "quickselection/dataset.h"
#include "quickselection/setting.h"
#include "quickselection/words.h"

namespace quickselection::cli {

using Parser = CLI::App;  // the program, or one of its commands

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
  std::vector<std::string> paths;
  ReadOptions read;
};
/// DATA and how it is read.
void add_data(Parser& command, DataOptions& options);

/// Reads the data and prints the reader's notes; when quiet, only those that change the result.
Dataset read_data(const DataOptions& options, bool quiet);
void say_notes(const std::vector<std::string>& notes, bool quiet);
/// What changes the result is said on stderr even when quiet; the notes are said otherwise.
void say_decisions(const Dataset& data, bool quiet);

/// An option that takes a file or a folder; `kind` is the FILE in `--json FILE`.
CLI::Option* add_path(Parser& command, const std::string& names, std::string& path,
                      const std::string& help, const std::string& kind = "FILE");

/// "--array,--variable" for array, "-k,--k" for k.
std::string flags_of(std::string_view name);

/// An option for a field of a described struct; a flag for what is off unless asked for.
template <class Field, class Allowed>
CLI::Option* add_field(Parser& command, std::string_view name, Field& field, const Allowed& allowed,
                       std::string_view help) {
  std::string text = on_command_line(help.substr(0, help.find_last_not_of('.') + 1));
  if constexpr (std::is_same_v<Field, bool>)
    if (!field) return command.add_flag(flags_of(name), field, text);
  std::string kind = options_detail::describe(allowed);
  if constexpr (std::is_same_v<Allowed, Limits>) {
    if (std::isfinite(allowed.least) && allowed.least != 0) text += fmt::format(" ({})", kind);
    kind = "N";
  }
  CLI::Option* const option = command.add_option_function<std::string>(
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

// Options that a command's footer describes, method by method. Not an empty group: messages would
// then leave out the option's name.
inline constexpr const char* kListedInFooter = "listed in the footer";

/// Makes the options of methods or generators known to the parser, so that their values are not
/// taken for DATA; those that are used are appended to `given`, which must outlive the command.
void add_given(Parser& command, const std::vector<OptionInfo>& options,
               std::vector<GivenOption>& given);

/// Of these options, without dashes.
std::vector<std::string> long_names(const std::vector<const CLI::Option*>& options);

/// Which of several processes work: the first one, all on the same rows, or all by themselves.
enum class Processes : std::uint8_t { first, together, apart };

/// What a command does. Words that no option or position takes are refused before, with the nearest
/// option as a hint.
void on_call(Parser& command, const std::function<void()>& action,
             Processes who = Processes::first);

/// What a command writes; "" is none.
struct OutputPaths {
  std::vector<std::string> files;
  std::string data = {};    ///< a data set, in the format of its ending
  std::string report = {};  ///< a page: it needs the scripts that show it
};
/// Before the long work: refuses outputs that cannot be written, that are the same file, or that
/// are one of the inputs (also a file of an input folder).
void check_outputs(const OutputPaths& outputs, const std::vector<std::string>& inputs = {});
/// The files behind DATA and its labels.
std::vector<std::string> inputs_of(const DataOptions& options);

/// Lines of help for a list of options.
std::string option_lines(const std::vector<OptionInfo>& options);

}  // namespace quickselection::cli
