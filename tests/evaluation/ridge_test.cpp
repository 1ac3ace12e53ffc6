// tests/evaluation/ridge_test.cpp
#include "evaluation/ridge.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "core/iota.h"
#include "kernels/random/random.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

/// Features that share a few hidden causes, with noise and different means and sizes.
Dataset correlated(std::size_t rows, std::size_t features, double noise, std::uint64_t seed) {
  kernels::RandomStream random(seed, kernels::Purpose::evaluation);
  std::vector<float> values;
  for (std::size_t r = 0; r < rows; ++r) {
    double cause[4];
    for (double& c : cause) c = random.normal();
    for (std::size_t f = 0; f < features; ++f)
      values.push_back(static_cast<float>(static_cast<double>(f % 13) + cause[f % 4] * (1 + f % 3) +
                                          cause[(f / 4) % 4] + noise * random.normal()));
  }
  return Dataset::from_vector(values, rows, features);
}

Eigen::MatrixXd matrix_of(const Dataset& data, const std::vector<std::uint32_t>& rows) {
  Eigen::MatrixXd m(rows.size(), data.features());
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t f = 0; f < data.features(); ++f)
      m(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(f)) = data.at(rows[r], f);
  return m;
}

struct Halves {
  std::vector<std::uint32_t> train, test;
  explicit Halves(std::size_t rows) {
    for (std::uint32_t r = 0; r < rows; ++r) (r % 3 == 0 ? test : train).push_back(r);
  }
};

struct Slow {
  double r2 = 0, leave_one_out = 0;
};

/// The regression in double precision with the given penalty, and its exact generalised
/// cross-validation score from the whole hat matrix.
Slow slow_ridge(const Dataset& data, const Halves& rows, const std::vector<std::uint32_t>& columns,
                double penalty) {
  Eigen::MatrixXd train = matrix_of(data, rows.train), test = matrix_of(data, rows.test);
  const Eigen::RowVectorXd mean = train.colwise().mean();
  train.rowwise() -= mean;
  test.rowwise() -= mean;
  Eigen::MatrixXd a(train.rows(), columns.size()), b(test.rows(), columns.size());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    a.col(static_cast<Eigen::Index>(j)) = train.col(columns[j]);
    b.col(static_cast<Eigen::Index>(j)) = test.col(columns[j]);
  }
  const Eigen::MatrixXd gram =
      a.transpose() * a + penalty * Eigen::MatrixXd::Identity(a.cols(), a.cols());
  const Eigen::MatrixXd inverse = gram.inverse();
  const Eigen::MatrixXd weights = inverse * a.transpose() * train;
  const Eigen::RowVectorXd test_mean = test.colwise().mean();
  Slow slow;
  slow.r2 = 1 - (test - b * weights).squaredNorm() / (test.rowwise() - test_mean).squaredNorm();
  const double left = static_cast<double>(train.rows()) - 1 - (a * inverse * a.transpose()).trace();
  slow.leave_one_out = (train - a * weights).squaredNorm() / (left * left);
  return slow;
}

TEST(Ridge, AgreesWithADirectSolution) {
  // More features than a tile and a group, rows that do not fill the last block.
  const Dataset data = correlated(700, 530, 0.5, 1);
  const Halves rows(700);
  const std::vector<std::uint32_t> columns{529, 3, 200, 17, 40, 41, 42};
  const std::vector<std::size_t> ks{2, 7, 1};
  Team team(2);
  Ridge ridge({&data, rows.train}, {&data, rows.test}, team);
  const auto scores = ridge.score(columns, ks);
  ASSERT_EQ(scores.size(), 3u);
  for (std::size_t i = 0; i < ks.size(); ++i) {
    const std::vector<std::uint32_t> first(columns.begin(),
                                           columns.begin() + static_cast<std::ptrdiff_t>(ks[i]));
    EXPECT_EQ(scores[i].k, ks[i]);
    EXPECT_NEAR(scores[i].r2, slow_ridge(data, rows, first, scores[i].penalty).r2, 1e-4);
  }
}

