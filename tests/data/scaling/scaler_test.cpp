// tests/data/scaling/scaler_test.cpp
#include "data/scaling/scaler.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "kernels/random/random.h"
#include "quickselection/error.h"
#include "support/sample_data.h"

namespace quickselection {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr ScaleMode kAllModes[] = {ScaleMode::standard, ScaleMode::minmax,    ScaleMode::center,
                                   ScaleMode::log,      ScaleMode::deviation, ScaleMode::none};
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Expected {
  std::vector<long double> mean, variance, scale;
  long double baseline = 0;
};

/// Two passes in extended precision.
Expected slow_fit(const Dataset& data, ScaleMode mode) {
  Expected result;
  const long double n = static_cast<long double>(data.rows());
  long double variance_sum = 0;
  std::vector<long double> least, most;
  for (std::size_t f = 0; f < data.features(); ++f) {
    std::vector<long double> values;
    for (std::size_t r = 0; r < data.rows(); ++r) {
      const long double x = data.at(r, f);
      values.push_back(mode == ScaleMode::log ? std::log1p(x) : x);
    }
    long double mean = 0, variance = 0;
    for (const long double x : values) mean += x / n;
    for (const long double x : values) variance += (x - mean) * (x - mean) / n;
    least.push_back(*std::min_element(values.begin(), values.end()));
    most.push_back(*std::max_element(values.begin(), values.end()));
    if (least[f] == most[f]) variance = 0;
    result.mean.push_back(mean);
    result.variance.push_back(variance);
    variance_sum += variance;
  }
  const long double global = std::sqrt(variance_sum / static_cast<long double>(data.features()));
  for (std::size_t f = 0; f < data.features(); ++f) {
    long double scale = 1;
    if (mode == ScaleMode::standard || mode == ScaleMode::deviation)
      scale = 1 / std::sqrt(result.variance[f]);
    if (mode == ScaleMode::minmax) scale = 1 / (most[f] - least[f]);
    if (mode == ScaleMode::center || mode == ScaleMode::log) scale = 1 / global;
    if (mode != ScaleMode::none && result.variance[f] == 0) scale = 0;
    if (mode == ScaleMode::minmax) result.mean[f] = least[f];
    if (mode == ScaleMode::none || mode == ScaleMode::deviation) result.mean[f] = 0;
    result.scale.push_back(scale);
    result.baseline += result.variance[f] * scale * scale;
  }
  result.baseline /= static_cast<long double>(data.features());
  return result;
}

void expect_fit(const Dataset& data, ScaleMode mode, double tolerance = 1e-11,
                std::size_t shards = 0) {
  Team team(1);
  const Scaler scaler = fit_scaler(data, mode, 3.0f, team, shards);
  const Expected expected = slow_fit(data, mode);
  EXPECT_EQ(scaler.mode, mode);
  EXPECT_EQ(scaler.clip, 3.0f);
  ASSERT_EQ(scaler.scale.size(), data.features());
  const auto near = [&](double found, long double want, double room, const char* what) {
    EXPECT_NEAR(found, static_cast<double>(want), room * (1e-30 + std::fabs(found))) << what;
  };
  for (std::size_t f = 0; f < data.features(); ++f) {
    SCOPED_TRACE(f);
    near(scaler.mean[f], expected.mean[f], tolerance, "mean");
    EXPECT_EQ(scaler.narrow_mean[f], static_cast<float>(scaler.mean[f]));
    near(scaler.variance[f], expected.variance[f], tolerance, "variance");
    near(scaler.scale[f], expected.scale[f], 1e-6, "scale");
    EXPECT_EQ(scaler.is_constant(f), expected.variance[f] == 0);
  }
  near(scaler.baseline_loss, expected.baseline, 1e-6, "baseline");
}

template <class T>
class ScalerTypes : public ::testing::Test {};
using StoredTypes =
    ::testing::Types<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, std::uint32_t,
                     std::int32_t, std::uint64_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(ScalerTypes, StoredTypes);

TYPED_TEST(ScalerTypes, EqualTheSlowReferenceInEveryMode) {
  for (const ScaleMode mode : kAllModes) {
    SCOPED_TRACE(kScaleModeNames[static_cast<std::size_t>(mode)]);
    expect_fit(whole_data<TypeParam>(101, 13), mode);
    expect_fit(whole_data<TypeParam>(2, 1), mode);
    expect_fit(whole_data<TypeParam>(1, 3), mode);  // one row: every feature is constant
  }
}

TEST(Scaler, FitsTheSameOverShards) {
  for (const ScaleMode mode : kAllModes)
    for (const std::size_t shards : {1u, 2u, 7u, 101u})
      expect_fit(whole_data<float>(101, 13), mode, 1e-11, shards);
}

TEST(Scaler, OneShardIsWhatNoShardsAreBitForBit) {
  const Dataset data = whole_data<double>(101, 13);
  Team one(1), two(2);
  for (const ScaleMode mode : {ScaleMode::standard, ScaleMode::automatic}) {
    const Scaler none = fit_scaler(data, mode, 0, one);
    const Scaler single = fit_scaler(data, mode, 0, two, 1);
    EXPECT_EQ(none.mean, single.mean);
    EXPECT_EQ(none.variance, single.variance);
    EXPECT_EQ(fit_scaler(data, mode, 0, one, 5).mean, fit_scaler(data, mode, 0, two, 5).mean);
  }
}

TEST(Scaler, FitsMoreColumnsThanItReadsAtOnce) {
  for (const ScaleMode mode : kAllModes) expect_fit(whole_data<float>(11, 777), mode);
}

TEST(Scaler, FitsNegativeValuesAndFractions) {
  for (const ScaleMode mode :
       {ScaleMode::standard, ScaleMode::minmax, ScaleMode::center, ScaleMode::none})
    expect_fit(factor_data(200, 9), mode, 1e-9);
}

TEST(Scaler, FitsASliceOfRows) {
  const Dataset slice = factor_data(100, 9).slice_rows(20, 70);
  ASSERT_EQ(slice.rows(), 50u);
  expect_fit(slice, ScaleMode::standard, 1e-9);
}

TEST(Scaler, KeepsAccuracyFarFromZero) {
  for (const double offset : {1e6, 1e9, -1e12}) {
    std::vector<double> values;
    for (int i = 0; i < 3000; ++i) values.push_back(offset + std::sin(i));
    const Dataset data = Dataset::from_vector(values, 1000, 3);
    // What is left is the rounding of the values themselves.
    for (const ScaleMode mode : {ScaleMode::standard, ScaleMode::minmax, ScaleMode::center})
      expect_fit(data, mode, 1e-9);
  }
}

TEST(Scaler, GivesAConstantFeatureTheScaleZero) {
  // A third has no exact representation: sums of it are rounded, yet the variance must be 0.
  std::vector<double> values;
  for (int r = 0; r < 1000; ++r)
    for (const double x : {1.0 / 3, 0.0, 1e300, -7.0, r % 2 == 0 ? 0.0 : -0.0, r + 0.0})
      values.push_back(x);
  const Dataset data = Dataset::from_vector(values, 1000, 6);
  Team team(1);
  for (const ScaleMode mode : {ScaleMode::standard, ScaleMode::minmax, ScaleMode::center}) {
    const Scaler scaler = fit_scaler(data, mode, 0, team);
    for (std::size_t f = 0; f < 5; ++f) {
      EXPECT_EQ(scaler.variance[f], 0);
      EXPECT_TRUE(scaler.is_constant(f));
      EXPECT_EQ(scaler.scale[f], 0);
    }
    EXPECT_GT(scaler.scale[5], 0);
    EXPECT_FALSE(scaler.is_constant(5));
  }
  const Scaler none = fit_scaler(data, ScaleMode::none, 0, team);
  EXPECT_EQ(none.scale[0], 1) << "nothing is to be changed";
  EXPECT_EQ(none.mean[0], 0);
  EXPECT_TRUE(none.is_constant(0)) << "but it still carries no information";
}

TEST(Scaler, MapsTheRangeToZeroAndOneInMinmaxMode) {
  const Dataset data = Dataset::from_vector(std::vector<int>{-5, 100, 15, 300, 5, 200}, 3, 2);
  Team team(1);
  const Scaler scaler = fit_scaler(data, ScaleMode::minmax, 0, team);
  EXPECT_THAT(scaler.mean, testing::ElementsAre(-5, 100));
  EXPECT_THAT(scaler.scale, testing::ElementsAre(0.05f, 0.005f));
}

TEST(Scaler, KeepsRatiosOfVariancesInCenterMode) {
  const Dataset data = Dataset::from_vector(std::vector<int>{-1, -7, 1, 7}, 2, 2);
  Team team(1);
  const Scaler scaler = fit_scaler(data, ScaleMode::center, 0, team);
  EXPECT_EQ(scaler.scale[0], scaler.scale[1]);
  EXPECT_FLOAT_EQ(scaler.scale[0], 0.2f);  // variances 1 and 49: their mean is 25
  EXPECT_NEAR(scaler.baseline_loss, 1, 1e-6);
}

TEST(Scaler, GivesTheSameBitsWithAnyNumberOfThreads) {
  const Dataset data = factor_data(50, 600);
  Team one(1);
  const Scaler expected = fit_scaler(data, ScaleMode::center, 0, one);
  for (const int threads : {2, 3, 5}) {
    Team team(threads);
    const Scaler scaler = fit_scaler(data, ScaleMode::center, 0, team);
    EXPECT_EQ(scaler.mean, expected.mean);
    EXPECT_EQ(scaler.variance, expected.variance);
    EXPECT_EQ(scaler.scale, expected.scale);
    EXPECT_EQ(scaler.baseline_loss, expected.baseline_loss);
  }
}

/// The error that fitting throws; every number of threads must agree on it.
Error refusal(const Dataset& data, ScaleMode mode) {
  std::vector<Error> errors;
  for (const int threads : {1, 2, 3}) {
    Team team(threads);
    try {
      fit_scaler(data, mode, 0, team);
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      errors.push_back(error);
    }
  }
  if (errors.size() != 3) return Error("");
  EXPECT_STREQ(errors[1].what(), errors[0].what());
  EXPECT_STREQ(errors[2].what(), errors[0].what());
  return errors[0];
}

Dataset with_values(std::size_t rows, std::size_t features,
                    const std::vector<std::array<double, 3>>& places) {
  std::vector<double> values(rows * features);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i % 7);
  for (const auto& [row, feature, value] : places)
    values[static_cast<std::size_t>(row) * features + static_cast<std::size_t>(feature)] = value;
  Dataset data = Dataset::from_vector(std::move(values), rows, features);
  data.source = "table.csv";
  return data;
}

