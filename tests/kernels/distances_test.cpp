// tests/kernels/distances_test.cpp
#include "kernels/distances.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/aligned.h"
#include "kernels/random/random.h"
#include "support/levels.h"

namespace quickselection::kernels {
namespace {

struct Case {
  std::size_t tiles, features, count;
};

// One tile and several; one feature and many; counts around every size of a group of centres.
const Case kCases[] = {{1, 1, 1}, {1, 3, 2},  {2, 7, 3},  {3, 50, 4}, {2, 5, 6},
                       {2, 5, 7}, {1, 9, 11}, {1, 9, 12}, {2, 4, 13}, {2, 300, 26}};

class Distances : public AtEveryLevel {
 protected:
  void fill(const Case& c) {
    RandomStream random(7, Purpose::evaluation, static_cast<std::uint32_t>(c.count));
    points = AlignedArray<float>(c.tiles * c.features * kTileRows);
    centers.resize(c.count * c.features);
    for (float& x : points) x = static_cast<float>(random.normal());
    for (float& x : centers) x = static_cast<float>(random.normal());
  }
  double point(const Case& c, std::size_t row, std::size_t feature) const {
    return points[(row / kTileRows * c.features + feature) * kTileRows + row % kTileRows];
  }
  double distance(const Case& c, std::size_t row, std::size_t center) const {
    double sum = 0;
    for (std::size_t j = 0; j < c.features; ++j)
      sum += std::pow(point(c, row, j) - centers[center * c.features + j], 2);
    return sum;
  }

  AlignedArray<float> points;
  std::vector<float> centers;
};

TEST_P(Distances, FindsTheNearestCentre) {
  for (const Case& c : kCases) {
    fill(c);
    std::vector<float> half_norms(c.count);
    for (std::size_t i = 0; i < c.count; ++i)
      for (std::size_t j = 0; j < c.features; ++j)
        half_norms[i] += 0.5f * centers[i * c.features + j] * centers[i * c.features + j];
    std::vector<std::uint32_t> labels(c.tiles * kTileRows);
    nearest_centers(points.data(), c.tiles, c.features, centers.data(), half_norms.data(), c.count,
                    labels.data());
    for (std::size_t row = 0; row < labels.size(); ++row) {
      ASSERT_LT(labels[row], c.count);
      double least = INFINITY;
      for (std::size_t i = 0; i < c.count; ++i) least = std::min(least, distance(c, row, i));
      EXPECT_NEAR(distance(c, row, labels[row]), least, 1e-4 * (1 + least));
    }
  }
}

TEST_P(Distances, TakesTheFirstOfEqualCentres) {
  const Case c{1, 4, 9};
  fill(c);
  for (std::size_t i = 0; i < centers.size(); ++i) centers[i] = 1;
  const std::vector<float> half_norms(c.count, 2);
  std::vector<std::uint32_t> labels(kTileRows, 99);
  nearest_centers(points.data(), 1, c.features, centers.data(), half_norms.data(), c.count,
                  labels.data());
  for (const std::uint32_t label : labels) EXPECT_EQ(label, 0u);
}

TEST_P(Distances, SquaredDistancesMatchADoubleLoop) {
  for (const Case& c : kCases) {
    fill(c);
    const std::size_t rows = c.tiles * kTileRows;
    std::vector<float> out(c.count * rows);
    squared_distances(points.data(), c.tiles, c.features, centers.data(), c.count, out.data());
    for (std::size_t i = 0; i < c.count; ++i)
      for (std::size_t row = 0; row < rows; ++row)
        EXPECT_NEAR(out[i * rows + row], distance(c, row, i), 1e-5 * distance(c, row, i));
  }
}

TEST_P(Distances, EqualPointsAreExactlyZeroApart) {
  const Case c{1, 40, 1};
  fill(c);
  for (std::size_t j = 0; j < c.features; ++j) centers[j] = static_cast<float>(point(c, 5, j));
  std::vector<float> out(kTileRows);
  squared_distances(points.data(), 1, c.features, centers.data(), 1, out.data());
  EXPECT_EQ(out[5], 0.0f);
}

TEST_P(Distances, TileProductsMatchADoubleLoopWithAnyStride) {
  for (const Case& c : kCases) {
    fill(c);
    const std::size_t stride = c.features + 3;
    std::vector<float> vectors(c.count * stride, NAN), out(c.count * kTileRows);
    for (std::size_t i = 0; i < c.count; ++i)
      std::copy_n(centers.data() + i * c.features, c.features, vectors.data() + i * stride);
    tile_products(points.data(), c.features, vectors.data(), stride, c.count, out.data());
    for (std::size_t i = 0; i < c.count; ++i)
      for (std::size_t lane = 0; lane < kTileRows; ++lane) {
        double sum = 0, size = 0;
        for (std::size_t j = 0; j < c.features; ++j) {
          sum += point(c, lane, j) * centers[i * c.features + j];
          size += std::abs(point(c, lane, j) * centers[i * c.features + j]);
        }
        EXPECT_NEAR(out[i * kTileRows + lane], sum, 1e-6 * size);
      }
  }
}

QS_AT_EVERY_LEVEL(Distances);

}  // namespace
}  // namespace quickselection::kernels
