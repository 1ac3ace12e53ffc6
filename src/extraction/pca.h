// src/extraction/pca.h: principal components of scaled data, as a linear layer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/team.h"
#include "data/scaling/scaler.h"
#include "network/layers/dense_network.h"
#include "quickselection/dataset.h"
#include "quickselection/progress.h"

namespace quickselection {

/// Up to this many features the covariance matrix is decomposed as a whole; beyond it its leading
/// eigenvectors are found by subspace iteration (Halko et al. 2011), which needs no such matrix.
inline constexpr std::size_t kMostExactFeatures = 1200;

struct Pca {
  DenseLayer layer;              ///< rows are components, biases remove the mean
  DenseLayer back;               ///< from components to features, biases are the mean
  std::vector<double> variance;  ///< along each component, largest first
  double total_variance = 0;     ///< of all features
};

/// `components` must not be more than rows or features. Each component's largest weight is
/// positive.
Pca fit_pca(const Dataset& data, const Scaler& scaler, std::size_t components, std::uint64_t seed,
            Team& team, const RunContext& context,
            std::size_t most_exact_features = kMostExactFeatures);

}  // namespace quickselection
