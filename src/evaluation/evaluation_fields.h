// src/evaluation/evaluation_fields.h: what judging and repeating are told and return, described
// once.
#pragma once

#include "core/text/options.h"
#include "data/scaling/scaler.h"
#include "quickselection/evaluation.h"
#include "quickselection/explained.h"
#include "quickselection/stability.h"

namespace quickselection {

inline constexpr std::string_view kClassifierNames[] = {"extra-trees", "random-forest"};
template <>
inline constexpr std::span<const std::string_view> kChoices<Classifier> = kClassifierNames;

void for_each_field(OptionsOf<EvaluationOptions> auto& o, auto&& field) {
  field("k", o.k, at_least(1), "How many features of the ranking are judged, separated by commas.");
  field("classifier", o.classifier, choices_of<Classifier>(),
        "The forest that judges classification and regression.");
  field("trees", o.trees, between(1, 1e6), "Trees of the forest.");
  field("runs", o.runs, between(1, 1e6), "Forests trained, each with its own seed.");
  field("repetitions", o.repetitions, between(1, 1e6), "Clusterings, each with its own seed.");
  field("restarts", o.restarts, between(1, 1e6), "Starts of k-means, of which the best counts.");
  field("scale", o.scale, choices_of<ScaleMode>(),
        "Scaling before clustering and reconstruction, fitted on the training rows.");
  field("classification", o.classification, yes_or_no(),
        "Judge by classification, or by regression where labels are measured numbers.");
  field("clustering", o.clustering, yes_or_no(), "Judge by clustering.");
  field("reconstruction", o.reconstruction, yes_or_no(), "Judge by reconstruction.");
  field("baselines", o.baselines, yes_or_no(), "Judge random features and all features too.");
  field("draws", o.draws, between(1, 1e6), "Random selections for the baseline.");
  field("removal", o.removal, between(0, 1e6),
        "Steps in which features are removed, most and least important first; 0 = none.");
  field("seed", o.seed, at_least(0), "Seed of everything random in the evaluation.");
}

void for_each_field(OptionsOf<RepeatOptions> auto& o, auto&& field) {
  field("runs", o.runs, at_least(1),
        "Select so many times with different seeds, rank by the mean score, and say how stable the "
        "selection is.");
  field("bootstrap", o.bootstrap, yes_or_no(),
        "Each of the ‹runs› (10 unless given) sees another sample of the rows, drawn with "
        "replacement: how much does the selection depend on the rows?");
}

void for_each_field(OptionsOf<CheckOptions> auto& o, auto&& field) {
  field("k", o.k, auto_or(at_least(1)),
        "Features to select; the ranking holds all of them anyway. auto: as few as explain 95 % of "
        "what all features together predict of each other.");
  field("no-check", o.no_check, yes_or_no(),
        "Do not say how much the chosen features explain without labels.");
}

void for_each_field(OptionsOf<ExplainedCurve> auto& o, auto&& field) {
  field("k", o.k);
  field("chosen", o.chosen);
  field("random", o.random);
  field("spread", o.spread);
  field("cover", o.cover);
}

void for_each_field(OptionsOf<Explained> auto& o, auto&& field) {
  field("k", o.k);
  field("rows", o.rows);
  field("predictable", o.predictable);
  field("together", o.together);
  field("chosen", o.chosen);
  field("random", o.random);
  field("spread", o.spread);
  field("cover", o.cover);
  field("near_chance", o.near_chance());
  field("text", describe(o));
  field("curve", o.curve);
}

/// Which rows are tested on; experiments say it with the same words.
void for_each_test_field(auto& o, auto&& field) {
  field("test", o.test, AnyText{"FILE"}, "Test on the rows of this file, train on DATA.");
  field("test-label", o.test_label, AnyText{"COLUMN|FILE"},
        "Labels of ‹test›, when ‹label› is a file.");
  field("test-rows", o.test_rows, AnyRows{},
        "Test on rows A to B-1; train on ‹rows›, or on all others.");
  field("split", o.split, from_below(0, 1),
        "Test on this share of the rows, drawn at random from each class.");
  field("split-seed", o.split_seed, at_least(0), "Seed of the rows that are drawn.");
}

void for_each_field(OptionsOf<HoldoutOptions> auto& o, auto&& field) {
  for_each_test_field(o, field);
  field("folds", o.folds, at_least(2), "Test on every row once, in so many folds.");
}

void for_each_field(OptionsOf<Stability> auto& o, auto&& field) {
  field("k", o.k);
  field("runs", o.runs);
  field("overlap", o.overlap);
  field("overlap_by_chance", o.overlap_by_chance);
  field("index", o.index);
  field("lower", o.lower);
  field("upper", o.upper);
  field("near_chance", o.near_chance());
  field("frequency", o.frequency);
}

void for_each_field(OptionsOf<Classification> auto& o, auto&& field) {
  field("classifier", o.classifier);
  field("mean", o.mean);
  field("std", o.std);
  field("runs", o.runs);
}

void for_each_field(OptionsOf<Regression> auto& o, auto&& field) {
  field("forest", o.forest);
  field("r2", o.r2);
  field("std", o.std);
  field("runs", o.runs);
}

void for_each_field(OptionsOf<Clustering> auto& o, auto&& field) {
  field("accuracy", o.accuracy);
  field("nmi", o.nmi);
  field("ari", o.ari);
  field("std", o.std);
  field("nmi_std", o.nmi_std);
  field("ari_std", o.ari_std);
  field("repetitions", o.repetitions);
}

void for_each_field(OptionsOf<Reconstruction> auto& o, auto&& field) {
  field("r2", o.r2);
  field("std", o.std);
}

void for_each_field(OptionsOf<Judgement> auto& o, auto&& field) {
  field("classification", o.classification);
  field("regression", o.regression);
  field("clustering", o.clustering);
  field("reconstruction", o.reconstruction);
}

/// What was chosen is not a level of its own: {"k": 5, "classification": …, "random": …}.
void for_each_field(OptionsOf<EvaluationOfK> auto& o, auto&& field) {
  field("k", o.k);
  for_each_field(o.chosen, field);
  field("random", o.random);
  field("all", o.all);
  field("stability", o.stability);
}

void for_each_field(OptionsOf<RemovalPoint> auto& o, auto&& field) {
  field("removed", o.removed);
  field("left", o.left);
  field("mean", o.mean);
  field("std", o.std);
}

void for_each_field(OptionsOf<Removal> auto& o, auto&& field) {
  field("least_important_first", o.least_important_first);
  field("most_important_first", o.most_important_first);
}

void for_each_field(OptionsOf<Evaluation> auto& o, auto&& field) {
  field("entries", o.entries);
  field("removal", o.removal);
  field("notes", o.notes);
  field("seconds", o.seconds);
}

}  // namespace quickselection
