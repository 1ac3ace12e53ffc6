// src/kernels/concrete.cpp: see concrete.h.
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/concrete.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "hwy/contrib/math/math-inl.h"
#include "kernels/concrete.h"
#include "kernels/layer/activation-inl.h"
#include "kernels/random/random-inl.h"

HWY_BEFORE_NAMESPACE();
namespace quickselection::kernels::HWY_NAMESPACE {

constexpr std::size_t kLanes = hn::MaxLanes(F32());

/// -ln(-ln(u)), u = (k + 1/2) / 2^23 from the upper 23 bits: never 0 or 1.
HWY_INLINE VF Gumbel(VU bits) {
  const F32 d;
  const hn::RebindToSigned<F32> di;
  const VF k = hn::ConvertTo(d, hn::BitCast(di, hn::ShiftRight<9>(bits)));
  const VF u = hn::Mul(hn::Add(k, hn::Set(d, 0.5f)), hn::Set(d, 0x1p-23f));
  return hn::Neg(hn::Log(d, hn::Neg(hn::Log(d, u))));
}

// Counter i gives the noise of the features 4i to 4i + 3, at every SIMD level alike.
void GumbelRow(std::uint64_t seed, std::uint32_t step, std::uint32_t row, std::size_t features,
               float* HWY_RESTRICT out) {
  const F32 d;
  const U32 d32;
  const LaneKey key(seed, Purpose::gumbel, row);
  alignas(64) float block[4 * kLanes];
  for (std::size_t first = 0; first < features; first += 4 * kLanes) {
    const VU counter = hn::Iota(d32, static_cast<std::uint32_t>(first / 4));
    const Bits bits = PhiloxLanes(key, counter, hn::Set(d32, step));
    for (std::size_t w = 0; w < 4; ++w) hn::Store(Gumbel(bits.word[w]), d, block + w * kLanes);
    const std::size_t count = std::min(features - first, 4 * kLanes);
    for (std::size_t i = 0; i < count; ++i) out[first + i] = block[(i % 4) * kLanes + i / 4];
  }
}

void SampleConcrete(const ConcreteJob& job, std::size_t begin, std::size_t end) {
  const F32 d;
  const float inverse = 1 / job.temperature;
  for (std::size_t row = begin; row < end; ++row) {
    const float* HWY_RESTRICT logits = job.logits + row * job.features;
    float* HWY_RESTRICT out = job.sample + row * job.features;
    GumbelRow(job.seed, job.step, static_cast<std::uint32_t>(row), job.features, out);
    float most = -hwy::HighestValue<float>();
    for (std::size_t i = 0; i < job.features; ++i) {
      out[i] = (logits[i] + out[i]) * inverse;
      most = std::max(most, out[i]);
    }
    std::size_t i = 0;
    for (; i + kLanes <= job.features; i += kLanes)
      hn::StoreU(FastExp(hn::Sub(hn::LoadU(d, out + i), hn::Set(d, most))), d, out + i);
    if (i < job.features) {
      alignas(64) float tail[kLanes] = {};
      std::copy(out + i, out + job.features, tail);
      hn::Store(FastExp(hn::Sub(hn::Load(d, tail), hn::Set(d, most))), d, tail);
      std::copy_n(tail, job.features - i, out + i);
    }
    double sum = 0;
    for (i = 0; i < job.features; ++i) sum += out[i];
    const float scale = static_cast<float>(1 / sum);
    for (i = 0; i < job.features; ++i) out[i] *= scale;
  }
}

void SoftmaxGradient(const float* HWY_RESTRICT sample, std::size_t features, float temperature,
                     float* HWY_RESTRICT gradient) {
  double product = 0;
  for (std::size_t i = 0; i < features; ++i)
    product += static_cast<double>(sample[i]) * gradient[i];
  const float mean = static_cast<float>(product), inverse = 1 / temperature;
  for (std::size_t i = 0; i < features; ++i)
    gradient[i] = sample[i] * (gradient[i] - mean) * inverse;
}

}  // namespace quickselection::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace quickselection::kernels {

HWY_EXPORT(SampleConcrete);
HWY_EXPORT(GumbelRow);
HWY_EXPORT(SoftmaxGradient);

void sample_concrete(const ConcreteJob& job, std::size_t begin, std::size_t end) noexcept {
  HWY_DYNAMIC_DISPATCH(SampleConcrete)(job, begin, end);
}
void gumbel_row(std::uint64_t seed, std::uint32_t step, std::uint32_t row, std::size_t features,
                float* out) noexcept {
  HWY_DYNAMIC_DISPATCH(GumbelRow)(seed, step, row, features, out);
}
void softmax_gradient(const float* sample, std::size_t features, float temperature,
                      float* gradient) noexcept {
  HWY_DYNAMIC_DISPATCH(SoftmaxGradient)(sample, features, temperature, gradient);
}

}  // namespace quickselection::kernels
#endif
