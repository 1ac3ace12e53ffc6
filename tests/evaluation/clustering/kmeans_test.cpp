// tests/evaluation/clustering/kmeans_test.cpp
#include "evaluation/clustering/kmeans.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/iota.h"
#include "kernels/random/random.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

Dataset blobs(std::size_t rows, std::size_t features, std::size_t groups, double distance,
              std::uint64_t seed, double offset = 0) {
  kernels::RandomStream random(seed, kernels::Purpose::evaluation);
  std::vector<float> values;
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t f = 0; f < features; ++f)
      values.push_back(static_cast<float>(
          random.normal() + offset + distance * static_cast<double>((r % groups) * (f + 1) % 7)));
  return Dataset::from_vector(values, rows, features);
}

Points points_of(const Dataset& data, Team& team) {
  const auto rows = iota(data.rows()), columns = iota(data.features());
  return make_points({{&data, rows}, columns}, team);
}

double inertia_of(const Dataset& data, const KMeansResult& result) {
  double sum = 0;
  for (std::size_t r = 0; r < data.rows(); ++r)
    for (std::size_t f = 0; f < data.features(); ++f)
      sum += std::pow(data.at(r, f) - result.centers[result.labels[r] * data.features() + f], 2);
  return sum;
}

TEST(KMeans, FindsWellSeparatedGroups) {
  const Dataset data = blobs(350, 3, 5, 30, 1);
  Team team(2);
  const KMeansResult result = kmeans(points_of(data, team), {.clusters = 5}, 0, team);
  std::set<std::pair<std::size_t, std::uint32_t>> pairs;
  for (std::size_t r = 0; r < 350; ++r) pairs.insert({r % 5, result.labels[r]});
  EXPECT_EQ(pairs.size(), 5u);  // each group is one cluster
  EXPECT_NEAR(result.inertia, inertia_of(data, result), 1e-4 * result.inertia);
}

TEST(KMeans, EndsWhereEveryRowIsNearestToItsOwnMean) {
  const Dataset data = blobs(203, 4, 3, 1, 2);
  Team team(1);
  const KMeansResult result =
      kmeans(points_of(data, team), {.clusters = 6, .tolerance = 0}, 3, team);
  std::vector<double> means(6 * 4), counts(6);
  for (std::size_t r = 0; r < 203; ++r) {
    ++counts[result.labels[r]];
    for (std::size_t f = 0; f < 4; ++f) means[result.labels[r] * 4 + f] += data.at(r, f);
  }
  for (std::size_t c = 0; c < 6; ++c)
    for (std::size_t f = 0; f < 4; ++f) {
      means[c * 4 + f] /= counts[c];
      EXPECT_NEAR(means[c * 4 + f], result.centers[c * 4 + f], 1e-5);
    }
  for (std::size_t r = 0; r < 203; ++r) {
    std::vector<double> distance(6);
    for (std::size_t c = 0; c < 6; ++c)
      for (std::size_t f = 0; f < 4; ++f)
        distance[c] += std::pow(data.at(r, f) - means[c * 4 + f], 2);
    EXPECT_NEAR(distance[result.labels[r]], *std::min_element(distance.begin(), distance.end()),
                1e-4);
  }
}

TEST(KMeans, TakesTheBestOfItsRestarts) {
  const Dataset data = blobs(300, 2, 7, 3, 4);
  Team team(1);
  const Points points = points_of(data, team);
  double best = INFINITY;
  bool differs = false;
  for (int restarts = 1; restarts <= 10; ++restarts) {
    const double inertia = kmeans(points, {.clusters = 7, .restarts = restarts}, 5, team).inertia;
    EXPECT_LE(inertia, best);  // the restarts of a longer run begin with those of a shorter one
    differs = differs || inertia < best * 0.999;
    best = inertia;
  }
  EXPECT_TRUE(differs);
}

TEST(KMeans, IsNotDisturbedByALargeOffset) {
  Team team(1);
  const Dataset near = blobs(160, 3, 4, 12, 6), far = blobs(160, 3, 4, 12, 6, 1e5);
  const auto a = kmeans(points_of(near, team), {.clusters = 4}, 1, team);
  const auto b = kmeans(points_of(far, team), {.clusters = 4}, 1, team);
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_NEAR(a.inertia, b.inertia, 0.02 * a.inertia);
}

TEST(KMeans, IsTheSameForAnyNumberOfThreads) {
  const Dataset data = blobs(500, 5, 4, 1, 7);
  Team one(1), three(3);
  const auto a = kmeans(points_of(data, one), {.clusters = 4}, 9, one);
  const auto b = kmeans(points_of(data, three), {.clusters = 4}, 9, three);
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.centers, b.centers);
  EXPECT_EQ(a.inertia, b.inertia);
}

TEST(KMeans, MakesOneClusterAndAsManyAsRows) {
  const Dataset data = blobs(20, 2, 4, 5, 8);
  Team team(1);
  const Points points = points_of(data, team);
  const auto one = kmeans(points, {.clusters = 1}, 0, team);
  for (const auto label : one.labels) EXPECT_EQ(label, 0u);
  EXPECT_NEAR(one.inertia, points.mean_variance * 2 * 20, 1e-3 * one.inertia);
  const auto all = kmeans(points, {.clusters = 20}, 0, team);
  EXPECT_EQ(std::set<std::uint32_t>(all.labels.begin(), all.labels.end()).size(), 20u);
  EXPECT_NEAR(all.inertia, 0, 1e-6);
}

TEST(KMeans, TakesFewerDistinctRowsThanClusters) {
  const Dataset data = Dataset::from_vector<float>({1, 1, 1, 5, 5, 5, 1, 5}, 8, 1);
  Team team(1);
  const auto result = kmeans(points_of(data, team), {.clusters = 4}, 0, team);
  EXPECT_NEAR(result.inertia, 0, 1e-10);
  for (const float center : result.centers) EXPECT_TRUE(std::isfinite(center));
  const Dataset constant = Dataset::from_vector(std::vector<float>(12, 3), 6, 2);
  EXPECT_EQ(kmeans(points_of(constant, team), {.clusters = 3}, 0, team).inertia, 0);
}

TEST(KMeans, RefusesNoClustersAndMoreThanRows) {
  const Dataset data = blobs(5, 1, 1, 0, 9);
  Team team(1);
  const Points points = points_of(data, team);
  EXPECT_THROW(kmeans(points, {.clusters = 0}, 0, team), InvalidArgument);
  EXPECT_THROW(kmeans(points, {.clusters = 6}, 0, team), InvalidArgument);
}

TEST(KMeans, StopsWhenAsked) {
  const Dataset data = blobs(50, 2, 2, 1, 10);
  Team team(2);
  const std::atomic<bool> stop{true};
  EXPECT_THROW(kmeans(points_of(data, team), {.clusters = 2}, 0, team, &stop), Interrupted);
}

}  // namespace
}  // namespace quickselection