TEST(Ridge, ChoosesThePenaltyByCrossValidation) {
  // Nearly as many columns as rows: without a penalty the fit would be worthless.
  const Dataset data = correlated(60, 40, 2.0, 2);
  const Halves rows(60);
  std::vector<std::uint32_t> columns = iota(35);
  const std::vector<std::size_t> ks{35};
  Team team(1);
  Ridge ridge({&data, rows.train}, {&data, rows.test}, team);
  const RidgeScore score = ridge.score(columns, ks)[0];
  const double chosen = slow_ridge(data, rows, columns, score.penalty).leave_one_out;
  for (const double factor : {0.01, 0.1, 10.0, 100.0})
    EXPECT_LE(chosen,
              slow_ridge(data, rows, columns, score.penalty * factor).leave_one_out * 1.001);
}

TEST(Ridge, ExplainsEverythingThatIsLinear) {
  const Dataset data = correlated(400, 24, 0, 3);  // 4 causes
  const Halves rows(400);
  Team team(1);
  Ridge ridge({&data, rows.train}, {&data, rows.test}, team);
  const std::vector<std::uint32_t> columns{0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_GT(ridge.score(columns, std::vector<std::size_t>{8})[0].r2, 0.9999);
}

TEST(Ridge, ExplainsNothingFromNoiseOrConstants) {
  kernels::RandomStream random(4, kernels::Purpose::evaluation);
  std::vector<float> values;
  for (int r = 0; r < 600; ++r) {
    values.push_back(5);  // constant
    for (int f = 1; f < 20; ++f) values.push_back(static_cast<float>(random.normal()));
  }
  const Dataset data = Dataset::from_vector(values, 600, 20);
  const Halves rows(600);
  Team team(1);
  Ridge ridge({&data, rows.train}, {&data, rows.test}, team);
  EXPECT_NEAR(ridge.score(std::vector<std::uint32_t>{0}, std::vector<std::size_t>{1})[0].r2, 0,
              0.01);
  // One of 19 independent features explains itself.
  EXPECT_NEAR(ridge.score(std::vector<std::uint32_t>{3}, std::vector<std::size_t>{1})[0].r2,
              1 / 19.0, 0.02);
}

TEST(Ridge, TakesMoreColumnsThanRows) {
  const Dataset data = correlated(30, 50, 0.1, 5);
  const Halves rows(30);
  Team team(1);
  Ridge ridge({&data, rows.train}, {&data, rows.test}, team);
  const double r2 = ridge.score(iota(50), std::vector<std::size_t>{50})[0].r2;
  EXPECT_GT(r2, 0.9);
  EXPECT_LE(r2, 1);
}

TEST(Ridge, IsTheSameForAnyNumberOfThreads) {
  const Dataset data = correlated(300, 700, 0.5, 6);
  const Halves rows(300);
  const std::vector<std::uint32_t> columns{5, 600, 77};
  const std::vector<std::size_t> ks{3};
  Team one(1), three(3);
  const auto a = Ridge({&data, rows.train}, {&data, rows.test}, one).score(columns, ks);
  const auto b = Ridge({&data, rows.train}, {&data, rows.test}, three).score(columns, ks);
  EXPECT_EQ(a[0].r2, b[0].r2);
  EXPECT_EQ(a[0].penalty, b[0].penalty);
}

TEST(Ridge, IsNotDefinedForTestRowsThatDoNotVary) {
  const Dataset data = correlated(10, 3, 1, 7);
  Team team(1);
  const auto train = iota(9);
  const std::vector<std::uint32_t> one{9}, two{8, 9};
  EXPECT_FALSE(Ridge({&data, train}, {&data, one}, team).defined());
  EXPECT_TRUE(Ridge({&data, train}, {&data, two}, team).defined());
}

TEST(Ridge, StopsWhenAsked) {
  const Dataset data = correlated(20, 3, 1, 8);
  Team team(1);
  const auto rows = iota(20);
  Ridge ridge({&data, rows}, {&data, rows}, team);
  const std::atomic<bool> stop{true};
  EXPECT_THROW(ridge.score(iota(2), std::vector<std::size_t>{2}, &stop), Interrupted);
}

}  // namespace
}  // namespace quickselection
