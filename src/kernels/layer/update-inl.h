// src/kernels/layer/update-inl.h: optimiser steps on a run of weights. Included per SIMD level.
#if defined(QS_UPDATE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QS_UPDATE_INL_H_
#undef QS_UPDATE_INL_H_
#else
#define QS_UPDATE_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

#include "kernels/layer/layer.h"
#include "kernels/random/random-inl.h"

HWY_BEFORE_NAMESPACE();
namespace quickselection::kernels::HWY_NAMESPACE {

inline constexpr float kBeta1 = 0.9f, kBeta2 = 0.999f, kOptimizerEpsilon = 1e-8f;

/// One step on a vector of weights. Weight decay is w -= decay * w with the weight before the step,
/// for every optimiser alike.
template <Optimizer kind>
HWY_INLINE void StepVector(const UpdateJob& job, VF gradient, VF& weight, VF& state1, VF& state2) {
  const F32 d;
  const VF rate = hn::Set(d, job.learning_rate), decay = hn::Set(d, job.weight_decay);
  if constexpr (kind == Optimizer::sgd) {
    state1 = hn::NegMulAdd(rate, gradient, hn::Mul(hn::Set(d, job.momentum), state1));
    weight = hn::Add(weight, hn::NegMulAdd(decay, weight, state1));
  } else {
    const VF tiny = hn::Set(d, kOptimizerEpsilon);
    const VF square = hn::Mul(gradient, gradient);
    VF step;
    if constexpr (kind == Optimizer::adagrad) {
      state1 = hn::Add(state1, square);
      step = hn::Div(gradient, hn::Add(hn::Sqrt(state1), tiny));
    } else {
      state1 = hn::MulAdd(hn::Set(d, kBeta1), state1, hn::Mul(hn::Set(d, 1 - kBeta1), gradient));
      state2 = hn::MulAdd(hn::Set(d, kBeta2), state2, hn::Mul(hn::Set(d, 1 - kBeta2), square));
      const VF mean = hn::Mul(hn::Set(d, job.bias_correction1), state1);
      const VF spread = hn::Sqrt(hn::Mul(hn::Set(d, job.bias_correction2), state2));
      step = hn::Div(mean, hn::Add(spread, tiny));
    }
    weight = hn::Sub(weight, hn::MulAdd(rate, step, hn::Mul(decay, weight)));
  }
}

/// One step on n weights. The rest of fewer than a vector goes through the same instructions, so
/// that a weight's new value does not depend on its neighbours.
template <Optimizer kind>
HWY_INLINE void StepRun(const UpdateJob& job, std::size_t n, const float* HWY_RESTRICT gradient,
                        float* HWY_RESTRICT weights, float* HWY_RESTRICT state1,
                        float* HWY_RESTRICT state2) {
  const F32 d;
  constexpr std::size_t kLanes = hn::MaxLanes(F32());
  constexpr bool kSecond = kind == Optimizer::adam;
  const auto step = [&](const float* g, float* w, float* s1, float* s2) HWY_ATTR {
    VF weight = hn::LoadU(d, w), first = hn::LoadU(d, s1);
    VF second = kSecond ? hn::LoadU(d, s2) : hn::Zero(d);
    StepVector<kind>(job, hn::LoadU(d, g), weight, first, second);
    hn::StoreU(weight, d, w);
    hn::StoreU(first, d, s1);
    if (kSecond) hn::StoreU(second, d, s2);
  };
  std::size_t k = 0;
  for (; k + kLanes <= n; k += kLanes)
    step(gradient + k, weights + k, state1 + k, kSecond ? state2 + k : nullptr);
  const std::size_t rest = n - k;
  if (rest == 0) return;
  float tail[4][kLanes] = {};
  float* const arrays[] = {weights, state1, kSecond ? state2 : nullptr};
  std::copy_n(gradient + k, rest, tail[3]);
  for (int i = 0; i < 2 + kSecond; ++i) std::copy_n(arrays[i] + k, rest, tail[i]);
  step(tail[3], tail[0], tail[1], tail[2]);
  for (int i = 0; i < 2 + kSecond; ++i) std::copy_n(tail[i], rest, arrays[i] + k);
}

/// Adds this tile's gradient of parameters [first, first + n) to that of the batch and steps when
/// the batch is complete.
static HWY_NOINLINE HWY_MAYBE_UNUSED void Apply(const UpdateJob& job, const Parameters& of,
                                                std::size_t first, std::size_t n,
                                                float* HWY_RESTRICT gradient) {
  const auto at = [&](float* array) { return array == nullptr ? nullptr : array + first; };
  float* const sum = at(of.gradient);
  float *const weights = at(of.values), *const state1 = at(of.state1),
               *const state2 = at(of.state2);
  if (!job.first_tile)
    for (std::size_t k = 0; k < n; ++k) gradient[k] += sum[k];
  if (!job.last_tile) {
    for (std::size_t k = 0; k < n; ++k) sum[k] = gradient[k];
    return;
  }
  switch (job.optimizer) {
    case Optimizer::sgd:
      return StepRun<Optimizer::sgd>(job, n, gradient, weights, state1, state2);
    case Optimizer::adagrad:
      return StepRun<Optimizer::adagrad>(job, n, gradient, weights, state1, state2);
    case Optimizer::adam:
      return StepRun<Optimizer::adam>(job, n, gradient, weights, state1, state2);
  }
}

}  // namespace quickselection::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
