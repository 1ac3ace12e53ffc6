// include/quickselection/summary.h: what can be said about a dataset before working with it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "quickselection/dataset.h"

namespace quickselection {

/// A scaling for `select --scale`, and why: what `auto` finds in the values.
struct ScalingAdvice {
  std::string scale, reason;
};

struct Cell {
  std::size_t row = 0, feature = 0;
};

struct Summary {
  std::string source;
  std::size_t rows = 0, features = 0;
  ValueType type = ValueType::f32;
  bool sparse = false;                  ///< zeros are not stored
  std::size_t bytes = 0;                ///< of the values in their stored type
  double density = 0;                   ///< share of values that are not zero
  std::size_t constant_features = 0;    ///< one value in all rows
  std::size_t duplicated_features = 0;  ///< not constant, and equal to an earlier feature
  std::size_t nonfinite_features = 0;   ///< with at least one NaN or infinity
  std::size_t nonfinite_values = 0;
  std::optional<Cell> first_nonfinite;  ///< by row, then by feature
  double least = 0, most = 0;           ///< of the finite values
  bool integers = false;                ///< all finite values are
  bool named = false;
  std::vector<std::pair<std::string, std::size_t>> classes;  ///< label and number of rows
  bool measured_labels = false;                              ///< see Labels
  std::vector<TableColumn> table;                            ///< see Dataset::table
  std::vector<std::string> notes;
  ScalingAdvice advised_scaling;
  std::string problem,
      hint;  ///< why the table cannot be read as it is: only `rows` and `table` count
};

/// One pass over the values, a second when some are missing.
Summary summarize(const Dataset& data);

/// Reads a file and sums it up. Of a text table every column is listed; one that read() refuses is
/// looked at as far as it goes, and the refusal is the `problem`.
Summary inspect(std::span<const std::string> paths, const ReadOptions& options = {});

/// The summary as pairs of a title and a text, in the order in which they are shown.
std::vector<std::pair<std::string, std::string>> describe(const Summary& summary);

}  // namespace quickselection
