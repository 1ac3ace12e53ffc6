// include/quickselection/network.h: a trained network, as it is given to others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace quickselection {

/// One layer of a trained network: weights by output neuron (CSR), columns are input neurons.
struct LayerWeights {
  std::size_t inputs = 0, outputs = 0;
  std::vector<std::uint64_t> offsets;  // (outputs + 1)
  std::vector<std::uint32_t> columns;
  std::vector<float> weights;
  std::vector<float> bias;  // (outputs)
};

}  // namespace quickselection
