// src/evaluation/evaluation_options.h: the options of an evaluation, described once.
#pragma once

#include <span>
#include <string_view>

#include "core/options.h"
#include "data/scaling/scaler.h"
#include "quickselection/evaluation.h"

namespace quickselection {

inline constexpr std::string_view kClassifierNames[] = {"extra-trees", "random-forest"};
template <>
inline constexpr std::span<const std::string_view> kChoices<Classifier> = kClassifierNames;

void for_each_field(OptionsOf<EvaluationOptions> auto& o, auto&& field) {
  field("k", o.k, at_least(1), "How many features of the ranking are judged, separated by commas.");
  field("classifier", o.classifier, choices_of<Classifier>(), "The judge of classification.");
  field("trees", o.trees, between(1, 1e6), "Trees of the classifier.");
  field("runs", o.runs, between(1, 1e6), "Classifiers trained, each with its own seed.");
  field("repetitions", o.repetitions, between(1, 1e6), "Clusterings, each with its own seed.");
  field("restarts", o.restarts, between(1, 1e6), "Starts of k-means, of which the best counts.");
  field("scale", o.scale, choices_of<ScaleMode>(),
        "Scaling before clustering and reconstruction, fitted on the training rows.");
  field("classification", o.classification, yes_or_no(), "Judge by classification.");
  field("clustering", o.clustering, yes_or_no(), "Judge by clustering.");
  field("reconstruction", o.reconstruction, yes_or_no(), "Judge by reconstruction.");
  field("baselines", o.baselines, yes_or_no(), "Judge random features and all features too.");
  field("draws", o.draws, between(1, 1e6), "Random selections for the baseline.");
  field("removal", o.removal, between(0, 1e6),
        "Steps in which features are removed, most and least important first; 0 = none.");
  field("seed", o.seed, at_least(0), "Seed of everything random in the evaluation.");
}

}  // namespace quickselection
