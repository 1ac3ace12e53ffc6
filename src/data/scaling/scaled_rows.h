// src/data/scaling/scaled_rows.h: rows of a data set, scaled, as floats: one at a time or in
// blocks.
#pragma once

#include <cstddef>
#include <vector>

#include "core/team.h"
#include "data/scaling/scaler.h"
#include "quickselection/dataset.h"

namespace quickselection {

/// What a method sees of the data: the same numbers that the networks are trained on (without
/// noise), converted when they are needed and never as a whole. Sparse rows are filled up.
class ScaledRows {
 public:
  ScaledRows(const Dataset& data, const Scaler& scaler);

  std::size_t rows() const { return data_->rows(); }
  std::size_t features() const { return data_->features(); }

  /// Features [features.begin, features.end) of one row.
  void read(std::size_t row, Range features, float* out) const noexcept;
  void read(std::size_t row, float* out) const noexcept { read(row, {0, features()}, out); }

 private:
  const Dataset* data_;
  const Scaler* scaler_;
  std::vector<float> zeros_;  // of sparse data: what 0 is after scaling, for each feature
};

}  // namespace quickselection
