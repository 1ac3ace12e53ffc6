// tests/selectors/cover/honest_r2_test.cpp
#include "selectors/cover/honest_r2.h"

#include <gtest/gtest.h>

#include "kernels/gemm.h"
#include "selectors/cover/cover_reference.h"
#include "support/sample_data.h"

namespace quickselection {
namespace {

struct Found {
  HonestR2 honest;
  ColumnMatrix basis;
};

Found find(const Dataset& data, const Scaler& scaler, RidgeRule rule, int threads,
           std::size_t kept = Columns::kKept, Look look = Look::values) {
  const kernels::SerialBlas serial;
  Team team(threads);
  const RunContext context;
  const Pace pace("test", 1, context);
  Columns columns({&data, {}, &scaler}, look, team, kept);
  Found found;
  found.honest = honest_r2(columns, rule, pace, &found.basis);
  return found;
}

Scaler scaler_of(const Dataset& data, ScaleMode mode = ScaleMode::standard) {
  Team team(1);
  return fit_scaler(data, mode, 0, team);
}

TEST(HonestR2, IsThatOfRegressionsThatHaveSeenNeitherRowNorFeature) {
  for (const auto& [rows, features] : {std::pair{20u, 8u}, {12u, 30u}, {9u, 9u}, {3u, 2u}}) {
    SCOPED_TRACE(rows);
    const Dataset data = factor_data(rows, features);
    const Scaler scaler = scaler_of(data);
    const literal::Matrix z = literal::scaled(data, scaler);
    for (const RidgeRule rule : {RidgeRule::least_error, RidgeRule::most_predicted}) {
      const HonestR2 honest = find(data, scaler, rule, 1).honest;
      const literal::Vector expected = literal::honest_r2(z, honest.ridge);
      for (std::size_t f = 0; f < features; ++f)
        EXPECT_NEAR(honest.r2[f], expected(static_cast<long>(f)), 2e-3) << f;
    }
  }
}

TEST(HonestR2, TheRidgeHasTheLeastError) {
  const Dataset data = factor_data(25, 10);
  const Scaler scaler = scaler_of(data);
  const literal::Matrix z = literal::scaled(data, scaler);
  const HonestR2 honest = find(data, scaler, RidgeRule::least_error, 1).honest;
  const double best = literal::honest_r2(z, honest.ridge).sum();
  for (const double factor : {1.0 / 3, 3.0})
    EXPECT_GE(best + 1e-6, literal::honest_r2(z, honest.ridge * factor).sum());
}

TEST(HonestR2, NoiseIsNotPredicted) {
  kernels::RandomStream random(4, kernels::Purpose::evaluation);
  std::vector<float> values;
  for (int i = 0; i < 200 * 50; ++i) values.push_back(static_cast<float>(random.normal()));
  const Dataset data = Dataset::from_vector(values, 200, 50);
  for (const double r2 : find(data, scaler_of(data), RidgeRule::least_error, 1).honest.r2)
    EXPECT_LT(r2, 0.03);
}

TEST(HonestR2, TheBasisHasTheProductsOfTheData) {
  const Dataset data = factor_data(40, 7);
  const Scaler scaler = scaler_of(data);
  const literal::Matrix z = literal::scaled(data, scaler);
  const ColumnMatrix basis = find(data, scaler, RidgeRule::least_error, 1).basis;
  ASSERT_EQ(basis.columns, 7u);
  for (std::size_t a = 0; a < 7; ++a)
    for (std::size_t b = 0; b < 7; ++b) {
      double sum = 0;
      for (std::size_t k = 0; k < basis.rows; ++k) sum += double{basis.at(k, a)} * basis.at(k, b);
      EXPECT_NEAR(sum, z.col(static_cast<long>(a)).dot(z.col(static_cast<long>(b))), 1e-3);
    }
}

TEST(HonestR2, SameBitsForAnyThreadsAndWhenNothingIsKept) {
  for (const auto& [rows, features] : {std::pair{300u, 40u}, {60u, 700u}}) {
    const Dataset data = factor_data(rows, features);
    const Scaler scaler = scaler_of(data);
    const HonestR2 one = find(data, scaler, RidgeRule::least_error, 1).honest;
    for (const int threads : {2, 3, 7})
      EXPECT_EQ(find(data, scaler, RidgeRule::least_error, threads).honest.r2, one.r2);
    EXPECT_EQ(find(data, scaler, RidgeRule::least_error, 2, 0).honest.r2, one.r2);
  }
}

TEST(HonestR2, ConstantFeaturesAndTwoRows) {
  const Dataset data = Dataset::from_vector(std::vector<float>{1, 5, 2, 1, 6, 4, 1, 9, 6}, 3, 3);
  const HonestR2 honest = find(data, scaler_of(data), RidgeRule::least_error, 1).honest;
  EXPECT_EQ(honest.r2[0], 0);
  const Dataset two = Dataset::from_vector(std::vector<float>{1, 5, 2, 6}, 2, 2);
  for (const double r2 : find(two, scaler_of(two), RidgeRule::least_error, 1).honest.r2)
    EXPECT_TRUE(std::isfinite(r2));
}

TEST(HonestR2, MagnitudesOfARingPredictEachOther) {
  kernels::RandomStream random(4, kernels::Purpose::evaluation);
  std::vector<float> values;
  for (int i = 0; i < 400; ++i) {
    const double angle = 6.283185307 * random.uniform();
    values.push_back(static_cast<float>(std::cos(angle)));
    values.push_back(static_cast<float>(std::sin(angle)));
    for (int f = 0; f < 5; ++f) values.push_back(static_cast<float>(random.normal()));
  }
  const Dataset data = Dataset::from_vector(values, 400, 7);
  const Scaler scaler = scaler_of(data);
  const auto plain = find(data, scaler, RidgeRule::most_predicted, 1).honest.r2;
  const auto bent =
      find(data, scaler, RidgeRule::most_predicted, 1, Columns::kKept, Look::magnitudes).honest.r2;
  for (const std::size_t f : {0u, 1u}) {
    EXPECT_LT(plain[f], 0.1);
    EXPECT_GT(bent[f], 0.7);
  }
  for (std::size_t f = 2; f < 7; ++f) EXPECT_LT(bent[f], 0.1);
}

}  // namespace
}  // namespace quickselection
