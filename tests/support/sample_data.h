// tests/support/sample_data.h: small data sets for tests.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "kernels/random.h"
#include "quickselection/dataset.h"

namespace quickselection {

/// Two hidden factors and some noise in every feature, so that there is something to learn.
inline Dataset factor_data(std::size_t rows, std::size_t features, std::uint64_t seed = 1) {
  kernels::RandomStream random(seed, kernels::Purpose::evaluation);
  std::vector<double> loading(2 * features);
  for (double& x : loading) x = random.normal();
  std::vector<float> values;
  for (std::size_t r = 0; r < rows; ++r) {
    const double a = random.normal(), b = random.normal();
    for (std::size_t f = 0; f < features; ++f)
      values.push_back(static_cast<float>(a * loading[2 * f] + b * loading[2 * f + 1] +
                                          0.3 * random.normal() + static_cast<double>(f)));
  }
  return Dataset::from_vector(std::move(values), rows, features);
}

/// Whole numbers 0 … 127, stored as T: the same numbers for every T.
template <class T>
Dataset whole_data(std::size_t rows, std::size_t features) {
  kernels::RandomStream random(2, kernels::Purpose::evaluation);
  std::vector<T> values(rows * features);
  for (T& x : values) x = static_cast<T>(random.below(128));
  return Dataset::from_vector(std::move(values), rows, features);
}

}  // namespace quickselection
