// src/data/dataset/find_column.h: finding a column by what the user calls it, and taking it as the
// labels.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "quickselection/dataset.h"

namespace quickselection {

/// The column that `spec` names: by its name, or by its number (from 0; -1 is the last).
/// Throws InvalidArgument, naming `option`, when there is none.
std::size_t resolve_column(const std::string& spec, const std::vector<std::string>& names,
                           std::size_t columns, std::string_view option);

/// Which columns `options.columns` and `options.drop` leave, one flag each; empty when they leave
/// all. A list holds names, numbers (from 0), ranges of either (2-5, first-last) and names with *
/// or ?. Throws InvalidArgument for one that fits no column.
std::vector<bool> kept_columns(const ReadOptions& options, const std::vector<std::string>& names,
                               std::size_t columns);

/// Takes one column out of the values and makes it the labels. The first and the last column cost
/// nothing; one in between costs a copy of the values.
void take_label_column(Dataset& data, std::size_t column);

}  // namespace quickselection
