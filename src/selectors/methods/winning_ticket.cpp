// src/selectors/methods/winning_ticket.cpp: see winning_ticket.h.
#include "selectors/methods/winning_ticket.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace quickselection {
namespace {

/// Magnitudes above `threshold` stay, and so many equal to it.
struct Cut {
  float threshold = 0;
  std::size_t ties = 0;
};

Cut strongest(const AlignedArray<float>& weights, std::size_t count) {
  std::vector<float> magnitudes(weights.size());
  std::transform(weights.begin(), weights.end(), magnitudes.begin(),
                 [](float w) { return std::fabs(w); });
  const auto last = magnitudes.begin() + static_cast<std::ptrdiff_t>(count - 1);
  std::nth_element(magnitudes.begin(), last, magnitudes.end(), std::greater<>());
  const auto above = std::count_if(magnitudes.begin(), last, [&](float m) { return m > *last; });
  return {*last, count - static_cast<std::size_t>(above)};
}

}  // namespace

Autoencoder unfilled_ticket(const DenseNetwork& trained, double epsilon, Optimizer optimizer) {
  Autoencoder ticket;
  for (const DenseLayer& dense : trained.layers)
    ticket.layers.push_back(
        SparseLayer::unfilled(dense.inputs, dense.outputs,
                              connections_of(epsilon, dense.inputs, dense.outputs), optimizer,
                              needs_transposed(ticket.layers.size(), trained.layers.size(),
                                               dense.inputs, dense.outputs)));
  return ticket;
}

Autoencoder winning_ticket(const DenseNetwork& trained, double epsilon, Optimizer optimizer,
                           std::uint64_t seed) {
  Autoencoder ticket = unfilled_ticket(trained, epsilon, optimizer);
  for (std::size_t l = 0; l < trained.layers.size(); ++l) {
    const DenseLayer& dense = trained.layers[l];
    SparseLayer& layer = ticket.layers[l];
    Cut cut = strongest(dense.weights, layer.connections());
    const AlignedArray<float> initial =
        initial_weights(dense.inputs, dense.outputs, seed, static_cast<std::uint32_t>(l));
    std::size_t k = 0;
    for (std::size_t j = 0; j < dense.outputs; ++j) {
      for (std::size_t i = 0; i < dense.inputs; ++i) {
        const std::size_t place = j * dense.inputs + i;
        const float magnitude = std::fabs(dense.weights[place]);
        if (magnitude < cut.threshold) continue;
        if (magnitude == cut.threshold) {
          if (cut.ties == 0) continue;
          --cut.ties;
        }
        layer.columns[k] = static_cast<std::uint32_t>(i);
        layer.weights[k++] = initial[place];
      }
      layer.offsets[j + 1] = k;
    }
    layer.rebuild_transposed();
  }
  return ticket;
}

}  // namespace quickselection
