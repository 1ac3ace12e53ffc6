// cli/common.cpp: see common.h.
#include "common.h"

#include <fmt/format.h>

#include <charconv>

#include "quickselection/error.h"
#include "terminal.h"

namespace quickselection::cli {

void add_common(CLI::App& command, CommonOptions& options) {
  command.add_option("--json", options.json, "Write the result for machines to this file")
      ->type_name("FILE");
  command.add_flag("--quiet,-q", options.quiet, "Print nothing but errors and warnings");
  command.add_option("--threads", options.threads, "Threads to use; 0 = all cores")
      ->capture_default_str()
      ->check(CLI::Range(0, 4096))
      ->type_name("N");
  command.add_option("--seed", options.seed, "Same seed and options, same result, bit for bit")
      ->capture_default_str()
      ->type_name("N");
}

void add_data(CLI::App& command, DataOptions& options) {
  command.add_option("DATA", options.path, "File to read: CSV, TSV or .npy")->required();
  command.add_option("--format", options.read.format, "Format of DATA, when its ending misleads");
  command
      .add_option("--label", options.read.label,
                  "Column (name or number) or file with labels, or none. Without it a column called "
                  "label, class, target or y is taken. Labels never influence a selection")
      ->type_name("COLUMN|FILE|none");
  command.add_option("--header", options.read.header, "Does a text file begin with names?")
      ->capture_default_str()
      ->check(CLI::IsMember({"auto", "yes", "no"}));
  command
      .add_option("--index-column", options.read.index_column,
                  "Column (name or number) of a text file to leave out")
      ->type_name("COLUMN");
  command
      .add_option("--array,--variable", options.read.array,
                  "Which array is the data, in a file that holds several (.npz, .mat, .h5)")
      ->type_name("NAME");
  command.add_option("--rows", options.rows, "Take only rows A to B-1, counted from 0")
      ->type_name("A:B");
}

RowRange parse_rows(const std::string& text) {
  const auto fail = [&] {
    throw InvalidArgument(fmt::format("--rows is '{}', but must be A:B with A less than B", text),
                          "for example --rows 0:2000");
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

Dataset read_data(const DataOptions& options, bool quiet) {
  ReadOptions read = options.read;
  if (!options.rows.empty()) read.rows = parse_rows(options.rows);
  Dataset data = quickselection::read(options.path, read);
  for (const std::string& note : data.notes) say(quiet, "note: " + note);
  return data;
}

std::vector<GivenOption> parse_extras(const std::vector<std::string>& words) {
  std::vector<GivenOption> given;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word.size() < 3 || !word.starts_with("--"))
      throw InvalidArgument(fmt::format("'{}' is neither an option nor expected here", word),
                            "options begin with two dashes; --help lists them");
    const auto equals = word.find('=');
    if (equals != std::string::npos) {
      given.push_back({word.substr(2, equals - 2), word.substr(equals + 1)});
    } else if (i + 1 < words.size()) {
      given.push_back({word.substr(2), words[i + 1]});
      ++i;
    } else {
      throw InvalidArgument(fmt::format("{} needs a value", word));
    }
  }
  return given;
}

std::string option_lines(const std::vector<OptionInfo>& options) {
  std::string lines;
  for (const OptionInfo& option : options) {
    const std::string value = to_text(option.default_value);
    const std::string left = fmt::format(
        "--{}{}", option.name, value.empty() ? "" : fmt::format(" {}", value));
    lines += fmt::format("  {:<27} {} ({})\n", left, option.help, option.allowed);
  }
  return lines;
}

}  // namespace quickselection::cli
