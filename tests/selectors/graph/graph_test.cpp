// tests/selectors/graph/graph_test.cpp
#include "selectors/graph/graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "selectors/graph/graph_reference.h"

namespace quickselection {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;

Neighbours neighbours_of(const Dataset& data, std::size_t count, Metric metric) {
  Team team(1);
  const Scaler scaler = fit_scaler(data, ScaleMode::none, 0, team);
  return nearest_neighbours(RowReader({&data, {}, &scaler}), count, metric, team, {});
}

Matrix dense(const Graph& graph) {
  const auto n = static_cast<long>(graph.rows());
  Matrix s = Matrix::Zero(n, n);
  for (std::size_t r = 0; r < graph.rows(); ++r)
    for (std::uint64_t e = graph.offsets[r]; e < graph.offsets[r + 1]; ++e)
      s(static_cast<long>(r), graph.ids[e]) += graph.weights[e];
  return s;
}

TEST(Graph, HasTheWeightsOfTheFormula) {
  for (const Dataset& data : {clustered_data(60, 4), tied_data(60, 4)})
    for (const std::string weights : {"heat", "binary", "cosine"}) {
      GraphOptions options;
      options.weights = weights == "heat"     ? GraphWeights::heat
                        : weights == "binary" ? GraphWeights::binary
                                              : GraphWeights::cosine;
      const bool cosine = weights == "cosine";
      const Graph graph =
          join(neighbours_of(data, 5, cosine ? Metric::cosine : Metric::euclidean), options);
      const Matrix expected = weight_matrix(matrix_of(data), 5, weights);
      EXPECT_LT((dense(graph) - expected).cwiseAbs().maxCoeff(), 1e-12) << weights;
      for (long r = 0; r < 60; ++r)
        EXPECT_NEAR(graph.degrees[static_cast<std::size_t>(r)], expected.row(r).sum(), 1e-12);
    }
}

TEST(Graph, EdgesOfARowAscendAndNoneIsALoop) {
  const Graph graph = join(neighbours_of(tied_data(90, 3), 7, Metric::euclidean), {});
  for (std::size_t r = 0; r < graph.rows(); ++r)
    for (std::uint64_t e = graph.offsets[r]; e < graph.offsets[r + 1]; ++e) {
      EXPECT_NE(graph.ids[e], r);
      if (e > graph.offsets[r]) {
        EXPECT_LT(graph.ids[e - 1], graph.ids[e]);
      }
    }
}

TEST(Graph, PartsAreNumberedBySize) {
  // Two rows near 0, four near 100, three near 50.
  const Dataset data =
      Dataset::from_vector(std::vector<float>{0, 100, 101, 50, 1, 102, 51, 103, 52}, 9, 1);
  EXPECT_THAT(connected_parts(join(neighbours_of(data, 1, Metric::euclidean), {})),
              ElementsAre(2, 0, 0, 1, 2, 0, 1, 0, 1));
}

TEST(Graph, EdgesWithoutWeightAreNone) {
  GraphOptions options;
  options.t = 1e-3;
  const Dataset data = Dataset::from_vector(std::vector<float>{0, 0.01f, 10, 20}, 4, 1);
  const Graph graph = join(neighbours_of(data, 1, Metric::euclidean), options);
  EXPECT_EQ(graph.ids.size(), 2u);
  EXPECT_EQ(graph.degrees[2], 0);
}

TEST(Graph, TooManyNeighboursBecomeAllOfThem) {
  std::vector<Warning> warnings;
  const Dataset data = clustered_data(5, 2);
  EXPECT_EQ(usable_neighbours(4, data, "udfs", warnings), 4u);
  EXPECT_TRUE(warnings.empty());
  EXPECT_EQ(usable_neighbours(5, data, "udfs", warnings), 4u);
  EXPECT_THAT(warnings, ElementsAre(Field(&Warning::text, HasSubstr("only 5 rows"))));
  EXPECT_THROW(usable_neighbours(5, clustered_data(1, 2), "udfs", warnings), Error);
}

}  // namespace
}  // namespace quickselection
