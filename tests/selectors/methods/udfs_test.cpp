// tests/selectors/methods/udfs_test.cpp
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <set>
#include <string>

#include "selectors/graph/graph_reference.h"
#include "selectors/graph/scatter.h"
#include "support/slow_eigen.h"

namespace quickselection {
namespace {

using testing::Contains;
using testing::Field;
using testing::HasSubstr;

/// Yang et al., the sum over i of S_i H (X~_i' X~_i + lambda I)^-1 H S_i', with full matrices.
Matrix literal_l(const Matrix& x, std::size_t k, double lambda) {
  const auto sorted = sorted_rows(x);
  k = std::min(k, static_cast<std::size_t>(x.rows()) - 1);
  const auto n = static_cast<long>(k + 1);
  const Matrix identity = Matrix::Identity(n, n);
  const Matrix h = identity - Matrix::Ones(n, n) / static_cast<double>(n);
  Matrix l = Matrix::Zero(x.rows(), x.rows());
  for (long i = 0; i < x.rows(); ++i) {
    Matrix s = Matrix::Zero(x.rows(), n);
    s(i, 0) = 1;
    for (long m = 1; m < n; ++m) s(sorted[i][static_cast<std::size_t>(m - 1)], m) = 1;
    const Matrix local = x.transpose() * s * h;
    l += s * h * (local.transpose() * local + lambda * identity).inverse() * h * s.transpose();
  }
  return l;
}

/// The paper's iteration with a full eigendecomposition in every step. Rows of W that vanish are
/// smoothed as in the program.
struct Literal {
  Vector scores;
  std::vector<double> objective;

