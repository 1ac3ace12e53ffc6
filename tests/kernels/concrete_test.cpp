// tests/kernels/concrete_test.cpp
#include "kernels/concrete.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "kernels/random/random.h"
#include "support/levels.h"

namespace quickselection::kernels {
namespace {

class Concrete : public AtEveryLevel {};
QS_AT_EVERY_LEVEL(Concrete);

TEST_P(Concrete, NoiseComesFromTheRandomBitsOfItsPlace) {
  for (const std::size_t features : {1, 3, 50, 129}) {
    std::vector<float> noise(features);
    gumbel_row(7, 12, 5, features, noise.data());
    for (std::size_t f = 0; f < features; ++f) {
      const auto bits = random_block(7, Purpose::gumbel, static_cast<std::uint32_t>(f / 4), 12, 5);
      const double u = ((bits[f % 4] >> 9) + 0.5) / 8388608.0;
      EXPECT_NEAR(noise[f], -std::log(-std::log(u)), 2e-5 * (1 + std::fabs(noise[f])));
    }
  }
}

TEST_P(Concrete, NoiseHasTheMomentsOfItsDistribution) {
  std::vector<float> noise(200000);
  gumbel_row(1, 0, 0, noise.size(), noise.data());
  double sum = 0, squares = 0;
  for (const float x : noise) {
    ASSERT_TRUE(std::isfinite(x));
    sum += x;
    squares += static_cast<double>(x) * x;
  }
  const double mean = sum / 2e5, variance = squares / 2e5 - mean * mean;
  EXPECT_NEAR(mean, std::numbers::egamma, 0.015);
  EXPECT_NEAR(variance, std::numbers::pi * std::numbers::pi / 6, 0.03);
}

TEST_P(Concrete, SamplesAreTheSoftmaxOfNoisyLogits) {
  constexpr std::size_t rows = 3, features = 37;
  std::vector<float> logits(rows * features), sample(rows * features), noise(features);
  fill_normal(logits.data(), logits.size(), 1, 3, Purpose::evaluation, 0, 0);
  for (const float temperature : {10.0f, 1.0f, 0.01f}) {
    sample_concrete({logits.data(), sample.data(), features, temperature, 4, 9}, 0, rows);
    for (std::size_t r = 0; r < rows; ++r) {
      gumbel_row(4, 9, static_cast<std::uint32_t>(r), features, noise.data());
      std::vector<double> expected(features);
      double most = -1e30, sum = 0;
      for (std::size_t f = 0; f < features; ++f) {
        expected[f] = (static_cast<double>(logits[r * features + f]) + noise[f]) / temperature;
        most = std::max(most, expected[f]);
      }
      for (double& x : expected) sum += x = std::exp(x - most);
      for (std::size_t f = 0; f < features; ++f)
        EXPECT_NEAR(sample[r * features + f], expected[f] / sum, 1e-4);
    }
  }
}

TEST_P(Concrete, GradientOfTheSoftmaxEqualsFiniteDifferences) {
  constexpr std::size_t features = 13;
  constexpr double temperature = 0.7;
  std::vector<float> logits(features), direction(features);
  fill_normal(logits.data(), features, 1, 3, Purpose::evaluation, 0, 0);
  fill_normal(direction.data(), features, 1, 3, Purpose::evaluation, 1, 0);
  const auto softmax = [&](std::size_t moved, double step) {
    std::vector<double> m(features);
    double sum = 0;
    for (std::size_t f = 0; f < features; ++f)
      sum += m[f] = std::exp((logits[f] + (f == moved ? step : 0)) / temperature);
    for (double& x : m) x /= sum;
    return m;
  };
  std::vector<float> sample;
  for (const double x : softmax(0, 0)) sample.push_back(static_cast<float>(x));
  std::vector<float> gradient = direction;
  softmax_gradient(sample.data(), features, static_cast<float>(temperature), gradient.data());
  for (std::size_t i = 0; i < features; ++i) {
    const auto right = softmax(i, 1e-5), left = softmax(i, -1e-5);
    double slope = 0;
    for (std::size_t f = 0; f < features; ++f) slope += direction[f] * (right[f] - left[f]) / 2e-5;
    EXPECT_NEAR(gradient[i], slope, 1e-5);
  }
}

}  // namespace
}  // namespace quickselection::kernels
