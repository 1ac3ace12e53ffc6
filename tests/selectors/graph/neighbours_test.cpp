// tests/selectors/graph/neighbours_test.cpp
#include "selectors/graph/neighbours.h"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>

#include "kernels/dispatch.h"
#include "selectors/graph/graph_reference.h"

namespace quickselection {
namespace {

struct Rig {
  explicit Rig(Dataset dataset, int threads = 1, ScaleMode mode = ScaleMode::none)
      : data(std::move(dataset)), team(threads), scaler(fit_scaler(data, mode, 0, team)) {}

  Neighbours find(std::size_t count, Metric metric = Metric::euclidean,
                  const RunContext& context = {}) {
    return nearest_neighbours(RowReader({&data, {}, &scaler}), count, metric, team, context);
  }

  Dataset data;
  Team team;
  Scaler scaler;
};

void expect_exact(const Dataset& data, std::size_t count, Metric metric = Metric::euclidean) {
  Rig rig(data);
  const Matrix x = matrix_of(data);
  const auto expected = sorted_rows(x, metric == Metric::cosine);
  const Neighbours found = rig.find(count, metric);
  for (std::size_t r = 0; r < data.rows(); ++r)
    for (std::size_t i = 0; i < count; ++i) {
      const long j = expected[r][i];
      ASSERT_EQ(found.ids[r * count + i], j) << "row " << r << " neighbour " << i;
      const double distance = metric == Metric::cosine
                                  ? 1 - cosine(x, static_cast<long>(r), j)
                                  : (x.row(static_cast<long>(r)) - x.row(j)).squaredNorm();
      ASSERT_NEAR(found.distances[r * count + i], distance, 1e-12 * (1 + distance));
    }
}

TEST(Neighbours, AreThoseOfAllPairs) {
  expect_exact(clustered_data(200, 7), 5);
  expect_exact(clustered_data(300, 600), 5);  // more features than are summed at once
  expect_exact(clustered_data(700, 3), 20);
  expect_exact(clustered_data(37, 1), 36);
}

TEST(Neighbours, EqualDistancesComeInTheOrderOfRows) {
  expect_exact(tied_data(200, 3), 6);
  expect_exact(tied_data(500, 8), 50);
  expect_exact(tied_data(64, 1), 20);
}

TEST(Neighbours, RowsThatAreAllEqualAreAtDistanceZero) {
  const Dataset data = Dataset::from_vector(std::vector<float>(90, 0.1f), 30, 3);
  expect_exact(data, 4);
  for (const double distance : Rig(data).find(4).distances) EXPECT_EQ(distance, 0);
}

TEST(Neighbours, AreExactFarFromTheOrigin) {
  // Squares are 1e12, differences of squared distances 1: far below what a float product sees.
  std::vector<float> values;
  kernels::RandomStream random(3, kernels::Purpose::evaluation);
  for (int i = 0; i < 400 * 6; ++i) values.push_back(1e6f + static_cast<float>(random.below(50)));
  values[0] = -3e7f;  // an outlier pulls the middle away
  expect_exact(Dataset::from_vector(values, 400, 6), 5);
}

TEST(Neighbours, AreExactForVeryLargeAndVerySmallValues) {
  for (const float factor : {1e-25f, 1e25f}) {
    const Dataset base = clustered_data(100, 5);
    std::vector<float> values;
    for (std::size_t r = 0; r < 100; ++r)
      for (std::size_t f = 0; f < 5; ++f)
        values.push_back(factor * static_cast<float>(base.at(r, f)));
    expect_exact(Dataset::from_vector(values, 100, 5), 5);
  }
}

TEST(Neighbours, ByAngle) {
  expect_exact(clustered_data(200, 9), 5, Metric::cosine);
  expect_exact(clustered_data(100, 500), 5, Metric::cosine);
}

TEST(Neighbours, RowsOfZerosAreAtRightAnglesToAll) {
  std::vector<float> values(40, 0.0f);
  for (std::size_t i = 8; i < 40; ++i) values[i] = static_cast<float>(i % 7) - 3;
  const Dataset data = Dataset::from_vector(values, 10, 4);
  const Neighbours found = Rig(data).find(3, Metric::cosine);
  EXPECT_EQ(found.distances[0], 1);
  EXPECT_EQ(found.ids[0], 1u);  // equal distances: the first rows
  EXPECT_EQ(found.ids[1], 2u);
}

TEST(Neighbours, RepeatedDirectionsAreAtAngleZero) {
  const Dataset data = Dataset::from_vector(std::vector<float>{1, 2, 3, 0.1f, 7, 5, 1, 2, 3}, 3, 3);
  const Neighbours found = Rig(data).find(1, Metric::cosine);
  EXPECT_EQ(found.ids[0], 2u);
  EXPECT_EQ(found.distances[0], 0);
}

TEST(Neighbours, TwoRowsAreNeighboursOfEachOther) {
  const Neighbours found = Rig(Dataset::from_vector(std::vector<double>{0, 3}, 2, 1)).find(1);
  EXPECT_EQ(found.ids, (std::vector<std::uint32_t>{1, 0}));
  EXPECT_EQ(found.distances, (std::vector<double>{9, 9}));
}

TEST(Neighbours, SameBitsForAnyNumberOfThreadsAndEverySimdLevel) {
  const Dataset data = clustered_data(401, 50);
  const Neighbours expected = Rig(data, 1, ScaleMode::minmax).find(5);
  for (const std::string& level : kernels::available_levels()) {
    kernels::force_level(level);
    for (const int threads : {1, 2, 3}) {
      const Neighbours found = Rig(data, threads, ScaleMode::minmax).find(5);
      EXPECT_EQ(found.ids, expected.ids) << level;
      EXPECT_EQ(found.distances, expected.distances) << level;
    }
  }
  kernels::force_level("");
}

TEST(Neighbours, StopsWhenAsked) {
  const std::atomic<bool> stop{true};
  RunContext context;
  context.stop = &stop;
  Rig rig(clustered_data(100, 4), 2);
  EXPECT_THROW(rig.find(5, Metric::euclidean, context), Interrupted);
}

}  // namespace
}  // namespace quickselection
