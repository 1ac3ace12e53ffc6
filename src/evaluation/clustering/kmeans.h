// src/evaluation/clustering/kmeans.h: k-means with careful starts and restarts, as scikit-learn
// does it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/aligned.h"
#include "core/team.h"
#include "data/scaling/row_reader.h"

namespace quickselection {

/// Points with their mean subtracted (so that distances keep their digits), in the layout of
/// kernels/distances.h; rows that fill up the last tile are zero.
struct Points {
  std::size_t rows = 0, features = 0, tiles = 0;
  AlignedArray<float> values;  ///< (tiles, features, 16)
  std::vector<double> mean;    ///< what was subtracted
  double mean_variance = 0;    ///< over the features
};

Points make_points(const RowReader& from, Team& team);

struct KMeansOptions {
  std::size_t clusters = 8;
  int restarts = 10;
  int max_iterations = 300;
  double tolerance = 1e-4;  ///< of the mean variance: least squared movement of all centres
};

struct KMeansResult {
  std::vector<std::uint32_t> labels;  ///< one per row
  std::vector<float> centers;         ///< (clusters, features), the mean added again
  double inertia = 0;                 ///< sum of squared distances to the own centre
  int iterations = 0;
};

/// The restart with the least inertia. Restarts run side by side; the result depends on the seed,
/// not on the team. Throws Interrupted when `stop` becomes true.
KMeansResult kmeans(const Points& points, const KMeansOptions& options, std::uint64_t seed,
                    Team& team, const std::atomic<bool>* stop = nullptr);

}  // namespace quickselection
