// src/kernels/layer/neurons.h: the parts of a dense layer's training step that are not products.
//
// Letters and layout as in layer.h. Every function works on a range of neurons and writes only
// what belongs to them; what it does to a neuron is the same as in the sparse phases.
#pragma once

#include <cstddef>

#include "kernels/layer/layer.h"

namespace quickselection::kernels {

struct ActivateJob {
  float* output = nullptr;  // (O, B): weighted sums, become activations
  std::size_t stride = 0, samples = 0;
  Activation activation = Activation::sigmoid;
  Dropout dropout;
  float scale = 1;  ///< of the activations; 1 - dropout rate at inference
};
void activate_neurons(const ActivateJob& job, std::size_t begin, std::size_t end) noexcept;

struct DeltaJob {
  const float* sums = nullptr;    // (O, B): weighted sums
  float* target = nullptr;        // (O, B): clean data, replaced by delta
  double* neuron_loss = nullptr;  // (O): squared errors are added to it
  std::size_t stride = 0, samples = 0;
  Activation activation = Activation::linear;
  Loss loss = Loss::squared;
};
void delta_neurons(const DeltaJob& job, std::size_t begin, std::size_t end) noexcept;

struct SlopeJob {
  const float* output = nullptr;  // (O, B): activations
  float* delta = nullptr;         // (O, B): sums of the deltas above, become this layer's deltas
  std::size_t stride = 0;
  Activation activation = Activation::sigmoid;
  bool dropout = false;  ///< faint activations are dropped units
};
void slope_neurons(const SlopeJob& job, std::size_t begin, std::size_t end) noexcept;

/// out[j] = scale * sum of row j, for j in [begin, end).
void sum_neurons(const float* rows, std::size_t stride, float scale, float* out, std::size_t begin,
                 std::size_t end) noexcept;

/// An optimiser step on [first, first + n) of the job's weights or biases; `gradient` (n) is
/// overwritten.
void update(const UpdateJob& job, const Parameters& of, std::size_t first, std::size_t n,
            float* gradient) noexcept;

}  // namespace quickselection::kernels
