// tests/fuzz/arrow_files.h: small Parquet, Feather and Arrow files, where the Arrow library was
// built in.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace quickselection {

/// The files of each kind; none without the Arrow library.
extern const std::map<std::string, std::vector<const char*>> kArrowFiles;

void write_arrow_files(const std::string& folder);

}  // namespace quickselection
