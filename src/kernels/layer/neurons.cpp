// src/kernels/layer/neurons.cpp: see rows.h.
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/layer/neurons.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/layer/activation-inl.h"
#include "kernels/layer/neurons-inl.h"
#include "kernels/layer/neurons.h"
#include "kernels/layer/update-inl.h"
#include "kernels/random/random-inl.h"

HWY_BEFORE_NAMESPACE();
namespace quickselection::kernels::HWY_NAMESPACE {

constexpr std::size_t kLanes = hn::MaxLanes(F32());

void ActivateRows(const ActivateJob& job, std::size_t begin, std::size_t end) {
  const bool drops = job.dropout.rate > 0;
  DropoutMasks masks(job.dropout, job.stride, drops ? job.samples : 0);
  for (std::size_t j = begin; j < end; ++j) {
    const std::uint32_t* keep = drops ? masks.Row(j) : nullptr;
    WithActivation(job.activation, [&]<Activation kind>() {
      ActivateNeuron<kind>(job.output + j * job.stride, keep, job.stride, job.scale);
    });
  }
}

void DeltaRows(const DeltaJob& job, std::size_t begin, std::size_t end) {
  for (std::size_t j = begin; j < end; ++j)
    job.neuron_loss[j] += WithActivation(job.activation, [&]<Activation kind>() {
      return DeltaNeuron<kind>(job.sums + j * job.stride, job.target + j * job.stride, job.stride,
                               job.samples, job.loss);
    });
}

void SlopeRows(const SlopeJob& job, std::size_t begin, std::size_t end) {
  alignas(64) float sum[kMaxStride];
  for (std::size_t j = begin; j < end; ++j) {
    float* delta = job.delta + j * job.stride;
    std::copy_n(delta, job.stride, sum);
    WithActivation(job.activation, [&]<Activation kind>() {
      SlopeNeuron<kind>(job.output + j * job.stride, sum, delta, job.stride, job.dropout);
    });
  }
}

void SumRows(const float* rows, std::size_t stride, float scale, float* out, std::size_t begin,
             std::size_t end) {
  const F32 d;
  for (std::size_t j = begin; j < end; ++j) {
    VF sum = hn::Zero(d);
    for (std::size_t s = 0; s < stride; s += kLanes)
      sum = hn::Add(sum, hn::Load(d, rows + j * stride + s));
    out[j] = scale * hn::GetLane(hn::SumOfLanes(d, sum));
  }
}

void UpdateWeights(const UpdateJob& job, std::size_t first, std::size_t n, float* gradient) {
  Apply(job, n, gradient, job.gradient + first, job.weights + first, job.state1 + first,
        job.state2 + first);
}

void UpdateBias(const UpdateJob& job, std::size_t first, std::size_t n, float* gradient) {
  Apply(job, n, gradient, job.bias_gradient + first, job.bias + first, job.bias_state1 + first,
        job.bias_state2 + first);
}

}  // namespace quickselection::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace quickselection::kernels {

HWY_EXPORT(ActivateRows);
HWY_EXPORT(DeltaRows);
HWY_EXPORT(SlopeRows);
HWY_EXPORT(SumRows);
HWY_EXPORT(UpdateWeights);
HWY_EXPORT(UpdateBias);

void activate_neurons(const ActivateJob& job, std::size_t begin, std::size_t end) noexcept {
  HWY_DYNAMIC_DISPATCH(ActivateRows)(job, begin, end);
}
void delta_neurons(const DeltaJob& job, std::size_t begin, std::size_t end) noexcept {
  HWY_DYNAMIC_DISPATCH(DeltaRows)(job, begin, end);
}
void slope_neurons(const SlopeJob& job, std::size_t begin, std::size_t end) noexcept {
  HWY_DYNAMIC_DISPATCH(SlopeRows)(job, begin, end);
}
void sum_neurons(const float* rows, std::size_t stride, float scale, float* out, std::size_t begin,
                 std::size_t end) noexcept {
  HWY_DYNAMIC_DISPATCH(SumRows)(rows, stride, scale, out, begin, end);
}
void update_weights(const UpdateJob& job, std::size_t first, std::size_t n,
                    float* gradient) noexcept {
  HWY_DYNAMIC_DISPATCH(UpdateWeights)(job, first, n, gradient);
}
void update_bias(const UpdateJob& job, std::size_t first, std::size_t n, float* gradient) noexcept {
  HWY_DYNAMIC_DISPATCH(UpdateBias)(job, first, n, gradient);
}

}  // namespace quickselection::kernels
#endif
