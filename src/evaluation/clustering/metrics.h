// src/evaluation/clustering/metrics.h: how well a clustering agrees with classes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace quickselection {

inline constexpr std::size_t kUnmatched = static_cast<std::size_t>(-1);

/// Matches min(rows, columns) pairs with the greatest total gain. `gain` is row-major
/// (rows, columns). Returns each row's column, or kUnmatched.
std::vector<std::size_t> best_matching(std::span<const double> gain, std::size_t rows,
                                       std::size_t columns);

/// counts[cluster][class] of rows; both are numbered from 0.
struct Contingency {
  std::size_t clusters = 0, classes = 0, rows = 0;
  std::vector<double> counts;  ///< (clusters, classes)
};

Contingency contingency(std::span<const std::uint32_t> clusters,
                        std::span<const std::uint32_t> classes);

/// The share of rows whose cluster is matched to their class, by the best one-to-one matching.
double matching_accuracy(const Contingency& table);

/// Mutual information over the mean of the two entropies; 1 when both have one group only.
double normalized_mutual_information(const Contingency& table);

/// The share of agreeing pairs of rows, corrected for chance: 0 is chance, 1 is perfect.
double adjusted_rand_index(const Contingency& table);

struct MeanStd {
  double mean = 0;
  double std = 0;  ///< of the sample (n - 1); 0 for one value
};

MeanStd mean_and_std(std::span<const double> values);

}  // namespace quickselection
