// cli/common.cpp: see common.h.
#include "cli/common.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "cli/terminal.h"
#include "core/files/atomic_file.h"
#include "core/processes/comm.h"
#include "core/team.h"
#include "data/formats/format.h"
#include "data/formats/read_options.h"
#include "data/formats/write.h"
#include "quickselection/error.h"
#include "report/page.h"

namespace quickselection::cli {
namespace {

void refuse_extras(const Parser& command) {
  const std::vector<std::string> words = command.remaining();
  if (words.empty()) return;
  const auto option = std::find_if(words.begin(), words.end(),
                                   [](const std::string& word) { return word.starts_with("--"); });
  if (option == words.end())
    throw InvalidArgument(fmt::format("'{}' is neither an option nor expected here", words.front()),
                          "options begin with two dashes; --help lists them");
  const std::string name = option->substr(2, option->find('=') - 2);
  const std::string near = closest(name, long_names(command.get_options()));
  throw InvalidArgument(
      fmt::format("{} has no option --{}", command.get_name(), name),
      near.empty() ? fmt::format("`quickselection {} --help` lists its options", command.get_name())
                   : fmt::format("did you mean --{}?", near));
}

}  // namespace

std::vector<std::string> long_names(const std::vector<const CLI::Option*>& options) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options)
    for (const std::string& name : option->get_lnames()) names.push_back(name);
  return names;
}

CLI::Option* add_path(Parser& command, const std::string& names, std::string& path,
                      const std::string& help, const std::string& kind) {
  return command.add_option(names, path, help)->type_name(kind);
}

void add_output(Parser& command, CommonOptions& options) {
  add_path(command, "--json", options.json, "Write the result for machines to this file");
  command.add_flag("--quiet,-q", options.quiet,
                   "Print nothing but errors, warnings and what was left out of DATA");
}

void add_common(Parser& command, CommonOptions& options) {
  add_output(command, options);
  add_field(command, "threads", options.threads, between(0, kMostThreads),
            "Threads to use; 0 = all cores");
}

void add_data(Parser& command, DataOptions& options) {
  command
      .add_option("DATA", options.paths,
                  "File or folder to read; several files, or a folder of them, are the parts of "
                  "one data set, row after row. `quickselection convert --help` lists the formats")
      ->required();
  add_fields(command, options.read);
}

Dataset read_data(const DataOptions& options, bool quiet) {
  Dataset data = quickselection::read(options.paths, options.read);
  say_notes(data.notes, quiet);
  say_decisions(data, quiet);
  return data;
}

void say_decisions(const Dataset& data, bool quiet) {
  if (!quiet) return;
  for (const std::string& decision : data.decisions) complain("note: " + decision);
}

void say_notes(const std::vector<std::string>& notes, bool quiet) {
  for (const std::string& note : notes) say(quiet, "note: " + note);
}

std::string flags_of(std::string_view name) {
  if (name == "k") return "-k,--k";
  return name == "array" ? "--array,--variable" : fmt::format("--{}", name);
}

void check_test_rows(const Parser& command, const std::string& label, const std::string& test,
                     const std::string& test_label) {
  std::vector<std::string> used;
  for (const char* option : {"--test", "--test-rows", "--split", "--folds"})
    if (const CLI::Option* known = command.get_option_no_throw(option); known && known->count() > 0)
      used.emplace_back(option);
  if (used.size() > 1)
    throw InvalidArgument(fmt::format("only one of {} can be used", fmt::join(used, " and ")),
                          "each of them says which rows are tested on");
  if (!test_label.empty() && test.empty())
    throw InvalidArgument("--test-label is given, but --test is not",
                          "labels of --test-rows are among those of DATA");
  if (!test.empty() && test_label.empty() && std::filesystem::exists(label))
    throw InvalidArgument(
        fmt::format("--label names the file {}, which cannot hold the labels of --test too", label),
        "name them with --test-label FILE");
}

void add_given(Parser& command, const std::vector<OptionInfo>& options,
               std::vector<GivenOption>& given) {
  for (const OptionInfo& option : options) {
    const std::string flag = "--" + option.name;
    if (command.get_option_no_throw(flag) != nullptr) continue;  // several methods may share it
    const auto take = [&given, name = option.name](const std::string& text) {
      given.push_back({name, text});
    };
    command.add_option_function<std::string>(flag, take)->group(kListedInFooter);
  }
}

void on_call(Parser& command, const std::function<void()>& action, Processes who) {
  command.allow_extras();
  command.callback([&command, action, who] {
    refuse_extras(command);
    std::optional<comm::Alone> alone;
    if (who != Processes::together) alone.emplace();
    if (who != Processes::first || comm::speaks()) action();
  });
}

void check_outputs(const OutputPaths& outputs, const std::vector<std::string>& inputs) {
  std::vector<std::string> all = outputs.files;
  if (!outputs.data.empty()) check_dataset_writable(outputs.data);
  if (!outputs.report.empty()) check_reports();
  all.push_back(outputs.report);
  for (const std::string& file : all)
    if (!file.empty()) check_writable(file);
  all.push_back(outputs.data);
  for (const std::string& file : all)
    if (file == "-" || file == "/dev/stdout") keep_output_free();
  std::vector<std::string> read;
  for (const std::string& input : inputs)
    for (std::string& file : files_behind(input)) read.push_back(std::move(file));
  check_distinct(all, read);
}

std::vector<std::string> inputs_of(const DataOptions& options) {
  std::vector<std::string> inputs{options.read.label};
  for (const std::string& path : options.paths)
    for (std::string& file : files_behind(path, options.read.format))
      inputs.push_back(std::move(file));
  return inputs;
}

std::string option_lines(const std::vector<OptionInfo>& options) {
  std::string lines;
  for (const OptionInfo& option : options) {
    const std::string value = to_text(option.default_value);
    const std::string left =
        fmt::format("--{}{}", option.name, value.empty() ? "" : fmt::format(" {}", value));
    lines += fmt::format("  {:<27} {} ({})\n", left, on_command_line(option.help), option.allowed);
  }
  return lines;
}

}  // namespace quickselection::cli
