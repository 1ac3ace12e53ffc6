// include/quickselection/network.h: a trained network, as it is given to others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace quickselection {

/// One layer of a trained network: weights by output neuron. Those of a sparse layer are a CSR
/// matrix whose columns are input neurons; a dense layer has neither offsets nor columns, and its
/// weights are (outputs, inputs).
struct LayerWeights {
  std::size_t inputs = 0, outputs = 0;
  std::vector<std::uint64_t> offsets;  // (outputs + 1)
  std::vector<std::uint32_t> columns;
  std::vector<float> weights;
  std::vector<float> bias;  // (outputs)

  bool is_dense() const { return offsets.empty(); }
};

}  // namespace quickselection
