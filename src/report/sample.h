// src/report/sample.h: what the data looks like on a sample of its rows: correlations, class means.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "quickselection/dataset.h"

namespace quickselection {

/// At most `most` rows, evenly spaced over the data.
std::vector<std::uint32_t> sample_rows(std::size_t rows, std::size_t most);

/// Pearson's correlations of the given features on the given rows: (features, features), row-major.
/// A feature that is constant on these rows has 0 with all others and 1 with itself.
std::vector<double> correlations(const Dataset& data, std::span<const std::uint32_t> rows,
                                 std::span<const std::uint32_t> features);

struct ClassMeans {
  std::vector<std::size_t> counts;  ///< rows of each class in the sample
  std::vector<double> means;        ///< (classes, features); 0 for a class without rows
};

/// The mean of every feature in the first `classes` classes. The data must have labels.
ClassMeans class_means(const Dataset& data, std::span<const std::uint32_t> rows,
                       std::size_t classes);

}  // namespace quickselection
