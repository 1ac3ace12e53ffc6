// cli/common.h: options that several commands share, and how they become library calls.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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
void add_common(CLI::App& command, CommonOptions& options);

struct DataOptions {
  std::string path;
  std::string rows;
  ReadOptions read;
};
void add_data(CLI::App& command, DataOptions& options);

/// Reads the data and prints the reader's notes unless quiet.
Dataset read_data(const DataOptions& options, bool quiet);

/// "A:B", "A:" or ":B"; throws InvalidArgument otherwise.
RowRange parse_rows(const std::string& text);

/// Words that the command line parser did not know, as --name value or --name=value.
std::vector<GivenOption> parse_extras(const std::vector<std::string>& words);

/// Lines of help for a list of options.
std::string option_lines(const std::vector<OptionInfo>& options);

}  // namespace quickselection::cli
