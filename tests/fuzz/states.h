// tests/fuzz/states.h: every kind of file that the program reads back: written, and used.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace quickselection {

/// The files of each kind; "results/..." is a folder that belongs together.
extern const std::map<std::string, std::vector<const char*>> kStateFiles;

/// Writes all of them into the folder.
void write_states(const std::string& folder);

/// Reads a file of that name at `path` and does with it what the program does: goes on training,
/// extracts, makes tables. Throws what that throws.
void use_state(const std::string& name, const std::string& path);

}  // namespace quickselection
