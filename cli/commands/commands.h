// cli/commands/commands.h: one function for each command; each adds its options and what to run.
#pragma once

#include <CLI/CLI.hpp>

namespace quickselection::cli {

void add_compare(CLI::App& app);
void add_convert(CLI::App& app);
void add_demo(CLI::App& app);
void add_select(CLI::App& app);
void add_evaluate(CLI::App& app);
void add_experiment(CLI::App& app);
void add_extract(CLI::App& app);
void add_generate(CLI::App& app);
void add_info(CLI::App& app);
void add_methods(CLI::App& app);
void add_tune(CLI::App& app);

}  // namespace quickselection::cli
