// src/evaluation/clustering/kmeans.cpp: see kmeans.h.
#include "evaluation/clustering/kmeans.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/pace.h"
#include "evaluation/streams.h"
#include "kernels/distances.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

using kernels::kTileRows;
using kernels::nearest_centers;
using kernels::squared_distances;

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// Where row `row`'s first feature stands; the next ones follow kTileRows apart.
const float* row_of(const Points& points, std::size_t row) {
  return points.values.data() + row / kTileRows * points.features * kTileRows + row % kTileRows;
}

void copy_row(const Points& points, std::size_t row, float* out) {
  const float* from = row_of(points, row);
  for (std::size_t j = 0; j < points.features; ++j) out[j] = from[j * kTileRows];
}

/// The sum of the lesser of two lists, in several lanes because one would wait for itself.
double sum_of_lesser(const float* a, const float* b, std::size_t n) {
  constexpr std::size_t kLanes = 8;
  double sums[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      sums[lane] += std::min(a[i + lane], b[i + lane]);
  for (; i < n; ++i) sums[0] += std::min(a[i], b[i]);
  return std::accumulate(sums, sums + kLanes, 0.0);
}

/// k-means++: each further centre is the best of a few rows drawn with probability proportional
/// to their squared distance from the centres so far.
std::vector<float> draw_centers(const Points& points, std::size_t clusters,
                                kernels::RandomStream& random) {
  const std::size_t features = points.features, padded = points.tiles * kTileRows;
  const std::size_t trials = 2 + static_cast<std::size_t>(std::log(clusters));
  std::vector<float> centers(clusters * features), candidates(trials * features);
  std::vector<float> closest(padded), distances(trials * padded);

  copy_row(points, random.below(points.rows), centers.data());
  squared_distances(points.values.data(), points.tiles, features, centers.data(), 1,
                    closest.data());
  double potential = sum_of_lesser(closest.data(), closest.data(), points.rows);
  std::vector<double> goals(trials);
  for (std::size_t c = 1; c < clusters; ++c) {
    for (double& goal : goals) goal = random.uniform() * potential;
    std::sort(goals.begin(), goals.end());
    double sum = 0;
    std::size_t row = 0;
    for (std::size_t t = 0; t < trials; ++t) {
      while (row + 1 < points.rows && sum + closest[row] < goals[t]) sum += closest[row++];
      copy_row(points, row, candidates.data() + t * features);
    }
    squared_distances(points.values.data(), points.tiles, features, candidates.data(), trials,
                      distances.data());
    std::size_t best = 0;
    double best_potential = std::numeric_limits<double>::infinity();
    for (std::size_t t = 0; t < trials; ++t) {
      const double reached =
          sum_of_lesser(closest.data(), distances.data() + t * padded, points.rows);
      if (reached < best_potential) best_potential = reached, best = t;
    }
    potential = best_potential;
    for (std::size_t i = 0; i < padded; ++i)
      closest[i] = std::min(closest[i], distances[best * padded + i]);
    std::copy_n(candidates.data() + best * features, features, centers.data() + c * features);
  }
  return centers;
}

double squared_distance(const Points& points, std::size_t row, const float* center) {
  const float* x = row_of(points, row);
  double sum = 0;
  for (std::size_t j = 0; j < points.features; ++j) {
    const double difference = static_cast<double>(x[j * kTileRows]) - center[j];
    sum += difference * difference;
  }
  return sum;
}

/// One run of Lloyd's algorithm.
class Lloyd {
 public:
  Lloyd(const Points& points, const KMeansOptions& options, kernels::RandomStream random)
      : points_(points),
        options_(options),
        centers_(draw_centers(points, options.clusters, random)),
        labels_(points.tiles * kTileRows, kNone),
        next_(labels_.size()),
        half_norms_(options.clusters),
        sums_(options.clusters * points.features),
        counts_(options.clusters) {}

  KMeansResult run(const std::atomic<bool>* stop) {
    const double tolerance = options_.tolerance * points_.mean_variance;
    int iteration = 0;
    bool settled = false;
    while (!settled && iteration < options_.max_iterations) {
      check_stop(stop, "stopped while clustering");
      ++iteration;
      assign();
      settled = !take_labels();
      if (move_centers() <= tolerance) break;
    }
    if (!settled) {
      assign();
      labels_ = next_;
    }
    return finish(iteration);
  }

 private:
  std::size_t features() const { return points_.features; }

  void assign() {
    for (std::size_t c = 0; c < options_.clusters; ++c) {
      const float* center = centers_.data() + c * features();
      double norm = 0;
      for (std::size_t j = 0; j < features(); ++j) norm += double{center[j]} * center[j];
      half_norms_[c] = static_cast<float>(norm / 2);
    }
    nearest_centers(points_.values.data(), points_.tiles, features(), centers_.data(),
                    half_norms_.data(), options_.clusters, next_.data());
  }

  /// Moves rows between the sums of their clusters, only those that changed: after a few
  /// iterations they are few. Returns whether any did.
  bool take_labels() {
    bool changed = false;
    for (std::size_t row = 0; row < points_.rows; ++row) {
      const std::uint32_t before = labels_[row], now = next_[row];
      if (before == now) continue;
      changed = true;
      const float* x = row_of(points_, row);
      double* to = sums_.data() + now * features();
      for (std::size_t j = 0; j < features(); ++j) to[j] += x[j * kTileRows];
      ++counts_[now];
      if (before == kNone) continue;
      double* from = sums_.data() + before * features();
      for (std::size_t j = 0; j < features(); ++j) from[j] -= x[j * kTileRows];
      --counts_[before];
    }
    labels_.swap(next_);
    return changed;
  }

  /// The centres become the means of their rows. Returns the sum of their squared movements.
  double move_centers() {
    std::vector<double> sums;
    std::vector<std::size_t> counts;
    const bool relocated = relocate_empty(sums, counts);
    const std::vector<double>& sum = relocated ? sums : sums_;
    const std::vector<std::size_t>& count = relocated ? counts : counts_;
    double movement = 0;
    for (std::size_t c = 0; c < options_.clusters; ++c) {
      if (count[c] == 0) continue;
      for (std::size_t j = 0; j < features(); ++j) {
        float& center = centers_[c * features() + j];
        const auto mean =
            static_cast<float>(sum[c * features() + j] / static_cast<double>(count[c]));
        movement += (double{mean} - center) * (double{mean} - center);
        center = mean;
      }
    }
    return movement;
  }

  /// Clusters without rows take the rows farthest from their centres, which leave their own.
  /// Fills copies of sums and counts and returns true when there was something to do.
  bool relocate_empty(std::vector<double>& sums, std::vector<std::size_t>& counts) const {
    std::vector<std::size_t> empty;
    for (std::size_t c = 0; c < options_.clusters; ++c)
      if (counts_[c] == 0) empty.push_back(c);
    if (empty.empty()) return false;

    std::vector<std::pair<double, std::uint32_t>> far(points_.rows);
    for (std::uint32_t row = 0; row < points_.rows; ++row)
      far[row] = {-squared_distance(points_, row, centers_.data() + labels_[row] * features()),
                  row};
    const std::size_t wanted = std::min(empty.size(), far.size());
    std::partial_sort(far.begin(), far.begin() + static_cast<std::ptrdiff_t>(wanted), far.end());
    if (far[0].first == 0) return false;  // fewer distinct rows than clusters: nothing to gain

    sums = sums_;
    counts = counts_;
    for (std::size_t i = 0; i < wanted; ++i) {
      const std::uint32_t row = far[i].second, old = labels_[row];
      if (counts[old] == 1) continue;
      const float* x = row_of(points_, row);
      for (std::size_t j = 0; j < features(); ++j) {
        sums[old * features() + j] -= x[j * kTileRows];
        sums[empty[i] * features() + j] = x[j * kTileRows];
      }
      --counts[old];
      counts[empty[i]] = 1;
    }
    return true;
  }

  KMeansResult finish(int iterations) {
    KMeansResult result;
    result.iterations = iterations;
    for (std::size_t row = 0; row < points_.rows; ++row)
      result.inertia += squared_distance(points_, row, centers_.data() + labels_[row] * features());
    labels_.resize(points_.rows);
    result.labels = std::move(labels_);
    for (std::size_t c = 0; c < options_.clusters; ++c)
      for (std::size_t j = 0; j < features(); ++j)
        centers_[c * features() + j] =
            static_cast<float>(centers_[c * features() + j] + points_.mean[j]);
    result.centers = std::move(centers_);
    return result;
  }

  const Points& points_;
  const KMeansOptions& options_;
  std::vector<float> centers_;                // (clusters, features)
  std::vector<std::uint32_t> labels_, next_;  // padded to whole tiles
  std::vector<float> half_norms_;
  std::vector<double> sums_;  // (clusters, features): of the rows with that label
  std::vector<std::size_t> counts_;
};

}  // namespace

