// src/selectors/selection_fields.h: what a selection is told and what it returns, described once.
#pragma once

#include "core/text/options.h"
#include "data/scaling/scaler.h"
#include "quickselection/selection.h"

namespace quickselection {

void for_each_field(OptionsOf<SelectOptions> auto& o, auto&& field) {
  field("method", o.method, AnyText{"NAME"}, "Method; `quickselection methods` lists them.");
  field("k", o.k, at_least(1), "Features to select; the ranking holds all of them anyway.");
  field("scale", o.scale, choices_of<ScaleMode>(),
        "How features are scaled: standard, minmax, center (one scale for all), log (center after "
        "log(1+x)), deviation (not centred), none; unset = what the method wants.");
  field("clip", o.clip, at_least(0), "Bound of scaled values on both sides; 0 = none.");
  field("seed", o.seed, at_least(0), "Same seed and options, same result, bit for bit.");
  field("checkpoint", o.checkpoint, AnyText{"FILE"}, "Save the state of the training here.");
  field("checkpoint-every", o.checkpoint_every, at_least(1),
        "Epochs between two checkpoints; Ctrl-C saves one too.");
  field("resume", o.resume, AnyText{"FILE"}, "Continue a training from its checkpoint.");
}

void for_each_field(OptionsOf<LayerWeights> auto& o, auto&& field) {
  field("inputs", o.inputs);
  field("outputs", o.outputs);
  field("offsets", o.offsets);
  field("columns", o.columns);
  field("weights", o.weights);
  field("bias", o.bias);
}

void for_each_field(OptionsOf<Selection> auto& o, auto&& field) {
  field("method", o.method);
  field("scale", o.scale);
  field("clip", o.clip);
  field("options", o.options);
  field("k", o.k);
  field("seed", o.seed);
  field("threads", o.threads);
  field("ranking", o.ranking);
  field("scores", o.scores);
  field("loss", o.loss);
  field("settled", o.settled);
  field("seconds", o.seconds);
  field("parameters", o.parameters);
  field("network", o.network);
  field("measures", o.measures);
  field("constant_features", o.constant_features);
  field("warnings", o.warnings);
  field("notes", o.notes);
}

}  // namespace quickselection
