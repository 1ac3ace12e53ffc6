// src/network/layers/sparse_layer.cpp: see sparse_layer.h.
#include "network/layers/sparse_layer.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "kernels/random/random.h"
#include "quickselection/error.h"

namespace quickselection {

SparseLayer SparseLayer::unfilled(std::size_t inputs, std::size_t outputs,
                                  std::uint64_t connections, kernels::Optimizer optimizer,
                                  bool transposed) {
  if (connections > std::numeric_limits<std::uint32_t>::max())
    throw InvalidArgument(
        fmt::format("a layer of {} x {} neurons would get {} connections; at most {} are supported",
                    inputs, outputs, connections, std::numeric_limits<std::uint32_t>::max()),
        "lower ‹epsilon› or ‹hidden›");
  const bool adam = optimizer == kernels::Optimizer::adam;
  SparseLayer layer;
  layer.inputs_ = inputs;
  layer.outputs_ = outputs;
  layer.transposed_ = transposed;
  layer.offsets = AlignedArray<std::uint64_t>(outputs + 1);
  layer.columns = AlignedArray<std::uint32_t>(connections);
  layer.weights = AlignedArray<float>(connections);
  layer.state1 = AlignedArray<float>(connections);
  layer.state2 = AlignedArray<float>(adam ? connections : 0);
  layer.bias = AlignedArray<float>(outputs);
  layer.bias_state1 = AlignedArray<float>(outputs);
  layer.bias_state2 = AlignedArray<float>(adam ? outputs : 0);
  if (transposed) {
    layer.t_offsets = AlignedArray<std::uint64_t>(inputs + 1);
    layer.t_columns = AlignedArray<std::uint32_t>(connections);
    layer.t_weights = AlignedArray<float>(connections);
    layer.t_sources = AlignedArray<std::uint32_t>(connections);
  }
  return layer;
}

SparseLayer::SparseLayer(std::size_t inputs, std::size_t outputs, std::uint64_t connections,
                         kernels::Optimizer optimizer, bool transposed, std::uint64_t seed,
                         std::uint32_t index)
    : SparseLayer(unfilled(inputs, outputs, connections, optimizer, transposed)) {
  using kernels::Purpose;
  const auto places =
      kernels::sample_distinct(static_cast<std::uint64_t>(inputs) * outputs, connections,
                               kernels::RandomStream(seed, Purpose::topology, 0, index));
  std::size_t row = 0;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const std::size_t output = places[k] / inputs;
    while (row < output) offsets[++row] = k;
    columns[k] = static_cast<std::uint32_t>(places[k] % inputs);
  }
  while (row < outputs) offsets[++row] = places.size();
  kernels::fill_normal(weights.data(), weights.size(), kInitialWeightScale, seed, Purpose::weights,
                       0, index);
  rebuild_transposed();
}

void SparseLayer::rebuild_transposed() {
  if (!transposed_) return;
  // Counting sort by column; reading the rows in order leaves the outputs ascending.
  for (std::uint64_t& offset : t_offsets) offset = 0;
  for (const std::uint32_t column : columns) ++t_offsets[column + 1];
  for (std::size_t i = 0; i < inputs_; ++i) t_offsets[i + 1] += t_offsets[i];
  for (std::size_t j = 0; j < outputs_; ++j)
    for (std::uint64_t k = offsets[j]; k < offsets[j + 1]; ++k) {
      const std::uint64_t place = t_offsets[columns[k]]++;
      t_sources[place] = static_cast<std::uint32_t>(k);
      t_columns[place] = static_cast<std::uint32_t>(j);
      t_weights[place] = weights[k];
    }
  for (std::size_t i = inputs_; i > 0; --i) t_offsets[i] = t_offsets[i - 1];
  t_offsets[0] = 0;
}

void SparseLayer::refresh_transposed(Range places) {
  for (std::size_t k = places.begin; k < places.end; ++k) t_weights[k] = weights[t_sources[k]];
}

bool SparseLayer::is_sound() const {
  if (offsets[0] != 0 || offsets[outputs_] != connections()) return false;
  for (std::size_t j = 0; j < outputs_; ++j)
    if (offsets[j] > offsets[j + 1]) return false;
  for (std::size_t j = 0; j < outputs_; ++j)
    for (std::uint64_t k = offsets[j]; k < offsets[j + 1]; ++k)
      if (columns[k] >= inputs_ || (k > offsets[j] && columns[k] <= columns[k - 1])) return false;
  return true;
}

}  // namespace quickselection
