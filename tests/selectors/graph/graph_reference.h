// tests/selectors/graph/graph_reference.h: the graph of the papers, written down literally: dense
// matrices, doubles, all pairs.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "kernels/random/random.h"
#include "quickselection/dataset.h"
#include "quickselection/error.h"
#include "quickselection/selection.h"

namespace quickselection {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

inline Matrix matrix_of(const Dataset& data) {
  Matrix x(data.rows(), data.features());
  for (std::size_t r = 0; r < data.rows(); ++r)
    for (std::size_t f = 0; f < data.features(); ++f) x(r, f) = data.at(r, f);
  return x;
}

/// Small whole numbers, so that distances are exact and often tie; every third row repeats an
/// earlier one.
inline Dataset tied_data(std::size_t rows, std::size_t features, std::uint64_t seed = 1) {
  kernels::RandomStream random(seed, kernels::Purpose::evaluation);
  std::vector<float> values;
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t f = 0; f < features; ++f)
      values.push_back(r % 3 == 2 ? values[(r / 3) * features + f]
                                  : static_cast<float>(random.below(4)));
  return Dataset::from_vector(std::move(values), rows, features);
}

/// The same floats as CSR, without the zeros.
inline Dataset sparse_copy(const Dataset& data) {
  std::vector<std::uint64_t> offsets = {0};
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
  for (std::size_t r = 0; r < data.rows(); ++r) {
    for (std::size_t f = 0; f < data.features(); ++f)
      if (const double value = data.at(r, f); value != 0) {
        columns.push_back(static_cast<std::uint32_t>(f));
        values.push_back(static_cast<float>(value));
      }
    offsets.push_back(columns.size());
  }
  return Dataset::from_csr(offsets, columns, values, data.features());
}

/// Normal numbers around a few centres.
inline Dataset clustered_data(std::size_t rows, std::size_t features, std::size_t clusters = 3,
                              std::uint64_t seed = 1, double spread = 1) {
  kernels::RandomStream random(seed, kernels::Purpose::evaluation);
  std::vector<double> centers(clusters * features);
  for (double& x : centers) x = spread * random.normal();
  std::vector<float> values;
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t f = 0; f < features; ++f)
      values.push_back(static_cast<float>(centers[r % clusters * features + f] + random.normal()));
  return Dataset::from_vector(std::move(values), rows, features);
}

inline double cosine(const Matrix& x, long i, long j) {
  const double lengths = x.row(i).squaredNorm() * x.row(j).squaredNorm();
  return lengths > 0 ? x.row(i).dot(x.row(j)) / std::sqrt(lengths) : 0;
}

/// All other rows of each row, nearest first; equal ones in their order.
inline std::vector<std::vector<long>> sorted_rows(const Matrix& x, bool by_angle = false) {
  std::vector<std::vector<long>> sorted(static_cast<std::size_t>(x.rows()));
  for (long i = 0; i < x.rows(); ++i) {
    auto& others = sorted[static_cast<std::size_t>(i)];
    for (long j = 0; j < x.rows(); ++j)
      if (j != i) others.push_back(j);
    std::stable_sort(others.begin(), others.end(), [&](long a, long b) {
      if (by_angle) return cosine(x, i, a) > cosine(x, i, b);
      return (x.row(i) - x.row(a)).squaredNorm() < (x.row(i) - x.row(b)).squaredNorm();
    });
  }
  return sorted;
}

/// The symmetric weight matrix S; t = 0 as in the program.
inline Matrix weight_matrix(const Matrix& x, std::size_t k, const std::string& weights = "heat",
                            double t = 0) {
  const auto sorted = sorted_rows(x, weights == "cosine");
  k = std::min(k, static_cast<std::size_t>(x.rows()) - 1);
  const auto squared = [&](long i, long j) { return (x.row(i) - x.row(j)).squaredNorm(); };
  double mean = 0;
  for (long i = 0; i < x.rows(); ++i)
    for (std::size_t n = 0; n < k; ++n) mean += squared(i, sorted[i][n]);
  mean /= static_cast<double>(static_cast<std::size_t>(x.rows()) * k);
  const double width = t > 0 ? t : mean > 0 ? mean : 1;
  Matrix s = Matrix::Zero(x.rows(), x.rows());
  for (long i = 0; i < x.rows(); ++i)
    for (std::size_t n = 0; n < k; ++n) {
      const long j = sorted[i][n];
      const double weight = weights == "heat"     ? std::exp(-squared(i, j) / width)
                            : weights == "cosine" ? std::max(0.0, cosine(x, i, j))
                                                  : 1.0;
      s(i, j) = s(j, i) = weight;
    }
  return s;
}

/// Runs a method on the values as they are, unless told otherwise.
inline Selection run_method(const Dataset& data, const std::string& method,
                            std::vector<GivenOption> given = {}, int threads = 1,
                            ScaleMode scale = ScaleMode::none) {
  SelectOptions options;
  options.method = method;
  options.method_options = std::move(given);
  options.scale = scale;
  RunContext context;
  context.threads = threads;
  return select_features(data, options, context);
}

}  // namespace quickselection
