// tests/support/selecting.h: selections on small data with a known answer.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/random/random.h"
#include "quickselection/dataset.h"
#include "quickselection/selection.h"

namespace quickselection {

inline Selection select_with(const Dataset& data, const std::string& method,
                             std::vector<GivenOption> options, std::size_t k = 0, int threads = 1,
                             std::uint64_t seed = 0) {
  SelectOptions select;
  select.method = method;
  select.method_options = std::move(options);
  select.k = k;
  select.seed = seed;
  RunContext context;
  context.threads = threads;
  return select_features(data, select, context);
}

/// Features `first` to `first + count - 1` are noisy copies of one signal; the others are noise.
inline Dataset signal_data(std::size_t rows, std::size_t features, std::size_t first,
                           std::size_t count) {
  kernels::RandomStream random(3, kernels::Purpose::evaluation);
  std::vector<float> values;
  for (std::size_t r = 0; r < rows; ++r) {
    const double signal = random.normal();
    for (std::size_t f = 0; f < features; ++f)
      values.push_back(static_cast<float>(
          f >= first && f < first + count ? signal + 0.1 * random.normal() : random.normal()));
  }
  return Dataset::from_vector(std::move(values), rows, features);
}

/// How many of the first `top` of the ranking lie in [first, first + count).
inline std::size_t found(const Selection& selection, std::size_t top, std::size_t first,
                         std::size_t count) {
  return static_cast<std::size_t>(std::count_if(
      selection.ranking.begin(), selection.ranking.begin() + static_cast<std::ptrdiff_t>(top),
      [&](std::uint32_t f) { return f >= first && f < first + count; }));
}

inline void expect_same_result(const Selection& a, const Selection& b) {
  EXPECT_EQ(a.scores, b.scores);
  EXPECT_EQ(a.ranking, b.ranking);
  EXPECT_EQ(a.loss, b.loss);
}

/// Also of everything that was learnt (`keep_network`).
inline void expect_same_networks(const Selection& a, const Selection& b) {
  expect_same_result(a, b);
  EXPECT_EQ(a.parameters, b.parameters);
  ASSERT_EQ(a.network.size(), b.network.size());
  for (std::size_t l = 0; l < a.network.size(); ++l) {
    EXPECT_EQ(a.network[l].columns, b.network[l].columns);
    EXPECT_EQ(a.network[l].weights, b.network[l].weights);
    EXPECT_EQ(a.network[l].bias, b.network[l].bias);
  }
}

/// Every feature once.
inline void expect_complete(const Selection& selection, std::size_t features) {
  std::vector<std::uint32_t> sorted = selection.ranking;
  std::sort(sorted.begin(), sorted.end());
  ASSERT_EQ(sorted.size(), features);
  for (std::size_t f = 0; f < features; ++f) ASSERT_EQ(sorted[f], f);
}

/// Runs on one row, one feature, two equal rows, constant features and all features wanted.
inline void expect_to_survive_ugly_data(const std::string& method,
                                        const std::vector<GivenOption>& options) {
  const Dataset one_row = signal_data(1, 5, 0, 2), one_feature = signal_data(30, 1, 0, 1);
  const Dataset constant = Dataset::from_vector(std::vector<float>(40, 2.5f), 10, 4);
  std::vector<float> values;
  for (int r = 0; r < 20; ++r) {  // features 1 and 3 are constant
    values.insert(values.end(), {static_cast<float>(r % 7), 1, static_cast<float>(-r % 5), 0});
  }
  const Dataset mixed = Dataset::from_vector(std::move(values), 20, 4);
  for (const Dataset& data : {one_row, one_feature, constant, mixed}) {
    const Selection selection = select_with(data, method, options, data.features());
    expect_complete(selection, data.features());
  }
  const Selection selection = select_with(mixed, method, options);
  EXPECT_EQ(found(selection, 2, 0, 1) + found(selection, 2, 2, 1), 2u)
      << "constant features must come last";
}

}  // namespace quickselection
