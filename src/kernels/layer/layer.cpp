// src/kernels/layer/layer.cpp: the phases of layer.h, compiled once for each SIMD level.
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/layer/layer.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/layer/activation-inl.h"
#include "kernels/layer/layer.h"
#include "kernels/layer/neurons-inl.h"
#include "kernels/layer/packed-inl.h"
#include "kernels/layer/sparse-inl.h"
#include "kernels/random/random-inl.h"

HWY_BEFORE_NAMESPACE();
namespace quickselection::kernels::HWY_NAMESPACE {

/// Neurons that are worked on together. `output` uses the same rows for its sums and its gradients:
/// those of few neurons are still in the L1 cache when the gradients need them. `backward` uses
/// deltas first and inputs then: it changes seldom, because neither fits the L1 cache beside the
/// other.
constexpr std::size_t kTogetherForward = 2 * kDropoutBlock, kTogetherOutput = kDropoutBlock,
                      kTogetherBackward = 8 * kDropoutBlock;

/// Words of a packed row.
HWY_INLINE std::size_t PackedStride(std::size_t stride) {
  return packed_stride(stride, hn::MaxLanes(F32()));
}

/// Calls body(first, last) for such blocks of a range, cut at the same neurons for every range.
template <std::size_t kNeurons, class Body>
HWY_INLINE void ForBlocks(std::size_t begin, std::size_t end, Body&& body) {
  for (std::size_t j = begin; j < end;) {
    const std::size_t next = HWY_MIN(end, (j / kNeurons + 1) * kNeurons);
    body(j, next);
    j = next;
  }
}

/// The weighted sums of neurons [first, last), from packed rows or plain ones.
HWY_INLINE void Sums(const ForwardJob& job, const Runs& runs, std::size_t first, std::size_t last,
                     Start start, float* sums) {
  if (job.plain != nullptr)
    WeightedSums(job.layer, runs, first, last, start, job.bias, job.plain, job.stride, sums);
  else
    WeightedSums(job.layer, runs, first, last, start, job.bias, job.input, job.stride, sums);
}

void Forward(const ForwardJob& job, std::size_t begin, std::size_t end) {
  const DropoutMasks masks(job.dropout, job.stride, job.samples);
  const std::size_t words = PackedStride(job.stride);
  for (std::size_t b = 0; b < job.blocks.count; ++b)
    Sums(job, Runs(job.blocks, b), begin, end, b == 0 ? Start::bias : Start::before,
         job.sums + begin * job.stride);
  alignas(64) float local[kTogetherForward * kMaxPanel];
  ForBlocks<kTogetherForward>(begin, end, [&](std::size_t first, std::size_t last) HWY_ATTR {
    float* const sums = job.sums != nullptr ? job.sums + first * job.stride : local;
    if (job.blocks.count == 0) Sums(job, Runs(job.layer), first, last, Start::bias, sums);
    WithActivation(job.activation, [&]<Activation kind>() {
      ActivateNeurons<kind>(masks, first, last, sums, job.stride, job.scale,
                            [&](std::size_t j, std::size_t s, VF y) QS_INLINE_LAMBDA {
                              hn::Store(y, F32(), sums + (j - first) * job.stride + s);
                            });
    });
    if (job.output != nullptr)
      for (std::size_t j = first; j < last; ++j)
        PackRow(sums + (j - first) * job.stride, job.stride, job.output + j * words);
  });
}

void Output(const OutputJob& job, std::size_t begin, std::size_t end) {
  alignas(64) float sums[kTogetherOutput * kMaxPanel];
  alignas(64) Packed local[kTogetherOutput * kMaxPanel / 2];
  const std::size_t words = PackedStride(job.stride);
  ForBlocks<kTogetherOutput>(begin, end, [&](std::size_t first, std::size_t last) HWY_ATTR {
    WeightedSums(job.layer, Runs(job.layer), first, last, Start::bias, job.bias, job.input,
                 job.stride, sums);
    Packed* const delta = job.delta != nullptr ? job.delta + first * words : local;
    WithActivation(job.activation, [&]<Activation kind>() {
      for (std::size_t j = first; j < last; ++j) {
        float* const sum = sums + (j - first) * job.stride;
        job.neuron_loss[j] += DeltaNeuron<kind>(sum, job.target + j * job.stride, sum, job.stride,
                                                job.samples, job.loss);
      }
    });
    PackDeltas(first, last, sums, job.stride, delta, job.gradient);
    Gradients(job.layer, Runs(job.layer), first, last, delta, job.input, job.stride, job.gradient);
    if (job.spread != nullptr) SpreadSums(job.layer, first, last, delta, job.stride, job.spread);
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
  alignas(64) float sums[kTogetherBackward * kMaxPanel];
  alignas(64) Packed local[kTogetherBackward * kMaxPanel / 2];
  const std::size_t words = PackedStride(job.stride);
  ForBlocks<kTogetherBackward>(begin, end, [&](std::size_t first, std::size_t last) HWY_ATTR {
    if (job.spread.parts > 0)
      AddParts(job.spread, first * job.stride, (last - first) * job.stride, sums);
    else
      WeightedSums(job.upper, Runs(job.upper), first, last, Start::zero, nullptr, job.upper_delta,
                   job.stride, sums);
    Packed* const delta = job.delta != nullptr ? job.delta + first * words : local;
    WithActivation(job.activation, [&]<Activation kind>() {
      for (std::size_t j = first; j < last; ++j)
        SlopeNeuron<kind>(job.output + j * words, sums + (j - first) * job.stride, job.stride,
                          job.dropout);
    });
    PackDeltas(first, last, sums, job.stride, delta, job.gradient);
    if (job.blocks.count == 0)
      Gradients(job.layer, Runs(job.layer), first, last, delta, job.input, job.stride,
                job.gradient);
  });
  for (std::size_t b = 0; b < job.blocks.count; ++b)
    Gradients(job.layer, Runs(job.blocks, b), begin, end, job.delta + begin * words, job.input,
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
