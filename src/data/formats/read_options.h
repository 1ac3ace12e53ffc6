// src/data/formats/read_options.h: how a file is read, described once.
#pragma once

#include <span>
#include <string_view>

#include "core/text/options.h"
#include "quickselection/dataset.h"

namespace quickselection {

inline constexpr std::string_view kMissingNames[] = {"keep", "error",     "mean",
                                                     "zero", "drop-rows", "drop-features"};
template <>
inline constexpr std::span<const std::string_view> kChoices<Missing> = kMissingNames;
inline constexpr std::string_view kTextColumnsNames[] = {"drop", "encode", "error"};
template <>
inline constexpr std::span<const std::string_view> kChoices<TextColumns> = kTextColumnsNames;
inline constexpr std::string_view kLabelTaskNames[] = {"auto", "classification", "regression"};
template <>
inline constexpr std::span<const std::string_view> kChoices<LabelTask> = kLabelTaskNames;
inline constexpr std::string_view kHeaderNames[] = {"auto", "yes", "no"};

void for_each_field(OptionsOf<ReadOptions> auto& o, auto&& field) {
  field("format", o.format, AnyText{"NAME"}, "Format of DATA, when its ending misleads.");
  field("label", o.label, AnyText{"COLUMN|FILE|none"},
        "Column (name or number) or file with labels, or none. Without it a column called label, "
        "class, target or y is taken. Labels never influence a selection.");
  field("task", o.task, choices_of<LabelTask>(),
        "What labels are: classes (classification) or a measured number (regression); auto takes "
        "numbers with many different values as measured.");
  field("header", o.header, Choices{kHeaderNames}, "Does a text file begin with names?");
  field("index-column", o.index_column, AnyText{"COLUMN"},
        "Column (name or number) of a text file to leave out.");
  field("columns", o.columns, AnyText{"LIST"},
        "Features to keep: names, numbers from 0, ranges (2-5, a-f) and wildcards (x*), with "
        "commas.");
  field("drop", o.drop, AnyText{"LIST"}, "Features to leave out, named in the same way.");
  field(
      "text", o.text, choices_of<TextColumns>(),
      "Columns of text in a table: drop, encode (one feature, made of an indicator of each value) "
      "or error. Dates and identifiers are left out unless it is error.");
  field("array", o.array, AnyText{"NAME"},
        "Which array is the data, in a file that holds several (.npz, .mat, .h5).");
  field("features", o.features, at_least(0),
        "Number of features of an svmlight file; 0 = as many as are used.");
  field("transpose", o.transpose, yes_or_no(), "The file has a row for each feature.");
  field("rows", o.rows, AnyRows{}, "Take only rows A to B-1, counted from 0.");
  field("missing", o.missing, choices_of<Missing>(),
        "What to do with missing values (NaN, infinity): error, mean (of the feature in the rows "
        "that are read, or in the training rows), zero, drop-rows, drop-features.");
}

}  // namespace quickselection
