// cli/common.cpp: see common.h.
#include "cli/common.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "cli/terminal.h"
#include "core/atomic_file.h"
#include "core/options.h"
#include "data/dataset/missing.h"
#include "quickselection/error.h"

namespace quickselection::cli {

void add_common(Parser& command, CommonOptions& options) {
  command.add_option("--json", options.json, "Write the result for machines to this file")
      ->type_name("FILE");
  command.add_flag("--quiet,-q", options.quiet, "Print nothing but errors and warnings");
  command.add_option("--threads", options.threads, "Threads to use; 0 = all cores")
      ->capture_default_str()
      ->between(0, 4096)
      ->type_name("N");
  add_seed(command, options.seed, "Same seed and options, same result, bit for bit");
}

void add_seed(Parser& command, std::uint64_t& seed, const std::string& help) {
  const auto check = [](const std::string& text) -> std::string {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size()) return "";
    return fmt::format("'{}' is not a whole number from 0 to {}", text,
                       std::numeric_limits<std::uint64_t>::max());
  };
  command.add_option("--seed", seed, help)->capture_default_str()->type_name("N")->check(check);
}

void add_data(Parser& command, DataOptions& options) {
  command
      .add_option("DATA", options.path,
                  "File or folder to read; `quickselection convert --help` lists the formats")
      ->required();
  add_reading(command, options);
}

void add_reading(Parser& command, DataOptions& options) {
  command.add_option("--format", options.read.format, "Format of DATA, when its ending misleads");
  command
      .add_option(
          "--label", options.read.label,
          "Column (name or number) or file with labels, or none. Without it a column called "
          "label, class, target or y is taken. Labels never influence a selection")
      ->type_name("COLUMN|FILE|none");
  command.add_option("--header", options.read.header, "Does a text file begin with names?")
      ->capture_default_str()
      ->among({"auto", "yes", "no"});
  command
      .add_option("--index-column", options.read.index_column,
                  "Column (name or number) of a text file to leave out")
      ->type_name("COLUMN");
  command
      .add_option("--array,--variable", options.read.array,
                  "Which array is the data, in a file that holds several (.npz, .mat, .h5)")
      ->type_name("NAME");
  command
      .add_option("--features", options.read.features,
                  "Number of features of an svmlight file; 0 = as many as are used")
      ->capture_default_str()
      ->type_name("N");
  command.add_option("--rows", options.rows, "Take only rows A to B-1, counted from 0")
      ->type_name("A:B");
  command
      .add_option(
          "--missing", options.missing,
          "What to do with missing values (NaN, infinity): error, mean (of the feature in "
          "the rows that are read, or in the training rows), zero, drop-rows, drop-features")
      ->among({"error", "mean", "zero", "drop-rows", "drop-features", "keep"})
      ->type_name("WHAT");
}

std::size_t parse_bytes(const std::string& text, std::string_view option) {
  if (text.empty()) return 0;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, text.data() + text.size());
  constexpr std::string_view kUnits = "KMGT";
  double bytes = number;
  bool known = unit.empty();
  if (!unit.empty()) {
    const auto power = kUnits.find(static_cast<char>(std::toupper(unit.front())));
    const std::string_view rest = unit.substr(1);
    known = power != kUnits.npos && (rest.empty() || rest == "B" || rest == "iB");
    if (known) bytes *= std::pow(1024.0, static_cast<double>(power + 1));
  }
  if (error != std::errc() || !known || !(bytes >= 1) || bytes > 1e18)
    throw InvalidArgument(
        fmt::format("--{} is '{}', which is not an amount of memory", option, text),
        "for example 512M or 4G");
  return static_cast<std::size_t>(bytes);
}

double parse_seconds(const std::string& text, std::string_view option) {
  if (text.empty()) return 0;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, text.data() + text.size());
  const double factor = unit.empty() || unit == "s" ? 1
                        : unit == "m"               ? 60
                        : unit == "h"               ? 3600
                        : unit == "d"               ? 86400
                                                    : 0;
  if (error != std::errc() || factor == 0 || !(number > 0) || number > 1e12)
    throw InvalidArgument(fmt::format("--{} is '{}', which is not a time", option, text),
                          "for example 90s, 10m or 24h");
  return factor * number;
}

RowRange parse_rows(const std::string& text, const std::string& option) {
  const auto fail = [&] {
    throw InvalidArgument(
        fmt::format("{} is '{}', but must be A:B with A less than B", option, text),
        fmt::format("for example {} 0:2000", option));
  };
  const auto colon = text.find(':');
  if (colon == std::string::npos) fail();
  const auto number = [&](std::string_view part, std::size_t missing) {
    if (part.empty()) return missing;
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc() || end != part.data() + part.size()) fail();
    return value;
  };
  const std::string_view view = text;
  const RowRange range{number(view.substr(0, colon), 0),
                       number(view.substr(colon + 1), RowRange{}.end)};
  if (range.begin >= range.end) fail();
  return range;
}

ReadOptions read_options(const DataOptions& options) {
  ReadOptions read = options.read;
  if (!options.rows.empty()) read.rows = parse_rows(options.rows);
  if (!options.missing.empty()) read.missing = parse_missing(options.missing);
  return read;
}

Dataset read_data(const DataOptions& options, bool quiet) {
  Dataset data = quickselection::read(options.path, read_options(options));
  for (const std::string& note : data.notes) say(quiet, "note: " + note);
  return data;
}

void add_given(Parser& command, const std::vector<OptionInfo>& options,
               std::vector<GivenOption>& given) {
  for (const OptionInfo& option : options) {
    const std::string flag = "--" + option.name;
    if (command.has(flag)) continue;  // several methods may share it
    command.add_footer_option(flag, [&given, name = option.name](const std::string& text) {
      given.push_back({name, text});
    });
  }
}

void refuse_extras(const Parser& command) {
  const std::vector<std::string> words = command.remaining();
  if (words.empty()) return;
  const auto option = std::find_if(words.begin(), words.end(),
                                   [](const std::string& word) { return word.starts_with("--"); });
  if (option == words.end())
    throw InvalidArgument(fmt::format("'{}' is neither an option nor expected here", words.front()),
                          "options begin with two dashes; --help lists them");
  const std::string name = option->substr(2, option->find('=') - 2);
  const std::string near = closest(name, command.long_names());
  throw InvalidArgument(
      fmt::format("{} has no option --{}", command.name(), name),
      near.empty() ? fmt::format("`quickselection {} --help` lists its options", command.name())
                   : fmt::format("did you mean --{}?", near));
}

void write_json(const std::string& path, const nlohmann::ordered_json& json) {
  write_file(path,
             json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
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
