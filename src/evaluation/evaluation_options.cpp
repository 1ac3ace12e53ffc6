// src/evaluation/evaluation_options.cpp: the options of an evaluation for the command line.
#include "evaluation/evaluation_options.h"

namespace quickselection {

std::vector<OptionInfo> evaluation_options() { return describe_options<EvaluationOptions>(); }

EvaluationOptions parse_evaluation_options(std::span<const GivenOption> given) {
  return parse_options<EvaluationOptions>(given, "evaluate");
}

std::vector<Setting> settings_of_evaluation(const EvaluationOptions& options) {
  return settings_of(options);
}

}  // namespace quickselection
