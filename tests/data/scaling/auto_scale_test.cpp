// tests/data/scaling/auto_scale_test.cpp
#include "data/scaling/auto_scale.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "data/scaling/row_reader.h"
#include "data/scaling/scaler.h"
#include "kernels/random/random.h"
#include "support/sample_data.h"

namespace quickselection {
namespace {

using testing::HasSubstr;

Scaler fit(const Dataset& data) {
  Team team(2);
  return fit_scaler(data, ScaleMode::automatic, 0, team);
}

/// Normal numbers, or exp of them, feature f multiplied by factor(f).
template <class Factor>
Dataset numbers(bool positive, Factor factor) {
  kernels::RandomStream random(8, kernels::Purpose::evaluation);
  std::vector<float> values;
  for (int r = 0; r < 60; ++r)
    for (int f = 0; f < 20; ++f) {
      const double x = random.normal();
      values.push_back(static_cast<float>((positive ? std::exp(x) : x) * factor(f)));
    }
  return Dataset::from_vector(std::move(values), 60, 20);
}

TEST(AutoScale, SignedValuesOfOneUnitAreCentred) {
  const Dataset data = numbers(false, [](int f) { return 1 + 0.1 * f; });
  const Scaler scaler = fit(data);
  EXPECT_FALSE(scaler.takes_log());
  for (std::size_t f = 1; f < 20; ++f) EXPECT_FLOAT_EQ(scaler.scale[f], scaler.scale[0]);
  EXPECT_THAT(scaler.reason, HasSubstr("alike"));
  EXPECT_NEAR(scaler.baseline_loss, 1, 1e-5);
}

TEST(AutoScale, SignedValuesOfManyUnitsAreStandardised) {
  const Scaler scaler = fit(numbers(false, [](int f) { return std::pow(10.0, f % 7 - 3); }));
  EXPECT_FALSE(scaler.takes_log());
  for (std::size_t f = 0; f < 20; ++f)
    EXPECT_NEAR(scaler.scale[f] * std::sqrt(scaler.variance[f]), 1, 1e-4);
  EXPECT_THAT(scaler.reason, HasSubstr("standardised"));
}

TEST(AutoScale, ValuesThatAreNeverNegativeGetLogarithms) {
  const Dataset data = numbers(true, [](int) { return 40.0; });
  const Scaler scaler = fit(data);
  ASSERT_TRUE(scaler.takes_log());
  std::vector<double> all;
  for (std::size_t r = 0; r < 60; ++r)
    for (std::size_t f = 0; f < 20; ++f) all.push_back(data.at(r, f));
  std::sort(all.begin(), all.end());
  for (const double unit : scaler.unit) EXPECT_NEAR(unit, all[all.size() / 2], 0.005 * unit);
  EXPECT_THAT(scaler.reason, HasSubstr("one unit"));
}

TEST(AutoScale, ManyUnitsOfPositiveValuesBecomeOne) {
  const Dataset data = numbers(true, [](int f) { return std::pow(10.0, f % 7 - 3); });
  const Dataset same = numbers(true, [](int) { return 1.0; });
  const Scaler scaler = fit(data);
  ASSERT_TRUE(scaler.takes_log());
  EXPECT_THAT(scaler.reason, HasSubstr("a unit for each feature"));
  // Whatever the units were, the same numbers come out.
  std::vector<double> once;
  for (std::size_t f = 0; f < 20; ++f) once.push_back(std::log1p(data.at(3, f) / scaler.unit[f]));
  for (std::size_t f = 0; f < 20; ++f) {
    std::vector<double> column;
    for (std::size_t r = 0; r < 60; ++r) column.push_back(same.at(r, f));
    std::sort(column.begin(), column.end());
    EXPECT_NEAR(once[f], std::log1p(same.at(3, f) / ((column[29] + column[30]) / 2)), 1e-5);
  }
}

TEST(AutoScale, AFewOddRangesAreBroughtNear) {
  const Scaler scaler = fit(numbers(false, [](int f) { return f == 3 ? 1e4 : 1.0; }));
  EXPECT_LT(scaler.scale[3], 1e-2 * scaler.scale[0]);
  EXPECT_GT(scaler.scale[3] * std::sqrt(scaler.variance[3]),
            2 * scaler.scale[0] * std::sqrt(scaler.variance[0]));
}

TEST(AutoScale, SparseDataAndThreadsGiveTheSameBits) {
  const Dataset dense = count_data<float>(53, 31);
  const Scaler a = fit(dense), b = fit(to_sparse<float>(dense));
  EXPECT_EQ(a.unit, b.unit);
  EXPECT_EQ(a.scale, b.scale);
  EXPECT_EQ(a.mean, b.mean);
  Team team(7);
  const Scaler c = fit_scaler(dense, ScaleMode::automatic, 0, team);
  EXPECT_EQ(a.scale, c.scale);
}

TEST(AutoScale, ZerosAndConstants) {
  EXPECT_FALSE(fit(Dataset::from_vector(std::vector<float>(6), 3, 2)).takes_log());
  const Scaler scaler = fit(Dataset::from_vector(std::vector<float>{1, 7, 1, 8, 1, 9}, 3, 2));
  EXPECT_EQ(scaler.scale[0], 0);
  EXPECT_GT(scaler.scale[1], 0);
}

}  // namespace
}  // namespace quickselection
