// src/data/dataset/summary_fields.h: what is said about a dataset, described once.
#pragma once

#include "core/options.h"
#include "quickselection/summary.h"

namespace quickselection {

void for_each_field(OptionsOf<ScalingAdvice> auto& o, auto&& field) {
  field("scale", o.scale);
  field("reason", o.reason);
}

void for_each_field(OptionsOf<Summary> auto& o, auto&& field) {
  field("path", o.source);
  field("rows", o.rows);
  field("features", o.features);
  field("type", o.type);
  field("sparse", o.sparse);
  field("bytes", o.bytes);
  field("density", o.density);
  field("constant_features", o.constant_features);
  field("duplicated_features", o.duplicated_features);
  field("nonfinite_features", o.nonfinite_features);
  field("nonfinite_values", o.nonfinite_values);
  field("least", o.least);
  field("most", o.most);
  field("whole_numbers", o.integers);
  field("named", o.named);
  field("notes", o.notes);
  field("classes", o.classes);
  field("advised_scaling", advise_scaling(o));
}

}  // namespace quickselection
