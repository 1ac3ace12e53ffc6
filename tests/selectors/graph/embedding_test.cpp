// tests/selectors/graph/embedding_test.cpp
#include "selectors/graph/embedding.h"

#include <gtest/gtest.h>

#include <atomic>

#include "selectors/graph/graph_reference.h"
#include "support/slow_eigen.h"

namespace quickselection {
namespace {

Graph graph_of(const Dataset& data, std::size_t count, const GraphOptions& options = {}) {
  Team team(1);
  const Scaler scaler = fit_scaler(data, ScaleMode::none, 0, team);
  return join(
      nearest_neighbours(RowReader({&data, {}, &scaler}), count, Metric::euclidean, team, {}),
      options);
}

Embedding embed(const Graph& graph, std::size_t dimensions, int threads = 1) {
  Team team(threads);
  return spectral_embedding(graph, dimensions, team, {});
}

struct Laplacian {
  explicit Laplacian(const Matrix& s) : d(s.rowwise().sum().asDiagonal()), l(d - s) {}
  Matrix d, l;
};

/// Each column solves L y = lambda D y, has y'Dy = 1, and is orthogonal to the others.
void expect_eigenvectors(const Embedding& found, const Laplacian& laplacian) {
  const auto n = laplacian.d.rows();
  const auto count = static_cast<long>(found.dimensions);
  ASSERT_EQ(found.vectors.size(), static_cast<std::size_t>(n * count));
  const Eigen::Map<const Matrix> y(found.vectors.data(), n, count);
  for (long i = 0; i < count; ++i) {
    const double lambda = found.eigenvalues[static_cast<std::size_t>(i)];
    EXPECT_LT((laplacian.l * y.col(i) - lambda * laplacian.d * y.col(i)).norm(), 1e-9) << i;
  }
  EXPECT_LT((y.transpose() * laplacian.d * y - Matrix::Identity(count, count)).norm(), 1e-9);
}

/// The least eigenvalues of the dense problem, without the first 0.
Vector literal_eigenvalues(const Laplacian& laplacian) {
  return slow_eigen(laplacian.l, laplacian.d).values.tail(laplacian.d.rows() - 1);
}

void expect_least(const Embedding& found, const Laplacian& laplacian) {
  expect_eigenvectors(found, laplacian);
  const Vector expected = literal_eigenvalues(laplacian);
  for (std::size_t i = 0; i < found.dimensions; ++i)
    EXPECT_NEAR(found.eigenvalues[i], expected(static_cast<long>(i)), 1e-9) << i;
}

TEST(Embedding, HasTheLeastEigenvalues) {
  for (const std::size_t rows : {40u, 350u}) {  // the dense and the sparse solver
    const Dataset data = clustered_data(rows, 6);
    expect_least(embed(graph_of(data, 5), 6), Laplacian(weight_matrix(matrix_of(data), 5)));
  }
}

TEST(Embedding, FindsEveryVectorOfAMultipleEigenvalue) {
  // A ring: all eigenvalues but two are double, which a Krylov space alone does not see.
  const std::uint32_t rows = 400;
  Graph ring;
  ring.offsets.push_back(0);
  Matrix s = Matrix::Zero(rows, rows);
  for (std::uint32_t r = 0; r < rows; ++r) {
    std::uint32_t ends[] = {(r + rows - 1) % rows, (r + 1) % rows};
    std::sort(std::begin(ends), std::end(ends));
    for (const std::uint32_t end : ends) {
      ring.ids.push_back(end);
      ring.weights.push_back(1);
      s(r, end) = 1;
    }
    ring.offsets.push_back(ring.ids.size());
    ring.degrees.push_back(2);
  }
  expect_least(embed(ring, 7), Laplacian(s));
}

TEST(Embedding, OfAGraphInPartsBeginsWithTheirIndicators) {
  const Dataset data = clustered_data(300, 5, 3, 1, 100);
  const Graph graph = graph_of(data, 5);
  const auto parts = connected_parts(graph);
  const Embedding found = embed(graph, 6);
  ASSERT_EQ(found.parts, 3u);
  expect_least(found, Laplacian(weight_matrix(matrix_of(data), 5)));
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t r = 0; r < 300; ++r)
      EXPECT_EQ(found.vectors[i * 300 + r] > 0, parts[r] == i + 1);
}

TEST(Embedding, WithMorePartsThanDimensionsTakesTheLargest) {
  const Dataset data = clustered_data(100, 3, 10, 1, 1000);
  const Graph graph = graph_of(data, 3);
  const Embedding found = embed(graph, 4);
  ASSERT_GE(found.parts, 10u);
  EXPECT_EQ(found.dimensions, 4u);
  EXPECT_EQ(found.eigenvalues, std::vector<double>(4, 0.0));
  expect_eigenvectors(found, Laplacian(weight_matrix(matrix_of(data), 3)));
}

TEST(Embedding, RowsWithoutEdgesAreZero) {
  std::vector<float> values;
  kernels::RandomStream random(2, kernels::Purpose::evaluation);
  for (int r = 0; r < 30; ++r) values.push_back(static_cast<float>(random.uniform()));
  values.push_back(1e4f);
  GraphOptions options;
  options.t = 1;
  const Graph graph = graph_of(Dataset::from_vector(values, 31, 1), 4, options);
  ASSERT_EQ(graph.degrees[30], 0);
  const Embedding found = embed(graph, 5);
  EXPECT_EQ(found.dimensions, 5u);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(found.vectors[i * 31 + 30], 0);
}

TEST(Embedding, OfTwoRowsHasOneDimension) {
  const Embedding found = embed(graph_of(clustered_data(2, 3), 1), 5);
  ASSERT_EQ(found.dimensions, 1u);
  EXPECT_NEAR(found.vectors[0], -found.vectors[1], 1e-12);
  EXPECT_NEAR(found.eigenvalues[0], 2, 1e-12);
}

TEST(Embedding, SameBitsForAnyNumberOfThreads) {
  const Graph graph = graph_of(clustered_data(400, 6), 5);
  EXPECT_EQ(embed(graph, 5, 1).vectors, embed(graph, 5, 2).vectors);
  EXPECT_EQ(embed(graph, 5, 1).vectors, embed(graph, 5, 3).vectors);
}

TEST(Embedding, StopsWhenAsked) {
  const std::atomic<bool> stop{true};
  Team team(1);
  RunContext context;
  context.stop = &stop;
  EXPECT_THROW(spectral_embedding(graph_of(clustered_data(300, 4), 5), 3, team, context),
               Interrupted);
}

}  // namespace
}  // namespace quickselection
