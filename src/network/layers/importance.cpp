// src/network/layers/importance.cpp: see importance.h.
#include "network/layers/importance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "network/layers/topology.h"

namespace quickselection {
namespace {

/// Calls body(output neuron, input neuron, weight) for every surviving connection.
void for_each_survivor(const SparseLayer& layer, double zeta, auto&& body) {
  // A dense layer is never thinned out in training, so none of its weights is about to go.
  WeakestOfEachSign weakest({layer.weights.data(), layer.weights.size()},
                            layer.is_dense() ? 0.0 : zeta);
  for (std::size_t j = 0; j < layer.outputs(); ++j)
    for (std::uint64_t k = layer.offsets[j]; k < layer.offsets[j + 1]; ++k)
      if (!weakest.drops(layer.weights[k])) body(j, layer.columns[k], layer.weights[k]);
}

std::vector<bool> strongest_hidden(const SparseLayer& first, double zeta) {
  std::vector<double> strength(first.outputs());
  for_each_survivor(first, zeta,
                    [&](std::size_t j, std::size_t, float w) { strength[j] += std::fabs(w); });
  std::vector<std::size_t> order(strength.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return strength[a] > strength[b]; });
  std::vector<bool> chosen(strength.size());
  const auto count =
      static_cast<std::size_t>(std::ceil(kTopHiddenShare * static_cast<double>(strength.size())));
  for (std::size_t i = 0; i < count; ++i) chosen[order[i]] = true;
  return chosen;
}

}  // namespace

std::vector<double> importance(std::span<const SparseLayer> layers, Importance measure,
                               double zeta) {
  const SparseLayer& first = layers.front();
  const SparseLayer& last = layers.back();
  std::vector<double> scores(first.inputs());
  switch (measure) {
    case Importance::strength:
      for_each_survivor(first, zeta,
                        [&](std::size_t, std::size_t i, float w) { scores[i] += std::fabs(w); });
      break;
    case Importance::output_strength:
      for_each_survivor(last, zeta,
                        [&](std::size_t j, std::size_t, float w) { scores[j] += std::fabs(w); });
      break;
    case Importance::input_degree:
      for_each_survivor(first, zeta, [&](std::size_t, std::size_t i, float) { scores[i] += 1; });
      break;
    case Importance::output_degree:
      for_each_survivor(last, zeta, [&](std::size_t j, std::size_t, float) { scores[j] += 1; });
      break;
    case Importance::strength_top_hidden: {
      const auto chosen = strongest_hidden(first, zeta);
      for_each_survivor(first, zeta, [&](std::size_t j, std::size_t i, float w) {
        if (chosen[j]) scores[i] += std::fabs(w);
      });
      break;
    }
  }
  return scores;
}

}  // namespace quickselection
