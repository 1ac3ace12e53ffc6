// cli/common.h: options that several commands share, and how they become library calls.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/parser.h"
#include "quickselection/dataset.h"
#include "quickselection/progress.h"
#include "quickselection/selection.h"
#include "quickselection/setting.h"

namespace quickselection::cli {

struct CommonOptions {
  std::string json;
  bool quiet = false;
  int threads = 0;
  std::uint64_t seed = 0;
};
void add_common(Parser& command, CommonOptions& options);
/// --seed; the parser by itself would take -1 for 2^64-1.
void add_seed(Parser& command, std::uint64_t& seed, const std::string& help);

struct DataOptions {
  std::string path;
  std::string rows, missing;
  ReadOptions read;
};
void add_data(Parser& command, DataOptions& options);
/// The same without DATA itself.
void add_reading(Parser& command, DataOptions& options);
/// What the words mean to the library.
ReadOptions read_options(const DataOptions& options);

/// Reads the data and prints the reader's notes unless quiet.
Dataset read_data(const DataOptions& options, bool quiet);

/// "512M", "4G", "800000000"; "" is 0. Throws InvalidArgument, naming the option, otherwise.
std::size_t parse_bytes(const std::string& text, std::string_view option);

/// "90", "90s", "10m", "24h", "2d" in seconds; "" is 0. Throws InvalidArgument naming the option.
double parse_seconds(const std::string& text, std::string_view option);

/// "A:B", "A:" or ":B"; throws InvalidArgument naming the option otherwise.
RowRange parse_rows(const std::string& text, const std::string& option = "--rows");

/// Makes the options of methods or generators known to the parser, so that their values are not
/// taken for DATA; those that are used are appended to `given`, which must outlive the command.
void add_given(Parser& command, const std::vector<OptionInfo>& options,
               std::vector<GivenOption>& given);

/// Throws InvalidArgument for words that no option or position takes, with the nearest option as a
/// hint. For commands that allow extras.
void refuse_extras(const Parser& command);

/// Writes JSON for machines. Text that is not UTF-8 (names from old files) gets replacement marks.
void write_json(const std::string& path, const nlohmann::ordered_json& json);

/// Lines of help for a list of options.
std::string option_lines(const std::vector<OptionInfo>& options);

}  // namespace quickselection::cli
