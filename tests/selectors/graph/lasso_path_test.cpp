// tests/selectors/graph/lasso_path_test.cpp
#include "selectors/graph/lasso_path.h"

#include <gtest/gtest.h>

#include "selectors/graph/graph_reference.h"
#include "selectors/graph/lasso_reference.h"

namespace quickselection {
namespace {

std::vector<double> list(const Vector& v) { return {v.begin(), v.end()}; }

GramColumns gram_of(const Matrix& x) {
  const Matrix gram = x.transpose() * x;
  GramColumns columns;
  for (long j = 0; j < gram.cols(); ++j) columns.push_back(list(gram.col(j)));
  return columns;
}

LassoPath follow(const Matrix& x, const Vector& y, std::size_t most) {
  const GramColumns gram = gram_of(x);
  LassoPath path(list(x.transpose() * y), most);
  while (!path.finished()) path.advance(gram);
  return path;
}

struct Problem {
  Matrix x;
  Vector y;
  Problem(long rows, long features, std::uint64_t seed, double shared = 1)
      : x(rows, features), y(rows) {
    kernels::RandomStream random(seed, kernels::Purpose::evaluation);
    for (long r = 0; r < rows; ++r) {
      const double common = shared * random.normal();  // correlated features: some leave again
      for (long f = 0; f < features; ++f) x(r, f) = random.normal() + common;
      y(r) = random.normal() + x(r, 0) - 0.5 * x(r, features - 1);
    }
  }
};

std::size_t nonzero(const std::vector<double>& coefficients) {
  return static_cast<std::size_t>(
      std::count_if(coefficients.begin(), coefficients.end(), [](double a) { return a != 0; }));
}

void expect_optimal(const Problem& p, const LassoPath& path) {
  const auto found = path.coefficients();
  const Vector a = Eigen::Map<const Vector>(found.data(), static_cast<long>(found.size()));
  const Vector correlations = p.x.transpose() * (p.y - p.x * a);
  const double scale = (p.x.transpose() * p.y).cwiseAbs().maxCoeff();
  for (long j = 0; j < a.size(); ++j) {
    EXPECT_NEAR(correlations(j), path.correlations()[static_cast<std::size_t>(j)], 1e-9 * scale);
    EXPECT_LE(std::abs(correlations(j)), path.penalty() + 1e-9 * scale);
    if (a(j) != 0) {
      EXPECT_NEAR(correlations(j), a(j) > 0 ? path.penalty() : -path.penalty(), 1e-9 * scale);
    }
  }
}

TEST(LassoPath, EndsAtTheOptimumWithAsManyCoefficientsAsAsked) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed)
    for (const std::size_t most : {1u, 4u, 9u}) {
      const Problem p(40, 15, seed, seed % 3 == 0 ? 3 : 0.5);
      const LassoPath path = follow(p.x, p.y, most);
      EXPECT_EQ(nonzero(path.coefficients()), most);
      expect_optimal(p, path);
    }
}

TEST(LassoPath, AgreesWithCoordinateDescent) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Problem p(30, 8, seed);
    const LassoPath path = follow(p.x, p.y, 4);
    const Vector expected = coordinate_descent(p.x, p.y, path.penalty(), Vector::Zero(8));
    const auto found = path.coefficients();
    for (long j = 0; j < 8; ++j) EXPECT_NEAR(found[static_cast<std::size_t>(j)], expected(j), 1e-8);
  }
}

TEST(LassoPath, LosesFeaturesAgainWhereTheLassoDoes) {
  // More entries than coefficients at the end: some left on the way. Of many problems some do.
  std::size_t losses = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Problem p(20, 12, seed, 4);
    const GramColumns gram = gram_of(p.x);
    LassoPath path(list(p.x.transpose() * p.y), 10);
    std::size_t entries = 0;
    while (!path.finished()) {
      path.advance(gram);
      ++entries;
    }
    losses += entries > nonzero(path.coefficients());
    expect_optimal(p, path);
  }
  EXPECT_GT(losses, 0u);
}

TEST(LassoPath, EndsWithLeastSquaresWhenAllMayEnter) {
  const Problem p(25, 5, 3);
  const LassoPath path = follow(p.x, p.y, 100);
  const Vector expected = (p.x.transpose() * p.x).ldlt().solve(p.x.transpose() * p.y);
  const auto found = path.coefficients();
  for (long j = 0; j < 5; ++j) EXPECT_NEAR(found[static_cast<std::size_t>(j)], expected(j), 1e-9);
  EXPECT_EQ(path.penalty(), 0);
}

TEST(LassoPath, OfEqualColumnsTheFirstEnters) {
  Problem p(25, 6, 4);
  p.x.col(3) = p.x.col(0);
  const LassoPath path = follow(p.x, p.y, 5);
  EXPECT_NE(path.coefficients()[0], 0);
  EXPECT_EQ(path.coefficients()[3], 0);
  expect_optimal(p, path);
}

TEST(LassoPath, MoreFeaturesThanRows) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Problem p(6, 30, seed);
    const LassoPath path = follow(p.x, p.y, 20);
    EXPECT_LE(nonzero(path.coefficients()), 6u);
    expect_optimal(p, path);
  }
}

TEST(LassoPath, NothingToExplain) {
  const LassoPath path = follow(Matrix::Random(9, 3), Vector::Zero(9), 2);
  EXPECT_TRUE(path.finished());
  EXPECT_EQ(nonzero(path.coefficients()), 0u);
}

}  // namespace
}  // namespace quickselection