TEST(Scaler, CountsMissingValuesAndNamesTheFirstByRowThenFeature) {
  // Column 5 is searched before column 300, but row 2 comes before row 4.
  const Dataset data =
      with_values(10, 400, {{4, 5, kNan}, {2, 300, kInfinity}, {2, 301, kNan}, {9, 0, -kInfinity}});
  for (const ScaleMode mode : kAllModes) {
    const Error error = refusal(data, mode);
    EXPECT_STREQ(error.what(),
                 "table.csv: 4 values are missing or not finite; the first is inf in row 2 "
                 "(counted from 0), feature 300");
    EXPECT_THAT(error.hint(), HasSubstr("‹missing›"));
  }
}

TEST(Scaler, NamesTheFeatureOfAMissingValue) {
  Dataset data = with_values(3, 2, {{0, 1, kNan}});
  data.names = {"height", "weight"};
  EXPECT_THAT(refusal(data, ScaleMode::standard).what(), HasSubstr("feature 1 ('weight')"));
}

TEST(Scaler, FindsMissingValuesInFirstAndOnlyRowsAndWholeColumns) {
  EXPECT_THAT(refusal(with_values(1, 1, {{0, 0, kNan}}), ScaleMode::standard).what(),
              HasSubstr("1 values are missing or not finite; the first is nan in row 0"));
  std::vector<std::array<double, 3>> column;
  for (double row = 0; row < 5; ++row) column.push_back({row, 1, kNan});
  EXPECT_THAT(refusal(with_values(5, 3, column), ScaleMode::center).what(),
              HasSubstr("5 values are missing"));
  const Dataset floats = Dataset::from_vector(
      std::vector<float>{1, 2, std::numeric_limits<float>::infinity(), 4}, 2, 2);
  EXPECT_THAT(refusal(floats, ScaleMode::standard).what(),
              HasSubstr("the data: 1 values are missing or not finite; the first is inf in row 1"));
}

