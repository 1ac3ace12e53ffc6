// tests/fuzz/no_arrow_files.cpp: what stands in for arrow_files.cpp without QS_ARROW.
#include "arrow_files.h"

namespace quickselection {

const std::map<std::string, std::vector<const char*>> kArrowFiles;

void write_arrow_files(const std::string&) {}

}  // namespace quickselection
