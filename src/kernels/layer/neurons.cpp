// src/kernels/layer/neurons.cpp: see neurons.h.
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

void ActivateAll(const ActivateJob& job, std::size_t begin, std::size_t end) {
  const DropoutMasks masks(job.dropout, job.stride, job.samples);
  WithActivation(job.activation, [&]<Activation kind>() {
    ActivateNeurons<kind>(masks, begin, end, job.output + begin * job.stride, job.stride, job.scale,
                          [&](std::size_t j, std::size_t s, VF y) QS_INLINE_LAMBDA {
                            hn::Store(y, F32(), job.output + j * job.stride + s);
                          });
  });
}

void DeltaNeurons(const DeltaJob& job, std::size_t begin, std::size_t end) {
  for (std::size_t j = begin; j < end; ++j)
    job.neuron_loss[j] += WithActivation(job.activation, [&]<Activation kind>() {
      float* const target = job.target + j * job.stride;
      return DeltaNeuron<kind>(job.sums + j * job.stride, target, target, job.stride, job.samples,
                               job.loss);
    });
}

void SlopeNeurons(const SlopeJob& job, std::size_t begin, std::size_t end) {
  for (std::size_t j = begin; j < end; ++j)
    WithActivation(job.activation, [&]<Activation kind>() {
      SlopeNeuron<kind>(job.output + j * job.stride, job.delta + j * job.stride, job.stride,
                        job.dropout);
    });
}

void SumNeurons(const float* rows, std::size_t stride, float scale, float* out, std::size_t begin,
                std::size_t end) {
  const F32 d;
  for (std::size_t j = begin; j < end; ++j) {
    VF sum = hn::Zero(d);
    for (std::size_t s = 0; s < stride; s += kLanes)
      sum = hn::Add(sum, hn::Load(d, rows + j * stride + s));
    out[j] = scale * hn::GetLane(hn::SumOfLanes(d, sum));
  }
}

void Update(const UpdateJob& job, const Parameters& of, std::size_t first, std::size_t n,
            float* gradient) {
  Apply(job, of, first, n, gradient);
}

}  // namespace quickselection::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace quickselection::kernels {

HWY_EXPORT(ActivateAll);
HWY_EXPORT(DeltaNeurons);
HWY_EXPORT(SlopeNeurons);
HWY_EXPORT(SumNeurons);
HWY_EXPORT(Update);

void activate_neurons(const ActivateJob& job, std::size_t begin, std::size_t end) noexcept {
  HWY_DYNAMIC_DISPATCH(ActivateAll)(job, begin, end);
}
void delta_neurons(const DeltaJob& job, std::size_t begin, std::size_t end) noexcept {
  HWY_DYNAMIC_DISPATCH(DeltaNeurons)(job, begin, end);
}
void slope_neurons(const SlopeJob& job, std::size_t begin, std::size_t end) noexcept {
  HWY_DYNAMIC_DISPATCH(SlopeNeurons)(job, begin, end);
}
void sum_neurons(const float* rows, std::size_t stride, float scale, float* out, std::size_t begin,
                 std::size_t end) noexcept {
  HWY_DYNAMIC_DISPATCH(SumNeurons)(rows, stride, scale, out, begin, end);
}
void update(const UpdateJob& job, const Parameters& of, std::size_t first, std::size_t n,
            float* gradient) noexcept {
  HWY_DYNAMIC_DISPATCH(Update)(job, of, first, n, gradient);
}

}  // namespace quickselection::kernels
#endif
