// tests/extraction/pca_test.cpp
#include "extraction/pca.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>

#include "quickselection/error.h"
#include "support/reference.h"
#include "support/sample_data.h"
#include "support/slow_eigen.h"

namespace quickselection {
namespace {

struct Rig {
  explicit Rig(Dataset dataset, ScaleMode mode = ScaleMode::standard, int threads = 1)
      : data(std::move(dataset)), team(threads), scaler(fit_scaler(data, mode, 0, team)) {}
  Pca fit(std::size_t components, std::size_t exact = kMostExactFeatures) {
    return fit_pca(data, scaler, components, 1, team, {}, exact);
  }
  Dataset data;
  Team team;
  Scaler scaler;
};

/// Components and variances by a decomposition of the covariance in double precision.
struct Slow {
  Eigen::MatrixXd components;  // (D, I)
  Eigen::VectorXd variance, mean;
};
Slow slow_pca(const Rig& rig) {
  const auto values = reference::scaled(rig.data, rig.scaler);
  const auto rows = static_cast<Eigen::Index>(values.size());
  const auto features = static_cast<Eigen::Index>(values[0].size());
  Eigen::MatrixXd x(rows, features);
  for (Eigen::Index r = 0; r < rows; ++r)
    for (Eigen::Index f = 0; f < features; ++f)
      x(r, f) = values[static_cast<std::size_t>(r)][static_cast<std::size_t>(f)];
  Slow slow;
  slow.mean = x.colwise().mean();
  x.rowwise() -= slow.mean.transpose();
  const SlowEigen eigen = slow_eigen(x.transpose() * x / static_cast<double>(rows));
  slow.components = eigen.vectors.rowwise().reverse().transpose();
  slow.variance = eigen.values.reverse();
  return slow;
}

/// Falling variances that are well apart, and means that must be removed.
Dataset graded_data(std::size_t rows, std::size_t features) {
  kernels::RandomStream random(4, kernels::Purpose::evaluation);
  std::vector<double> mixing(features * 8);
  for (double& m : mixing) m = random.normal();
  std::vector<float> values;
  for (std::size_t r = 0; r < rows; ++r) {
    double source[8];
    for (int s = 0; s < 8; ++s) source[s] = random.normal() * std::pow(0.7, s);
    for (std::size_t f = 0; f < features; ++f) {
      double sum = 5 + 0.05 * random.normal();
      for (std::size_t s = 0; s < 8; ++s) sum += mixing[f * 8 + s] * source[s];
      values.push_back(static_cast<float>(sum));
    }
  }
  return Dataset::from_vector(std::move(values), rows, features);
}

void expect_equal(const Pca& pca, const Slow& slow, std::size_t features) {
  for (std::size_t c = 0; c < pca.variance.size(); ++c) {
    const auto row = static_cast<Eigen::Index>(c);
    EXPECT_NEAR(pca.variance[c], slow.variance[row], 1e-4 * slow.variance[0]) << c;
    double product = 0, offset = 0;
    for (std::size_t f = 0; f < features; ++f) {
      const double w = pca.layer.weights[c * features + f];
      product += w * slow.components(row, static_cast<Eigen::Index>(f));
      offset -= w * slow.mean[static_cast<Eigen::Index>(f)];
    }
    EXPECT_NEAR(std::fabs(product), 1, 1e-3) << "component " << c;
    EXPECT_NEAR(pca.layer.bias[c], offset, 1e-3 * (1 + std::fabs(offset)));
  }
}

TEST(FitPca, EqualsADecompositionOfTheDataBothWays) {
  for (const ScaleMode mode : {ScaleMode::standard, ScaleMode::minmax, ScaleMode::none}) {
    Rig rig(graded_data(300, 40), mode, 2);
    const Slow slow = slow_pca(rig);
    expect_equal(rig.fit(6), slow, 40);
    expect_equal(rig.fit(6, 10), slow, 40);  // by subspace iteration
  }
}

TEST(FitPca, KeepsAllVarianceInAllComponents) {
  Rig rig(graded_data(100, 12));
  const Pca pca = rig.fit(12);
  double sum = 0;
  for (const double variance : pca.variance) sum += variance;
  EXPECT_NEAR(sum, pca.total_variance, 1e-4 * sum);
  EXPECT_NEAR(sum, 12, 1e-3);  // standardised features
}

TEST(FitPca, GivesTheSameBitsWithAnyNumberOfThreads) {
  for (const std::size_t exact : {std::size_t{1000}, std::size_t{0}}) {
    Rig one(graded_data(300, 70), ScaleMode::standard, 1);
    Rig two(graded_data(300, 70), ScaleMode::standard, 2);
    Rig three(graded_data(300, 70), ScaleMode::standard, 3);
    const Pca a = one.fit(5, exact), b = two.fit(5, exact), c = three.fit(5, exact);
    EXPECT_EQ(a.variance, b.variance);
    EXPECT_EQ(a.variance, c.variance);
    EXPECT_EQ(std::memcmp(a.layer.weights.data(), b.layer.weights.data(), a.layer.weights.bytes()),
              0);
  }
}

TEST(FitPca, WorksOnTheSmallestAndOnConstantData) {
  const auto constant = Dataset::from_vector(std::vector<float>(30, 3.0f), 10, 3);
  for (const Dataset& data : {factor_data(1, 5), factor_data(20, 1), constant}) {
    Rig rig(data);
    for (const std::size_t exact : {std::size_t{100}, std::size_t{0}}) {
      const Pca pca = rig.fit(1, exact);
      for (const float w : pca.layer.weights) EXPECT_TRUE(std::isfinite(w));
    }
  }
}

TEST(FitPca, StopsWhenAsked) {
  Rig rig(factor_data(100, 20));
  const std::atomic<bool> stop{true};
  RunContext context;
  context.stop = &stop;
  EXPECT_THROW(fit_pca(rig.data, rig.scaler, 2, 1, rig.team, context), Interrupted);
}

}  // namespace
}  // namespace quickselection
