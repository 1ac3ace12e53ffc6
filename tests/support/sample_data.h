// tests/support/sample_data.h: small data sets for tests.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "kernels/random/random.h"
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

/// Mostly zeros, as counts of words or molecules are; some features and rows hold nothing else.
template <class T>
Dataset count_data(std::size_t rows, std::size_t features) {
  kernels::RandomStream random(3, kernels::Purpose::evaluation);
  std::vector<T> values(rows * features);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t f = 0; f < features; ++f)
      if (f % 7 != 3 && r % 5 != 4 && random.below(5) == 0)
        values[r * features + f] = static_cast<T>(1 + random.below(100));
  return Dataset::from_vector(std::move(values), rows, features);
}

/// The same values, stored as CSR.
template <class T>
Dataset to_sparse(const Dataset& dense) {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> columns;
  std::vector<T> values;
  for (std::size_t r = 0; r < dense.rows(); ++r) {
    for (std::size_t f = 0; f < dense.features(); ++f) {
      const auto value = static_cast<T>(dense.at(r, f));
      if (value == T{}) continue;
      columns.push_back(static_cast<std::uint32_t>(f));
      values.push_back(value);
    }
    offsets.push_back(columns.size());
  }
  return Dataset::from_csr(std::move(offsets), std::move(columns), std::move(values),
                           dense.features());
}

}  // namespace quickselection
