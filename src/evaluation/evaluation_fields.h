// src/evaluation/evaluation_fields.h: what judging and repeating return, described once.
#pragma once

#include "core/options.h"
#include "evaluation/evaluation_options.h"
#include "quickselection/evaluation.h"
#include "quickselection/stability.h"

namespace quickselection {

void for_each_field(OptionsOf<RepeatOptions> auto& o, auto&& field) {
  field("runs", o.runs, at_least(1),
        "Select so many times with different seeds, rank by the mean score, and say how stable the "
        "selection is.");
  field("bootstrap", o.bootstrap, yes_or_no(),
        "Each of the ‹runs› (10 unless given) sees another sample of the rows, drawn with "
        "replacement: how much does the selection depend on the rows?");
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
