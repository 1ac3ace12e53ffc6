// cli/commands/commands.h: one function for each command; each adds its options and what to run.
#pragma once

#include "cli/common.h"

namespace quickselection::cli {

void add_compare(Parser& app);
void add_convert(Parser& app);
void add_demo(Parser& app);
void add_select(Parser& app);
void add_evaluate(Parser& app);
void add_experiment(Parser& app);
void add_extract(Parser& app);
void add_generate(Parser& app);
void add_info(Parser& app);
void add_methods(Parser& app);
void add_tune(Parser& app);

}  // namespace quickselection::cli
