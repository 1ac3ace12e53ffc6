// src/experiment/plan_json.h: plans and rows as JSON, and back.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "quickselection/experiment.h"

namespace quickselection {

using Json = nlohmann::ordered_json;

Json to_json(const ExperimentPlan& plan);
/// Throws what the JSON library throws, and InvalidArgument for values that do not fit.
ExperimentPlan plan_from_json(const Json& json);

Json to_json(const ResultRow& row);
ResultRow row_from_json(const Json& json);

Json to_json(std::span<const GivenOption> options);
std::vector<GivenOption> options_from_json(const Json& json);

/// What is wrong; of an error of the JSON library without its number.
std::string reason_of(const std::exception& error);

/// One line, also for text that is not UTF-8.
std::string dump_line(const Json& json);
/// The same for people.
std::string dump_pretty(const Json& json);

/// "--runs is 3, but was 5" for the first difference between two plans, or "".
std::string first_difference(const Json& before, const Json& now);

}  // namespace quickselection
