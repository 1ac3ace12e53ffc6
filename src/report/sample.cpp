// src/report/sample.cpp: see sample.h.
#include "report/sample.h"

#include <algorithm>
#include <cmath>

#include "core/iota.h"
#include "data/io/pages.h"
#include "data/scaling/row_reader.h"

namespace quickselection {
namespace {

constexpr std::size_t kBlock = 64;  // rows whose pages are given back together

/// Calls body(row in the data, its values of `columns`), block after block. Pages of a mapped file
/// are given back, so that a bound on memory holds.
void for_each_row(const Dataset& data, std::span<const std::uint32_t> rows,
                  std::span<const std::uint32_t> columns, const auto& body) {
  const RowReader reader({&data, rows}, columns);
  std::vector<float> values(columns.size());
  for (std::size_t begin = 0; begin < rows.size(); begin += kBlock) {
    const std::size_t end = std::min(rows.size(), begin + kBlock);
    for (std::size_t i = begin; i < end; ++i) {
      reader.read_checked(i, values.data());
      body(rows[i], std::span<const float>(values));
    }
    release_rows(data, rows[begin], rows[end - 1] + 1);
  }
}

}  // namespace

std::vector<std::uint32_t> sample_rows(std::size_t rows, std::size_t most) {
  const std::size_t count = std::min(rows, most);
  std::vector<std::uint32_t> sample(count);
  for (std::size_t i = 0; i < count; ++i) sample[i] = static_cast<std::uint32_t>(i * rows / count);
  return sample;
}

std::vector<double> correlations(const Dataset& data, std::span<const std::uint32_t> rows,
                                 std::span<const std::uint32_t> features) {
  const std::size_t n = features.size();
  // Deviations from the first row: a large common value would cost digits.
  std::vector<float> first;
  std::vector<double> deviation(n), sum(n), products(n * n);  // of products the lower half
  for_each_row(data, rows, features, [&](std::uint32_t, std::span<const float> values) {
    if (first.empty()) first.assign(values.begin(), values.end());
    for (std::size_t i = 0; i < n; ++i) {
      deviation[i] = static_cast<double>(values[i]) - first[i];
      sum[i] += deviation[i];
      for (std::size_t j = 0; j <= i; ++j) products[i * n + j] += deviation[i] * deviation[j];
    }
  });
  const double count = std::max<double>(1, static_cast<double>(rows.size()));
  std::vector<double> result(n * n);
  const auto covariance = [&](std::size_t i, std::size_t j) {
    return products[std::max(i, j) * n + std::min(i, j)] - sum[i] * sum[j] / count;
  };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const double variances = covariance(i, i) * covariance(j, j);
      // Rounding may leave a constant feature a tiny variance of either sign.
      const bool constant = covariance(i, i) <= 1e-12 * products[i * n + i] ||
                            covariance(j, j) <= 1e-12 * products[j * n + j] || !(variances > 0);
      result[i * n + j] =
          i == j ? 1
                 : (constant ? 0 : std::clamp(covariance(i, j) / std::sqrt(variances), -1., 1.));
    }
  return result;
}

ClassMeans class_means(const Dataset& data, std::span<const std::uint32_t> rows,
                       std::size_t classes) {
  const std::size_t features = data.features();
  ClassMeans result{std::vector<std::size_t>(classes), std::vector<double>(classes * features)};
  for_each_row(data, rows, iota(features), [&](std::uint32_t row, std::span<const float> values) {
    const auto code = static_cast<std::size_t>(data.labels->codes[row]);
    if (code >= classes) return;
    ++result.counts[code];
    double* means = result.means.data() + code * features;
    for (std::size_t f = 0; f < features; ++f) means[f] += values[f];
  });
  for (std::size_t c = 0; c < classes; ++c)
    for (std::size_t f = 0; f < features && result.counts[c] > 0; ++f)
      result.means[c * features + f] /= static_cast<double>(result.counts[c]);
  return result;
}

}  // namespace quickselection
