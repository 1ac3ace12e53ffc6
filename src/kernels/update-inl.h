// src/kernels/update-inl.h: optimiser steps on a run of weights. Included per SIMD level.
#if defined(QS_UPDATE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QS_UPDATE_INL_H_
#undef QS_UPDATE_INL_H_
#else
#define QS_UPDATE_INL_H_
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstddef>

#include "kernels/layer.h"

HWY_BEFORE_NAMESPACE();
namespace quickselection::kernels::HWY_NAMESPACE {

inline constexpr float kBeta1 = 0.9f, kBeta2 = 0.999f, kOptimizerEpsilon = 1e-8f;

/// One step on n weights. Plain loops: the compiler vectorises them for the level at hand.
/// Weight decay is w -= decay * w with the weight before the step, for every optimiser alike.
HWY_INLINE void Step(const UpdateJob& job, std::size_t n, const float* HWY_RESTRICT gradient,
                     float* HWY_RESTRICT weights, float* HWY_RESTRICT state1,
                     float* HWY_RESTRICT state2) {
  const float rate = job.learning_rate, decay = job.weight_decay, momentum = job.momentum;
  switch (job.optimizer) {
    case Optimizer::sgd:
      for (std::size_t k = 0; k < n; ++k) {
        state1[k] = momentum * state1[k] - rate * gradient[k];
        weights[k] += state1[k] - decay * weights[k];
      }
      break;
    case Optimizer::adagrad:
      for (std::size_t k = 0; k < n; ++k) {
        state1[k] += gradient[k] * gradient[k];
        weights[k] -=
            rate * gradient[k] / (std::sqrt(state1[k]) + kOptimizerEpsilon) + decay * weights[k];
      }
      break;
    case Optimizer::adam: {
      const float correct1 = job.bias_correction1, correct2 = job.bias_correction2;
      for (std::size_t k = 0; k < n; ++k) {
        state1[k] = kBeta1 * state1[k] + (1 - kBeta1) * gradient[k];
        state2[k] = kBeta2 * state2[k] + (1 - kBeta2) * gradient[k] * gradient[k];
        weights[k] -=
            rate * correct1 * state1[k] / (std::sqrt(correct2 * state2[k]) + kOptimizerEpsilon) +
            decay * weights[k];
      }
      break;
    }
  }
}

/// Adds this tile's gradient to that of the batch and steps when the batch is complete.
HWY_INLINE void Apply(const UpdateJob& job, std::size_t n, float* HWY_RESTRICT gradient,
                      float* HWY_RESTRICT sum, float* weights, float* state1, float* state2) {
  if (!job.first_tile)
    for (std::size_t k = 0; k < n; ++k) gradient[k] += sum[k];
  if (job.last_tile)
    Step(job, n, gradient, weights, state1, state2);
  else
    for (std::size_t k = 0; k < n; ++k) sum[k] = gradient[k];
}

}  // namespace quickselection::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