Points make_points(const RowReader& from, Team& team) {
  Points points;
  points.rows = from.rows();
  points.features = from.columns();
  points.tiles = (points.rows + kTileRows - 1) / kTileRows;
  points.values = AlignedArray<float>(points.tiles * points.features * kTileRows);
  const auto tile_rows = [&](std::size_t tile) {
    return std::min(kTileRows, points.rows - tile * kTileRows);
  };
  constexpr std::size_t kTiles = 16;  // handed out at once
  team.for_each((points.tiles + kTiles - 1) / kTiles, [&](std::size_t chunk) {
    std::vector<float> row(points.features);
    for (std::size_t t = chunk * kTiles; t < std::min(points.tiles, (chunk + 1) * kTiles); ++t) {
      float* tile = points.values.data() + t * points.features * kTileRows;
      for (std::size_t r = 0; r < tile_rows(t); ++r) {
        from.read_checked(t * kTileRows + r, row.data());
        for (std::size_t j = 0; j < points.features; ++j) tile[j * kTileRows + r] = row[j];
      }
    }
  });

  points.mean.resize(points.features);
  std::vector<double> variance(points.features);
  constexpr std::size_t kFeatures = 16;
  team.for_each((points.features + kFeatures - 1) / kFeatures, [&](std::size_t chunk) {
    const std::size_t begin = chunk * kFeatures, end = std::min(points.features, begin + kFeatures);
    const auto for_each_value = [&](auto&& body) {
      for (std::size_t t = 0; t < points.tiles; ++t)
        for (std::size_t j = begin; j < end; ++j) {
          float* x = points.values.data() + (t * points.features + j) * kTileRows;
          for (std::size_t r = 0; r < tile_rows(t); ++r) body(j, x[r]);
        }
    };
    const auto n = static_cast<double>(points.rows);
    for_each_value([&](std::size_t j, float x) { points.mean[j] += x; });
    for (std::size_t j = begin; j < end; ++j) points.mean[j] /= n;
    for_each_value([&](std::size_t j, float& x) {
      x = static_cast<float>(x - points.mean[j]);
      variance[j] += double{x} * x;
    });
    for (std::size_t j = begin; j < end; ++j) variance[j] /= n;
  });
  points.mean_variance = std::accumulate(variance.begin(), variance.end(), 0.0) /
                         static_cast<double>(std::max<std::size_t>(1, points.features));
  return points;
}

KMeansResult kmeans(const Points& points, const KMeansOptions& options, std::uint64_t seed,
                    Team& team, const std::atomic<bool>* stop) {
  if (options.clusters < 1 || options.clusters > points.rows)
    throw InvalidArgument(
        fmt::format("{} clusters of {} rows cannot be made", options.clusters, points.rows),
        "the number of clusters must be between 1 and the number of rows");
  std::vector<KMeansResult> results(static_cast<std::size_t>(options.restarts));
  team.for_each(results.size(), [&](std::size_t restart) {
    auto random = stream_of(seed, Stream::kmeans, static_cast<std::uint32_t>(restart));
    results[restart] = Lloyd(points, options, random).run(stop);
  });
  return *std::min_element(results.begin(), results.end(),
                           [](const auto& a, const auto& b) { return a.inertia < b.inertia; });
}

}  // namespace quickselection