TEST(Scaler, RefusesNegativeValuesInLogMode) {
  for (const double bad : {-0.5, -1.0, -2.0, -1e300, -1e-300}) {
    const Error error =
        refusal(with_values(10, 400, {{5, 7, -3}, {3, 350, bad}, {3, 351, kNan}}), ScaleMode::log);
    EXPECT_THAT(error.what(), HasSubstr("3 values are negative or not finite")) << bad;
    EXPECT_THAT(error.what(), HasSubstr("in row 3 (counted from 0), feature 350")) << bad;
    EXPECT_THAT(error.hint(), HasSubstr("‹scale center›"));
  }
  const Dataset integers = Dataset::from_vector(std::vector<std::int8_t>{1, 2, -1, 4}, 2, 2);
  EXPECT_THAT(refusal(integers, ScaleMode::log).what(), HasSubstr("1 values are negative"));
}

TEST(Scaler, TakesMinusZeroInLogMode) {
  Team team(1);
  EXPECT_NO_THROW(fit_scaler(with_values(4, 3, {{1, 1, -0.0}}), ScaleMode::log, 0, team));
}

TEST(Scaler, RefusesValuesThatNoFloatCanScale) {
  // Finite, but their squares or the scale that they need are not.
  for (const double huge : {1e300, 1e160, 1e60})
    for (const ScaleMode mode : {ScaleMode::standard, ScaleMode::minmax, ScaleMode::center}) {
      const Error error = refusal(with_values(4, 3, {{1, 1, huge}, {2, 1, -huge}}), mode);
      EXPECT_THAT(error.what(), HasSubstr("table.csv: feature")) << huge;
    }
  for (const double tiny : {1e-60, 1e-100, 1e-200, 5e-324}) {
    const Error error = refusal(with_values(3, 2, {{0, 1, 0}, {1, 1, tiny}, {2, 1, 2 * tiny}}),
                                ScaleMode::standard);
    EXPECT_THAT(error.what(), HasSubstr("table.csv: feature 1")) << tiny;
    EXPECT_THAT(error.what(), Not(HasSubstr("missing")));
  }
}

TEST(Scaler, RefusesEmptyData) {
  for (const auto& [rows, features] : {std::pair{0, 3}, {3, 0}, {0, 0}}) {
    const Dataset data = Dataset::from_vector(std::vector<float>{}, static_cast<std::size_t>(rows),
                                              static_cast<std::size_t>(features));
    EXPECT_THAT(refusal(data, ScaleMode::standard).what(), HasSubstr("holds no values"));
  }
}

TEST(Scaler, NamesTheFirstBadValueOfAllShards) {
  Team team(1);
  const auto words = [&](std::size_t shards) {
    try {
      fit_scaler(with_values(40, 3, {{30, 1, NAN}, {9, 2, INFINITY}}), ScaleMode::standard, 0, team,
                 shards);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(words(0).find("2 values are missing"), std::string::npos);
  EXPECT_EQ(words(4), words(0));
}

}  // namespace
}  // namespace quickselection
