// tests/selectors/methods/cover_test.cpp
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "quickselection/error.h"
#include "selectors/cover/cover_reference.h"
#include "support/sample_data.h"
#include "support/selecting.h"

namespace quickselection {
namespace {

double measure(const Selection& selection, const std::string& name) {
  for (const Setting& m : selection.measures)
    if (m.name == name) return std::get<double>(m.value);
  ADD_FAILURE() << name;
  return 0;
}

Dataset normal_data(std::size_t rows, std::size_t features) {
  kernels::RandomStream random(8, kernels::Purpose::evaluation);
  std::vector<float> values(rows * features);
  for (float& x : values) x = static_cast<float>(random.normal());
  return Dataset::from_vector(std::move(values), rows, features);
}

TEST(Cover, IsThatOfTheFormulas) {
  for (const auto& [rows, features] : {std::pair{25u, 12u}, {14u, 40u}}) {
    const Dataset data = factor_data(rows, features);
    const Selection selection = select_with(data, "cover", {}, 6);
    Team team(1);
    const Scaler scaler = fit_scaler(data, ScaleMode::automatic, 0, team);
    const literal::Matrix z = literal::scaled(data, scaler);
    const literal::Vector shared =
        literal::honest_r2(z, measure(selection, "ridge")).cwiseMax(0.0).cwiseMin(1.0);
    const double noise =
        ((1 - shared.array()) * z.colwise().squaredNorm().transpose().array()).mean();
    EXPECT_NEAR(measure(selection, "noise"), noise / rows, 1e-3);
    ASSERT_EQ(measure(selection, "curved features"), 0);
    const auto expected = literal::cover(z, shared, noise, 6);
    EXPECT_EQ(std::vector(selection.ranking.begin(), selection.ranking.begin() + 6), expected);
    expect_complete(selection, features);
  }
}

TEST(Cover, FindsSignalAmongNoise) {
  const Selection selection = select_with(signal_data(200, 100, 40, 8), "cover", {}, 8);
  EXPECT_EQ(found(selection, 8, 40, 8), 8u);
}

TEST(Cover, FindsSignalWithFarMoreFeaturesThanRows) {
  EXPECT_GE(found(select_with(signal_data(50, 5000, 700, 100), "cover", {}, 100), 100, 700, 100),
            95u);
}

TEST(Cover, FindsRingsAndProductsAmongNoise) {
  // The first 7 of 407 features: two rings, and two numbers with their product.
  kernels::RandomStream random(4, kernels::Purpose::evaluation);
  std::vector<float> values;
  for (int r = 0; r < 1000; ++r) {
    for (int ring = 0; ring < 2; ++ring) {
      const double angle = 6.283185307 * random.uniform();
      values.push_back(static_cast<float>(1.41 * std::cos(angle)));
      values.push_back(static_cast<float>(1.41 * std::sin(angle)));
    }
    const double a = random.normal(), b = random.normal();
    for (const double x : {a, b, a * b}) values.push_back(static_cast<float>(x));
    for (int f = 0; f < 400; ++f) values.push_back(static_cast<float>(random.normal()));
  }
  const Selection selection =
      select_with(Dataset::from_vector(std::move(values), 1000, 407), "cover", {}, 7);
  EXPECT_EQ(found(selection, 7, 0, 7), 7u);
  EXPECT_EQ(measure(selection, "curved features"), 7);
}

TEST(Cover, SameBitsForAnyThreads) {
  for (const Dataset& data : {factor_data(300, 50), factor_data(40, 600), normal_data(60, 30)}) {
    const Selection one = select_with(data, "cover", {}, 20);
    for (const int threads : {2, 3, 7})
      expect_same_result(select_with(data, "cover", {}, 20, threads), one);
  }
}

TEST(Cover, SparseDataGivesTheSame) {
  const Dataset dense = count_data<float>(80, 60);
  const Selection a = select_with(dense, "cover", {}, 20);
  expect_same_result(select_with(to_sparse<float>(dense), "cover", {}, 20), a);
}

/// The same with the columns in the opposite order.
Dataset turned(const Dataset& data) {
  std::vector<float> values;
  for (std::size_t r = 0; r < data.rows(); ++r)
    for (std::size_t f = data.features(); f-- > 0;)
      values.push_back(static_cast<float>(data.at(r, f)));
  return Dataset::from_vector(std::move(values), data.rows(), data.features());
}

void expect_turned_order(const Dataset& data, std::size_t k) {
  const auto best = [&](const Dataset& set) {
    auto ranking = select_with(set, "cover", {}, k).ranking;
    ranking.resize(k);
    return ranking;
  };
  auto expected = best(data);
  for (auto& f : expected) f = static_cast<std::uint32_t>(data.features()) - 1 - f;
  EXPECT_EQ(best(turned(data)), expected);
}

TEST(Cover, PermutedColumnsGiveThePermutedRanking) {
  // Gains fall to a thousandth, so that their rounding is seen; features of many units are all
  // brought to one variance, and no order by it is left.
  expect_turned_order(factor_data(100, 30), 20);
  expect_turned_order(factor_data(40, 1500), 20);
  const Dataset data = factor_data(40, 1500);
  const float units[] = {1, 100, 0.01f};
  std::vector<float> values;
  for (std::size_t r = 0; r < data.rows(); ++r)
    for (std::size_t f = 0; f < data.features(); ++f)
      values.push_back(static_cast<float>(data.at(r, f)) * units[f % 3]);
  expect_turned_order(Dataset::from_vector(std::move(values), data.rows(), data.features()), 20);
}

TEST(Cover, PlacesOfFeaturesOfOneVarianceDoNotMatter) {
  // Zeros and ones have few different variances, and two ridges fit nearly equally well.
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    kernels::RandomStream random(seed, kernels::Purpose::evaluation);
    std::vector<double> loading(4 * 1000);
    for (double& x : loading) x = random.normal();
    std::vector<float> values;
    for (int r = 0; r < 30; ++r) {
      double factor[4];
      for (double& x : factor) x = random.normal();
      for (int f = 0; f < 1000; ++f) {
        double x = 3 * random.normal();
        for (int s = 0; s < 4; ++s) x += factor[s] * loading[4 * f + s];
        values.push_back(x > 0.5 ? 1.f : 0.f);
      }
    }
    const Dataset data = Dataset::from_vector(std::move(values), 30, 1000);
    EXPECT_EQ(measure(select_with(turned(data), "cover", {}, 5), "ridge"),
              measure(select_with(data, "cover", {}, 5), "ridge"));
  }
}

TEST(Cover, TheOrderServesEveryK) {
  const Dataset data = factor_data(40, 200);
  const auto long_one = select_with(data, "cover", {}, 60).ranking;
  const auto short_one = select_with(data, "cover", {}, 10).ranking;
  EXPECT_TRUE(std::equal(short_one.begin(), short_one.begin() + 10, long_one.begin()));
}

TEST(Cover, ACopyIsNotChosenTwice) {
  // Two factors, each seen by exact copies: the second choice is of the other factor.
  kernels::RandomStream random(4, kernels::Purpose::evaluation);
  std::vector<float> values;
  for (int r = 0; r < 100; ++r) {
    const double a = random.normal(), b = random.normal();
    for (int f = 0; f < 10; ++f) values.push_back(static_cast<float>(f < 6 ? a : b));
  }
  const auto ranking =
      select_with(Dataset::from_vector(std::move(values), 100, 10), "cover", {}, 2).ranking;
  EXPECT_LT(ranking[0], 6u);
  EXPECT_GE(ranking[1], 6u);
}

TEST(Cover, ConstantFeaturesAreLast) {
  std::vector<float> values;
  const Dataset base = factor_data(30, 5);
  for (std::size_t r = 0; r < 30; ++r)
    for (std::size_t f = 0; f < 5; ++f)
      values.push_back(f == 1 ? 0.1f : static_cast<float>(base.at(r, f)));
  const Selection selection = select_with(Dataset::from_vector(values, 30, 5), "cover", {}, 5);
  EXPECT_EQ(selection.ranking.back(), 1u);
}

/// Each column times its own factor.
Dataset in_units(const Dataset& data, const std::vector<double>& factors) {
  std::vector<float> values;
  for (std::size_t r = 0; r < data.rows(); ++r)
    for (std::size_t f = 0; f < data.features(); ++f)
      values.push_back(static_cast<float>(data.at(r, f) * factors[f % factors.size()]));
  return Dataset::from_vector(std::move(values), data.rows(), data.features());
}

std::vector<std::uint32_t> first_ten(const Dataset& data) {
  auto ranking = select_with(data, "cover", {}, 10).ranking;
  ranking.resize(10);
  return ranking;
}

TEST(Cover, AnotherUnitForAllFeaturesChangesNothing) {
  for (const Dataset& data : {factor_data(60, 40), count_data<float>(80, 60)})
    EXPECT_EQ(first_ten(in_units(data, {1024})), first_ten(data));
}

TEST(Cover, FeaturesOfVeryDifferentUnitsAreStandardised) {
  const Dataset data = factor_data(60, 40);
  const Dataset mixed = in_units(data, {1.0 / 4096, 1, 4096});
  EXPECT_EQ(first_ten(mixed), first_ten(in_units(data, {4096, 1.0 / 4096, 1})));
  EXPECT_NE(first_ten(mixed), first_ten(data));
}

TEST(Cover, RowsAndColumnsThatOccurTwice) {
  const Dataset data = factor_data(20, 30);
  std::vector<float> twice;
  for (std::size_t r = 0; r < 40; ++r)
    for (std::size_t f = 0; f < 60; ++f)
      twice.push_back(static_cast<float>(data.at(r % 20, f % 30)));
  const Selection selection = select_with(Dataset::from_vector(twice, 40, 60), "cover", {}, 60);
  expect_complete(selection, 60);
  EXPECT_NE(selection.ranking[0] % 30, selection.ranking[1] % 30);
}

TEST(Cover, SmallShapes) {
  expect_complete(select_with(factor_data(2, 6), "cover", {}, 3), 6);
  expect_complete(select_with(factor_data(30, 1), "cover", {}, 1), 1);
  expect_complete(select_with(factor_data(1, 4), "cover", {}, 2), 4);
  expect_complete(select_with(factor_data(3, 3), "cover", {}, 3), 3);
  const Dataset constant = Dataset::from_vector(std::vector<float>(12, 3.0f), 4, 3);
  expect_complete(select_with(constant, "cover", {}, 2), 3);
  const Dataset zeros = Dataset::from_vector(std::vector<float>(12), 4, 3);
  expect_complete(select_with(zeros, "cover", {}, 2), 3);
}

TEST(Cover, NoiseAloneIsRankedByVariance) {
  std::vector<float> values;
  const Dataset noise = normal_data(2000, 3);
  for (std::size_t r = 0; r < noise.rows(); ++r)
    for (std::size_t f = 0; f < 3; ++f)
      values.push_back(static_cast<float>(noise.at(r, f) * (1 + static_cast<double>(f))));
  const Selection selection = select_with(Dataset::from_vector(values, 2000, 3), "cover", {}, 3);
  EXPECT_THAT(selection.ranking, testing::ElementsAre(2, 1, 0));
}

TEST(Cover, ManyRowsAreSampled) {
  const Selection selection = select_with(factor_data(9000, 4), "cover", {}, 2);
  EXPECT_EQ(measure(selection, "rows used"), 8000);
}

TEST(Cover, StopsWhenAsked) {
  const std::atomic<bool> stop{true};
  RunContext context;
  context.stop = &stop;
  SelectOptions options;
  options.method = "cover";
  EXPECT_THROW(select_features(factor_data(50, 40), options, context), Interrupted);
}

}  // namespace
}  // namespace quickselection
