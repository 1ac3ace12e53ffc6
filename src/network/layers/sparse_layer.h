// src/network/layers/sparse_layer.h: one sparse layer: connections, weights, optimiser state.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/aligned.h"
#include "core/team.h"
#include "kernels/layer/layer.h"

namespace quickselection {

/// Connections by output neuron (CSR), columns ascending within a row and never repeated.
/// Layers that pass deltas down also keep a transposed copy: connections by input neuron, outputs
/// ascending. The last layer of a wide network does without (needs_transposed).
class SparseLayer {
 public:
  SparseLayer() = default;

  /// Exactly `connections` distinct random connections with weights N(0, 0.1^2), biases 0.
  SparseLayer(std::size_t inputs, std::size_t outputs, std::uint64_t connections,
              kernels::Optimizer optimizer, bool transposed, std::uint64_t seed,
              std::uint32_t index);

  /// An empty layer of that shape, to be filled from a checkpoint; then call rebuild_transposed().
  static SparseLayer unfilled(std::size_t inputs, std::size_t outputs, std::uint64_t connections,
                              kernels::Optimizer optimizer, bool transposed);

  std::size_t inputs() const { return inputs_; }
  std::size_t outputs() const { return outputs_; }
  std::size_t connections() const { return columns.size(); }
  bool is_dense() const { return connections() == inputs_ * outputs_; }
  /// Weights and biases.
  std::size_t parameters() const { return connections() + outputs_; }

  kernels::Connections by_output() const {
    return {offsets.data(), columns.data(), weights.data()};
  }
  kernels::Connections by_input() const {
    return {t_offsets.data(), t_columns.data(), t_weights.data()};
  }
  bool has_transposed() const { return transposed_; }

  /// Makes the transposed copy anew after the topology has changed.
  void rebuild_transposed();
  /// A range of the transposed copy's weights, after those of the layer have changed.
  void refresh_transposed(Range places);
  /// Whether offsets and columns are those of a layer: for what was read from a file.
  bool is_sound() const;

  AlignedArray<std::uint64_t> offsets;                 // (O + 1)
  AlignedArray<std::uint32_t> columns;                 // (nnz)
  AlignedArray<float> weights, state1;                 // (nnz)
  AlignedArray<float> state2;                          // (nnz), only for optimisers that need it
  AlignedArray<float> bias, bias_state1, bias_state2;  // (O)

  AlignedArray<std::uint64_t> t_offsets;  // (I + 1)
  AlignedArray<std::uint32_t> t_columns;  // (nnz), output neurons
  AlignedArray<float> t_weights;          // (nnz)
  AlignedArray<std::uint32_t> t_sources;  // (nnz): which connection of the layer it is

 private:
  std::size_t inputs_ = 0, outputs_ = 0;
  bool transposed_ = false;
};

/// Whether layer `index` of a network with so many layers keeps a transposed copy. The first one
/// passes nothing down. Where the outputs of the last one are many more than its inputs, deltas are
/// spread over the inputs instead (kernels/layer/layer.h): they would not stay in the caches, the
/// inputs do.
constexpr bool needs_transposed(std::size_t index, std::size_t layers, std::size_t inputs,
                                std::size_t outputs) {
  return index > 0 && (index + 1 < layers || outputs < 4 * inputs);
}

/// Standard deviation of initial and regrown weights.
inline constexpr float kInitialWeightScale = 0.1f;

}  // namespace quickselection
