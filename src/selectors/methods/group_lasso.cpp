// src/selectors/methods/group_lasso.cpp: see group_lasso.h.
#include "selectors/methods/group_lasso.h"

#include <cmath>

namespace quickselection {
namespace {

/// Squared lengths of these columns, each summed in the order of its rows.
std::vector<double> squares(const DenseLayer& layer, Range columns) {
  std::vector<double> sums(columns.size());
  for (std::size_t j = 0; j < layer.outputs; ++j) {
    const float* row = layer.weights.data() + j * layer.inputs + columns.begin;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const double w = row[i];
      sums[i] += w * w;
    }
  }
  return sums;
}

}  // namespace

std::vector<double> column_lengths(const DenseLayer& layer) {
  std::vector<double> lengths = squares(layer, {0, layer.inputs});
  for (double& length : lengths) length = std::sqrt(length);
  return lengths;
}

void shrink_columns(DenseLayer& layer, double threshold, Range columns) {
  const std::vector<double> sums = squares(layer, columns);
  std::vector<float> factors(sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double length = std::sqrt(sums[i]);
    factors[i] = length > threshold ? static_cast<float>(1 - threshold / length) : 0;
  }
  for (std::size_t j = 0; j < layer.outputs; ++j) {
    float* row = layer.weights.data() + j * layer.inputs + columns.begin;
    for (std::size_t i = 0; i < factors.size(); ++i) row[i] *= factors[i];
  }
}

}  // namespace quickselection