  Literal(const Matrix& x, std::size_t k, long clusters, double gamma, double lambda, int steps) {
    const Matrix m = x.transpose() * literal_l(x, k, lambda) * x;
    clusters = std::min<long>(clusters, m.rows());
    Vector d = Vector::Ones(m.rows());
    for (int step = 0; step < steps; ++step) {
      const Matrix p = m + gamma * Matrix(d.asDiagonal());
      const Matrix w = slow_eigen(p).vectors.leftCols(clusters);
      const Vector norms = (w.rowwise().squaredNorm().array() + 1e-12).sqrt();
      d = norms.cwiseInverse() / 2;
      objective.push_back((w.transpose() * m * w).trace() + gamma * norms.sum());
      scores = w.rowwise().norm();
    }
  }
};

Selection run_udfs(const Dataset& data, std::size_t clusters, int iterations = 100, int threads = 1,
                   std::vector<GivenOption> more = {}, ScaleMode scale = ScaleMode::none) {
  more.push_back({"clusters", std::to_string(clusters)});
  more.push_back({"iterations", std::to_string(iterations)});
  return run_method(data, "udfs", more, threads, scale);
}

void expect_literal(const Dataset& data, std::size_t clusters, int steps, std::size_t k = 5,
                    double gamma = 0.1, double lambda = 0.1) {
  const Selection found = run_udfs(data, clusters, steps, 2,
                                   {{"neighbors", std::to_string(k)},
                                    {"gamma", std::to_string(gamma)},
                                    {"lambda", std::to_string(lambda)}});
  const Literal expected(matrix_of(data), k, static_cast<long>(clusters), gamma, lambda,
                         static_cast<int>(found.loss.size()));
  for (std::size_t i = 0; i < found.loss.size(); ++i)
    EXPECT_NEAR(found.loss[i], expected.objective[i], 1e-6 * expected.objective[i]) << i;
  for (std::size_t f = 0; f < data.features(); ++f)
    EXPECT_NEAR(found.scores[f], expected.scores(static_cast<long>(f)), 1e-6) << f;
}

TEST(Udfs, IsThatOfThePaper) {
  expect_literal(clustered_data(80, 10), 3, 10);
  expect_literal(clustered_data(80, 10), 3, 10, 4, 2.5, 10);
  expect_literal(clustered_data(80, 10), 1, 10);
}

TEST(Udfs, IsThatOfThePaperWhereEigenvectorsAreSearchedFor) {
  expect_literal(clustered_data(300, 130), 3, 5);  // enough features not to decompose all of M
}

TEST(Udfs, IsThatOfThePaperWhereRowsTieAndRepeat) {
  expect_literal(tied_data(90, 7), 2, 10);
  expect_literal(tied_data(60, 5), 3, 10, 8);
}

TEST(Udfs, TooManyNeighboursAndOneFeature) {
  expect_literal(clustered_data(12, 4), 2, 10, 20);
  expect_literal(clustered_data(20, 1), 1, 3);
}

TEST(Udfs, TwoRows) {
  const Selection selection =
      run_udfs(Dataset::from_vector(std::vector<float>{0, 1, 2, 4, 3, 2}, 2, 3), 1);
  EXPECT_EQ(selection.ranking.back(), 2u);  // constant
  for (const double score : selection.scores) EXPECT_TRUE(std::isfinite(score));
}

TEST(Udfs, ObjectiveFallsInEveryIteration) {
  std::vector<Dataset> sets;
  sets.push_back(clustered_data(200, 20));
  sets.push_back(clustered_data(300, 150));  // by search
  sets.push_back(clustered_data(40, 200));   // more features than rows
  sets.push_back(tied_data(120, 30));
  for (const Dataset& data : sets)
    for (const char* gamma : {"0.001", "0.1", "10", "1000"})
      for (const char* lambda : {"0.1", "1000"}) {
        const auto objective =
            run_udfs(data, 4, 60, 1, {{"gamma", gamma}, {"lambda", lambda}}).loss;
        ASSERT_GE(objective.size(), 2u);
        for (std::size_t i = 1; i < objective.size(); ++i)
          EXPECT_LE(objective[i], objective[i - 1] * (1 + 1e-9))
              << "iteration " << i << " gamma " << gamma << " lambda " << lambda;
      }
}

TEST(Udfs, SaysWhenItHasNotSettled) {
  const Selection selection = run_udfs(clustered_data(100, 20), 3, 2);
  EXPECT_EQ(selection.loss.size(), 2u);
  EXPECT_THAT(selection.warnings,
              Contains(Field(&Warning::text, HasSubstr("still falling after 2 iterations"))));
}

TEST(Udfs, ConstantFeaturesTakeNoPart) {
  const Dataset base = clustered_data(60, 6);
  std::vector<float> values;
  for (std::size_t r = 0; r < 60; ++r) {
    for (std::size_t f = 0; f < 6; ++f) values.push_back(static_cast<float>(base.at(r, f)));
    values.push_back(3);
  }
  const Selection selection = run_udfs(Dataset::from_vector(values, 60, 7), 3);
  EXPECT_EQ(selection.ranking.back(), 6u);
  EXPECT_EQ(selection.scores[6], 0);
  const auto without = run_udfs(base, 3).scores;
  for (std::size_t f = 0; f < 6; ++f) EXPECT_NEAR(selection.scores[f], without[f], 1e-6);
}

TEST(Udfs, OnlyConstantFeatures) {
  const Selection selection = run_udfs(Dataset::from_vector(std::vector<float>(20, 1), 10, 2), 2);
  EXPECT_THAT(selection.scores, testing::Each(0.0));
}

TEST(Udfs, WithMoreFeaturesThanRowsTheSeedDoesNotMatter) {
  const Dataset data = clustered_data(30, 400);
  SelectOptions options;
  options.method = "udfs";
  options.method_options = {{"clusters", "3"}};
  options.scale = ScaleMode::minmax;
  const auto first = select_features(data, options, {1, {}, nullptr}).scores;
  options.seed = 17;
  const auto second = select_features(data, options, {1, {}, nullptr}).scores;
  for (std::size_t f = 0; f < 400; ++f) EXPECT_NEAR(first[f], second[f], 1e-5);
}

TEST(Udfs, SparseDataGivesTheSameBitsAsDenseData) {
  const Dataset data = tied_data(90, 20);
  EXPECT_EQ(run_udfs(sparse_copy(data), 3).scores, run_udfs(data, 3).scores);
}

TEST(Udfs, SameBitsForAnyNumberOfThreads) {
  for (const Dataset& data : {clustered_data(300, 270), clustered_data(150, 400)}) {
    const auto expected = run_udfs(data, 3, 5, 1, {}, ScaleMode::minmax);
    for (const int threads : {2, 3}) {
      const auto found = run_udfs(data, 3, 5, threads, {}, ScaleMode::minmax);
      EXPECT_EQ(found.scores, expected.scores);
      EXPECT_EQ(found.loss, expected.loss);
    }
  }
}

TEST(Udfs, OptionsOfOthersAreRefused) {
  const Dataset data = clustered_data(10, 3);
  EXPECT_THROW(run_method(data, "udfs", {{"weights", "binary"}}), InvalidArgument);
  EXPECT_THROW(run_method(data, "udfs", {{"gamma", "0"}}), InvalidArgument);
}

TEST(Udfs, RefusesWhatDoesNotFitInMemory) {
  // A million rows and features without values: no machine holds their products.
  std::vector<std::uint64_t> offsets(1000001);
  std::iota(offsets.begin(), offsets.end(), std::uint64_t{0});
  std::vector<std::uint32_t> columns(1000000);
  std::iota(columns.begin(), columns.end(), 0u);
  const Dataset data = Dataset::from_csr(offsets, columns, std::vector<float>(1000000, 1), 1000000);
  try {
    run_method(data, "udfs");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("GB of memory"));
    EXPECT_THAT(error.hint(), HasSubstr("fewer features"));
  }
}

TEST(Udfs, ReportsProgressAndStopsWhenAsked) {
  std::atomic<bool> stop{false};
  std::set<std::string> tasks;
  SelectOptions options;
  options.method = "udfs";
  const auto note = [&](const Progress& progress) {
    tasks.insert(progress.task);
    if (progress.task == "minimise" && progress.done == 1) stop = true;
  };
  EXPECT_THROW(select_features(clustered_data(200, 150), options, {2, note, &stop}), Interrupted);
  EXPECT_THAT(tasks, Contains("minimise"));
}

// --- the parts of it

struct ScatterRig {
  ScatterRig(std::size_t rows, std::size_t width, bool narrow, int threads = 2)
      : data(clustered_data(rows, width)),
        team(threads),
        scaler(fit_scaler(data, ScaleMode::none, 0, team)),
        scaled({&data, {}, &scaler}),
        pace("test", 1, context),
        l(local_scatter(scaled, nearest_neighbours(scaled, 5, Metric::euclidean, team, context),
                        0.1, team, pace)) {
    for (std::uint32_t f = 0; f < width; ++f)
      if (f != 1) features.push_back(f);  // one is left out
    scatter = std::make_unique<Scatter>(RowReader(scaled.from(), features), l, narrow, team, pace);
    const Matrix all = matrix_of(data);
    x.resize(all.rows(), static_cast<long>(features.size()));
    for (std::size_t i = 0; i < features.size(); ++i)
      x.col(static_cast<long>(i)) = all.col(features[i]);
  }

