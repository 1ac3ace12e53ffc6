// src/data/generators/clusters.h: clusters on the corners of a cube: what two of the generators
// share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "quickselection/generators.h"

namespace quickselection {

/// Columns before mixing: informative, redundant (linear combinations), repeated, probes N(0,1).
struct ClusterRecipe {
  std::size_t rows = 0, features = 0;
  std::size_t informative = 0, redundant = 0, repeated = 0;
  std::size_t classes = 2, clusters_per_class = 1;
  std::vector<double> weights;  ///< one share per class; empty = equal
  double class_sep = 1, flip_y = 0;
  double noise = 0;  ///< on relevant features, as a share of their standard deviation
  bool hypercube = true, shuffle = true;
  std::vector<double> shift, scale;  ///< one per column before mixing: (x + shift) * scale
  double offset = 0;                 ///< added at the end
  std::vector<std::string> class_names;
};

/// Throws InvalidArgument when the numbers do not fit together.
Generated make_clusters(const ClusterRecipe& recipe, std::uint64_t seed);

}  // namespace quickselection
