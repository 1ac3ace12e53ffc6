// src/network/layers/layer_arrays.h: the arrays of a layer that belong to a training's state, in
// the order of its files.
#pragma once

namespace quickselection {

/// Calls body with every array that is stored as it is; transposed copies are not. A dense layer
/// has no offsets and columns.
template <class Layer, class Body>
void for_each_layer_array(Layer& layer, const Body& body) {
  if constexpr (requires { layer.offsets; }) {
    body(layer.offsets);
    body(layer.columns);
  }
  body(layer.weights);
  body(layer.state1);
  body(layer.state2);
  body(layer.bias);
  body(layer.bias_state1);
  body(layer.bias_state2);
}

}  // namespace quickselection
