// src/data/dataset/summary_fields.h: what is said about a dataset, described once.
#pragma once

#include <span>
#include <string_view>

#include "core/text/options.h"
#include "quickselection/summary.h"

namespace quickselection {

inline constexpr std::string_view kColumnKindNames[] = {"number",     "boolean", "date",
                                                        "identifier", "text",    "empty"};
template <>
inline constexpr std::span<const std::string_view> kChoices<ColumnKind> = kColumnKindNames;

void for_each_field(OptionsOf<ScalingAdvice> auto& o, auto&& field) {
  field("scale", o.scale);
  field("reason", o.reason);
}

void for_each_field(OptionsOf<TableColumn> auto& o, auto&& field) {
  field("name", o.name);
  field("kind", o.kind);
  field("missing", o.missing);
  field("use", o.use);
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
  field("columns", o.table);
  field("notes", o.notes);
  field("classes", o.classes);
  field("measured_labels", o.measured_labels);
  field("advised_scaling", o.advised_scaling);
  field("problem", o.problem, UnlessEmpty{});
  field("hint", o.hint, UnlessEmpty{});
}

}  // namespace quickselection