  Dataset data;
  Team team;
  RunContext context;
  Scaler scaler;
  RowReader scaled;
  Pace pace;
  SparseMatrix l;
  std::vector<std::uint32_t> features;
  std::unique_ptr<Scatter> scatter;
  Matrix x;
};

TEST(Scatter, BothFormsAreTheLiteralMatrix) {
  for (const bool narrow : {false, true}) {
    ScatterRig rig(60, 200, narrow);
    const Matrix literal = literal_l(matrix_of(rig.data), 5, 0.1);
    EXPECT_LT((Matrix(rig.l) - literal).norm(), 1e-9 * literal.norm());
    const Matrix m = rig.x.transpose() * literal * rig.x;
    Vector a = Vector::LinSpaced(m.rows(), 0.05, 40);
    rig.scatter->set_diagonal(a);
    const Matrix p = m + Matrix(a.asDiagonal());
    const Matrix v = Matrix::Random(m.rows(), 11);
    EXPECT_LT((rig.scatter->multiply_m(v) - m * v).norm(), 1e-8 * (m * v).norm());
    EXPECT_LT((rig.scatter->multiply(v) - p * v).norm(), 1e-8 * (p * v).norm());
    EXPECT_LT((rig.scatter->solve(p * v) - v).norm(), 1e-7 * v.norm());
    EXPECT_LT((rig.scatter->dense() - p).norm(), 1e-8 * p.norm());
  }
}

TEST(Scatter, FreedomIsWhatTheRangeOfMLeaves) {
  ScatterRig rig(40, 150, true);
  const Matrix m = rig.x.transpose() * Matrix(rig.l) * rig.x;
  const SlowEigen eigen = slow_eigen(m);
  const double most = eigen.values.maxCoeff();
  Vector expected = Vector::Zero(m.rows());
  for (long i = 0; i < m.rows(); ++i)
    if (eigen.values(i) < 1e-9 * most) expected += eigen.vectors.col(i).cwiseAbs2();
  EXPECT_LT((rig.scatter->freedom() - expected).cwiseAbs().maxCoeff(), 1e-3);
  // The data are three groups without a neighbour in common: each has its own mean.
  EXPECT_NEAR(rig.scatter->freedom().sum(), 149 - (40 - 3), 0.1);
}

}  // namespace
}  // namespace quickselection
