// tests/report/sample_test.cpp: correlations and class means against slow references.
#include "report/sample.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace quickselection {
namespace {

std::vector<float> random_values(std::size_t count, float offset) {
  std::mt19937 bits(1);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& value : values) value = offset + normal(bits);
  return values;
}

double slow_correlation(const Dataset& data, std::span<const std::uint32_t> rows, std::size_t a,
                        std::size_t b) {
  long double mean_a = 0, mean_b = 0, ab = 0, aa = 0, bb = 0;
  for (const std::uint32_t r : rows) mean_a += data.at(r, a), mean_b += data.at(r, b);
  mean_a /= static_cast<long double>(rows.size());
  mean_b /= static_cast<long double>(rows.size());
  for (const std::uint32_t r : rows) {
    const long double x = data.at(r, a) - mean_a, y = data.at(r, b) - mean_b;
    ab += x * y, aa += x * x, bb += y * y;
  }
  return static_cast<double>(ab / std::sqrt(aa * bb));
}

TEST(SampleRows, AreEvenlySpacedAndNoMoreThanThereAre) {
  EXPECT_EQ(sample_rows(5, 10), (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(sample_rows(10, 4), (std::vector<std::uint32_t>{0, 2, 5, 7}));
  EXPECT_TRUE(sample_rows(0, 4).empty());
}

TEST(Correlations, AreThoseOfTheDefinitionEvenFarFromZero) {
  const std::size_t rows = 150, features = 7;
  const Dataset data = Dataset::from_vector(random_values(rows * features, 1000), rows, features);
  const auto sample = sample_rows(rows, 100);
  const std::vector<std::uint32_t> chosen = {6, 0, 3};
  const auto found = correlations(data, sample, chosen);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_NEAR(found[i * 3 + j], slow_correlation(data, sample, chosen[i], chosen[j]), 1e-9);
}

TEST(Correlations, KnowCopiesOppositesAndConstants) {
  std::vector<float> values;
  for (int r = 0; r < 50; ++r) {
    const auto x = static_cast<float>(r * r % 17);
    values.insert(values.end(), {x, 3 * x + 5, -x, 1e6f});
  }
  const Dataset data = Dataset::from_vector(values, 50, 4);
  const std::vector<std::uint32_t> all = {0, 1, 2, 3};
  const auto found = correlations(data, sample_rows(50, 50), all);
  EXPECT_NEAR(found[1], 1, 1e-12);
  EXPECT_NEAR(found[2], -1, 1e-12);
  EXPECT_EQ(found[3], 0);
  EXPECT_EQ(found[15], 1);
}

TEST(Correlations, OfOneRowAreZero) {
  const Dataset data = Dataset::from_vector<float>({1, 2}, 1, 2);
  const std::vector<std::uint32_t> all = {0, 1};
  EXPECT_EQ(correlations(data, sample_rows(1, 9), all), (std::vector<double>{1, 0, 0, 1}));
}

TEST(ClassMeans, AreMeansOfEachClassAndLeaveOutLaterOnes) {
  Dataset data = Dataset::from_vector<std::int16_t>({1, 2, 3, 4, 5, 6, 70, 80}, 4, 2);
  data.labels = Labels{{0, 1, 0, 2}, {"a", "b", "c"}};
  const ClassMeans found = class_means(data, sample_rows(4, 100), 2);
  EXPECT_EQ(found.counts, (std::vector<std::size_t>{2, 1}));
  EXPECT_EQ(found.means, (std::vector<double>{3, 4, 3, 4}));
}

TEST(ClassMeans, OfAClassWithoutRowsAreZero) {
  Dataset data = Dataset::from_vector<float>({1, 2}, 2, 1);
  data.labels = Labels{{1, 1}, {"a", "b"}};
  EXPECT_EQ(class_means(data, sample_rows(2, 2), 2).means, (std::vector<double>{0, 1.5}));
}

}  // namespace
}  // namespace quickselection
