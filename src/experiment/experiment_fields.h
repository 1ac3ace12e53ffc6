// src/experiment/experiment_fields.h: plans, rows and summaries of experiments, described once.
#pragma once

#include "core/team.h"
#include "core/text/fields_json.h"
#include "data/formats/read_options.h"
#include "evaluation/evaluation_fields.h"
#include "quickselection/experiment.h"

namespace quickselection {

inline constexpr std::string_view kStatusNames[] = {"ok", "failed", "crashed", "time-limit",
                                                    "memory-limit"};
template <>
inline constexpr std::span<const std::string_view> kChoices<RunStatus> = kStatusNames;

void for_each_field(OptionsOf<ExperimentMethod> auto& o, auto&& field) {
  field("label", o.label);
  field("method", o.method);
  field("options", o.options);
}

void for_each_field(OptionsOf<ExperimentData> auto& o, auto&& field) {
  field("name", o.name);
  field("group", o.group);
  field("path", o.path);
  for_each_field(o.read, field);
  for_each_test_field(o, field);
  field("k", o.k, UnlessEmpty{});
  field("judge-scale", o.judge_scale, choices_of<ScaleMode>(),
        "Scaling before clustering and reconstruction; unset = standard.");
  field("options", o.options);
}

void for_each_field(OptionsOf<ExperimentPlan> auto& o, auto&& field) {
  field("DATA", o.data);
  field("methods", o.methods);
  field("k", o.k, at_least(1), "How many of the best features; several as 5,10,25.");
  field("runs", o.runs, at_least(1), "Runs of every method, each with its own seed.");
  field("seed", o.seed, at_least(0), "Same seed and options, same result, bit for bit.");
  field("threads", o.threads, between(0, kMostThreads), "Threads to use; 0 = all cores.");
  field("random-forest", o.random_forest, yes_or_no(),
        "Judge by a random forest too, beside extra trees.");
  field("reconstruction", o.reconstruction, auto_or_yes_or_no(),
        "Judge by reconstruction: auto is for data without labels.");
  field("all-features", o.all_features, yes_or_no(), "Judge all features too.");
  field("share-epochs", o.share_epochs);
  field("time-limit", o.time_limit, AnySeconds{},
        "A selection that takes longer is given up: 90s, 10m, 24h.");
  field("memory-limit", o.memory_limit, AnyBytes{},
        "A selection that needs more memory is given up: 512M, 4G.");
  field("forests", o.judges.runs, between(1, 1e6), "Classifiers trained for each run.");
  field("judges", o.judges);
}

void for_each_field(OptionsOf<ResultRow> auto& o, auto&& field) {
  field("data", o.data);
  field("method", o.method);
  field("k", o.k);
  field("run", o.run);
  field("seed", o.seed);
  field("status", o.status);
  field("message", o.message, UnlessEmpty{});
  field("classification", o.classification);
  field("random_forest", o.random_forest);
  field("regression", o.regression);
  field("clustering", o.clustering);
  field("nmi", o.nmi);
  field("ari", o.ari);
  field("reconstruction", o.reconstruction);
  field("seconds", o.seconds);
  field("peak_rss_bytes", o.peak_rss_bytes);
  field("joules", o.joules);
  field("energy_source", o.energy_source);
  field("parameters", o.parameters);
  field("rows", o.rows);
  field("features", o.features);
  field("run_seconds", o.run_seconds);
  field("selected", o.selected);
  field("warnings", o.warnings);
}

void for_each_field(OptionsOf<Figure> auto& o, auto&& field) {
  field("mean", o.mean);
  field("std", o.std);
  field("runs", o.runs);
}

void for_each_field(OptionsOf<SummaryCell> auto& o, auto&& field) {
  field("data", o.data);
  field("method", o.method);
  field("k", o.k);
  field("finished", o.finished);
  field("failed", o.failed);
  field("failure", o.failure, UnlessEmpty{});
  for (const Measure measure : kAllMeasures) field(name_of_measure(measure), o[measure]);
}

}  // namespace quickselection
