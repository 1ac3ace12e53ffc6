// tests/support/statistics.h: does a sample look like its distribution? Seeds are fixed, so a test
// either always passes or never; limits are where a right sample is refused once in 10,000 seeds.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace quickselection {

/// Pearson's chi-squared test of equal frequencies.
inline ::testing::AssertionResult looks_uniform(const std::vector<std::size_t>& counts) {
  if (counts.size() < 2) return ::testing::AssertionSuccess();
  const double total = static_cast<double>(std::accumulate(counts.begin(), counts.end(), 0ul));
  const double expected = total / static_cast<double>(counts.size());
  double chi2 = 0;
  for (const std::size_t count : counts) {
    const double difference = static_cast<double>(count) - expected;
    chi2 += difference * difference / expected;
  }
  // Wilson and Hilferty: the cube root of chi2 / degrees is nearly normal.
  const double degrees = static_cast<double>(counts.size() - 1), spread = 2 / (9 * degrees);
  const double deviation = (std::cbrt(chi2 / degrees) - (1 - spread)) / std::sqrt(spread);
  if (deviation < 3.72) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "chi2 " << chi2 << " with " << degrees << " degrees";
}

/// Mean, variance, kurtosis, the share beyond 2, 3 and 4, and the largest distance to the
/// distribution function (Kolmogorov and Smirnov), for N(0, 1).
inline ::testing::AssertionResult looks_normal(std::vector<double> values) {
  const double n = static_cast<double>(values.size());
  double sum = 0, squares = 0, fourth = 0;
  for (const double x : values) sum += x, squares += x * x, fourth += x * x * x * x;
  const auto far = [&](const char* what, double found, double expected, double variance) {
    const double deviation = (found - expected) / std::sqrt(variance / n);
    return std::fabs(deviation) < 3.9 ? ::testing::AssertionSuccess()
                                      : ::testing::AssertionFailure()
                                            << what << " is " << found << ", " << deviation
                                            << " standard errors from " << expected;
  };
  if (auto ok = far("mean", sum / n, 0, 1); !ok) return ok;
  if (auto ok = far("variance", squares / n, 1, 2); !ok) return ok;
  if (auto ok = far("fourth moment", fourth / n, 3, 96); !ok) return ok;
  for (const double limit : {2.0, 3.0, 4.0}) {
    const double beyond = static_cast<double>(std::count_if(
        values.begin(), values.end(), [&](double x) { return std::fabs(x) > limit; }));
    const double p = std::erfc(limit / std::sqrt(2.0));
    if (auto ok = far("tail", beyond / n, p, p); !ok) return ok << " beyond " << limit;
  }
  std::sort(values.begin(), values.end());
  double distance = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double p = 0.5 * std::erfc(-values[i] / std::sqrt(2.0));
    distance =
        std::max({distance, p - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - p});
  }
  if (distance * std::sqrt(n) < 2.23) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "distribution differs by " << distance;
}

}  // namespace quickselection
