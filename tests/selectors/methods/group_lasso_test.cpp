// tests/selectors/methods/group_lasso_test.cpp
#include "selectors/methods/group_lasso.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernels/random/random.h"

namespace quickselection {
namespace {

DenseLayer random_layer(std::size_t inputs, std::size_t outputs) {
  DenseLayer layer(inputs, outputs, kernels::Optimizer::sgd);
  kernels::fill_normal(layer.weights.data(), layer.weights.size(), 0.3f, 1,
                       kernels::Purpose::evaluation, 0, 0);
  return layer;
}

std::vector<double> column(const DenseLayer& layer, std::size_t i) {
  std::vector<double> values;
  for (std::size_t j = 0; j < layer.outputs; ++j)
    values.push_back(layer.weights[j * layer.inputs + i]);
  return values;
}

double length(const std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) sum += v * v;
  return std::sqrt(sum);
}

// prox(v) = argmin_x |x - v|^2 / 2 + t |x|.
TEST(ShrinkColumns, MinimisesTheDefinitionOfTheProximalStep) {
  constexpr double t = 0.5;
  const DenseLayer before = random_layer(9, 4);
  DenseLayer after = random_layer(9, 4);
  shrink_columns(after, t, {0, 9});
  kernels::RandomStream random(2, kernels::Purpose::evaluation);
  bool some_zero = false, some_left = false;
  for (std::size_t i = 0; i < 9; ++i) {
    const auto v = column(before, i), x = column(after, i);
    const auto objective = [&](const std::vector<double>& y) {
      double sum = 0;
      for (std::size_t j = 0; j < y.size(); ++j) sum += (y[j] - v[j]) * (y[j] - v[j]) / 2;
      return sum + t * length(y);
    };
    (length(x) == 0 ? some_zero : some_left) = true;
    for (int trial = 0; trial < 200; ++trial) {
      auto other = x;
      for (double& value : other) value += (trial < 100 ? 0.3 : 0.01) * random.normal();
      EXPECT_GE(objective(other), objective(x) - 1e-6);
    }
  }
  EXPECT_TRUE(some_zero);
  EXPECT_TRUE(some_left);
}

TEST(ShrinkColumns, ShortensByTheThresholdAndTouchesOnlyItsColumns) {
  const DenseLayer before = random_layer(6, 5);
  DenseLayer after = random_layer(6, 5);
  shrink_columns(after, 0.1, {2, 4});
  for (std::size_t i = 0; i < 6; ++i) {
    const double expected = length(column(before, i)) - (i == 2 || i == 3 ? 0.1 : 0);
    EXPECT_NEAR(length(column(after, i)), expected, 1e-6);
    EXPECT_NEAR(column_lengths(after)[i], expected, 1e-6);
  }
}

TEST(ShrinkColumns, LeavesZeroColumnsAndWorksWithoutAThreshold) {
  DenseLayer layer(3, 2, kernels::Optimizer::sgd);
  layer.weights[0] = 1;
  shrink_columns(layer, 0, {0, 3});
  EXPECT_EQ(layer.weights[0], 1);
  shrink_columns(layer, 2, {0, 3});
  for (const float w : layer.weights) EXPECT_EQ(w, 0);
}

}  // namespace
}  // namespace quickselection
