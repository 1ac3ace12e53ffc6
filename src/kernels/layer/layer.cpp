// src/kernels/layer/layer.cpp: the phases of layer.h, compiled once for each SIMD level.
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/layer/layer.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/layer/activation-inl.h"
#include "kernels/layer/layer.h"
#include "kernels/layer/neurons-inl.h"
#include "kernels/layer/sparse-inl.h"
#include "kernels/random/random-inl.h"

HWY_BEFORE_NAMESPACE();
namespace quickselection::kernels::HWY_NAMESPACE {

/// Neurons that are worked on together: their sums and deltas are still in the L1 cache when
/// the next product needs them.
constexpr std::size_t kTogether = 2 * kDropoutBlock;

/// Calls body(first, last) for such blocks of a range, cut at the same neurons for every range.
template <class Body>
HWY_INLINE void ForBlocks(std::size_t begin, std::size_t end, Body&& body) {
  for (std::size_t j = begin; j < end;) {
    const std::size_t next = HWY_MIN(end, (j / kTogether + 1) * kTogether);
    body(j, next);
    j = next;
  }
}

void Forward(const ForwardJob& job, std::size_t begin, std::size_t end) {
  const bool drops = job.dropout.rate > 0;
  DropoutMasks masks(job.dropout, job.stride, drops ? job.samples : 0);
  for (std::size_t b = 0; b < job.blocks.count; ++b)
    WeightedSums(job.layer, Runs(job.blocks, b), begin, end, b == 0 ? job.bias : nullptr, job.input,
                 job.stride, job.output + begin * job.stride);
  ForBlocks(begin, end, [&](std::size_t first, std::size_t last) HWY_ATTR {
    float* out = job.output + first * job.stride;
    if (job.blocks.count == 0)
      WeightedSums(job.layer, Runs(job.layer), first, last, job.bias, job.input, job.stride, out);
    WithActivation(job.activation, [&]<Activation kind>() {
      for (std::size_t j = first; j < last; ++j, out += job.stride)
        ActivateNeuron<kind>(out, drops ? masks.Row(j) : nullptr, job.stride, job.scale);
    });
  });
}

void Output(const OutputJob& job, std::size_t begin, std::size_t end) {
  alignas(64) float sums[kTogether * kMaxPanel];
  ForBlocks(begin, end, [&](std::size_t first, std::size_t last) HWY_ATTR {
    WeightedSums(job.layer, Runs(job.layer), first, last, job.bias, job.input, job.stride, sums);
    float* const delta = job.target + first * job.stride;
    WithActivation(job.activation, [&]<Activation kind>() {
      for (std::size_t j = first; j < last; ++j) {
        const std::size_t place = (j - first) * job.stride;
        job.neuron_loss[j] +=
            DeltaNeuron<kind>(sums + place, delta + place, job.stride, job.samples, job.loss);
      }
    });
    BiasGradients(first, last, delta, job.stride, job.gradient);
    if (job.spread != nullptr)
      SpreadAndGradients(job.layer, first, last, delta, job.input, job.stride, job.gradient,
                         job.spread);
  });
}

/// Adds up rows of all parts, in order.
HWY_INLINE void AddParts(const Spread& spread, std::size_t place, std::size_t size,
                         float* HWY_RESTRICT sums) {
  const F32 d;
  for (std::size_t s = 0; s < size; s += hn::MaxLanes(d)) {
    VF sum = hn::Load(d, spread.sums + place + s);
    for (std::size_t p = 1; p < spread.parts; ++p)
      sum = hn::Add(sum, hn::Load(d, spread.sums + p * spread.distance + place + s));
    hn::Store(sum, d, sums + s);
  }
}

void Backward(const BackwardJob& job, std::size_t begin, std::size_t end) {
  alignas(64) float sums[kTogether * kMaxPanel], local[kTogether * kMaxPanel];
  ForBlocks(begin, end, [&](std::size_t first, std::size_t last) HWY_ATTR {
    const float* const output = job.output + first * job.stride;
    const std::size_t size = (last - first) * job.stride;  // rows of a block lie side by side
    if (job.spread.parts > 0)
      AddParts(job.spread, first * job.stride, size, sums);
    else
      SumsAndGradients(job.upper, first, last, output, job.upper_delta, job.stride, job.gradient,
                       job.upper_gradient, sums);
    float* const delta = job.delta != nullptr ? job.delta + first * job.stride : local;
    WithActivation(job.activation, [&]<Activation kind>() {
      SlopeNeuron<kind>(output, sums, delta, size, job.dropout);
    });
    BiasGradients(first, last, delta, job.stride, job.gradient);
    if (job.gradient.weights != nullptr && job.blocks.count == 0)
      Gradients(job.layer, Runs(job.layer), first, last, delta, job.input, job.stride,
                job.gradient);
  });
  for (std::size_t b = 0; b < job.blocks.count; ++b)
    Gradients(job.layer, Runs(job.blocks, b), begin, end, job.delta + begin * job.stride, job.input,
              job.stride, job.gradient);
}

}  // namespace quickselection::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace quickselection::kernels {

HWY_EXPORT(Forward);
HWY_EXPORT(Output);
HWY_EXPORT(Backward);

void forward(const ForwardJob& job, std::size_t begin, std::size_t end) noexcept {
  HWY_DYNAMIC_DISPATCH(Forward)(job, begin, end);
}
void output(const OutputJob& job, std::size_t begin, std::size_t end) noexcept {
  HWY_DYNAMIC_DISPATCH(Output)(job, begin, end);
}
void backward(const BackwardJob& job, std::size_t begin, std::size_t end) noexcept {
  HWY_DYNAMIC_DISPATCH(Backward)(job, begin, end);
}

}  // namespace quickselection::kernels
#endif
