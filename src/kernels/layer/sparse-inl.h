// src/kernels/layer/sparse-inl.h: the two sparse products on a range of neurons. Per SIMD level.
#if defined(QS_SPARSE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QS_SPARSE_INL_H_
#undef QS_SPARSE_INL_H_
#else
#define QS_SPARSE_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "kernels/layer/layer.h"
#include "kernels/random/random-inl.h"

HWY_BEFORE_NAMESPACE();
namespace quickselection::kernels::HWY_NAMESPACE {

/// Calls body with the vectors of a row as a compile-time constant, so that sums stay in registers.
template <class Body>
HWY_INLINE void WithVectors(std::size_t stride, Body&& body) {
  constexpr std::size_t kMost = kMaxPanel / hn::MaxLanes(F32());
  switch (stride / hn::MaxLanes(F32())) {
#define QS_VECTORS(N) \
  case N:             \
    return body.template operator()<HWY_MIN(N, kMost)>();
    QS_VECTORS(1)
    QS_VECTORS(2)
    QS_VECTORS(3)
#if HWY_MAX_BYTES <= 32
    QS_VECTORS(4)
    QS_VECTORS(5)
    QS_VECTORS(6)
#endif
#if HWY_MAX_BYTES <= 16
    QS_VECTORS(7) QS_VECTORS(8) QS_VECTORS(9) QS_VECTORS(10) QS_VECTORS(11) QS_VECTORS(12)
#endif
#undef QS_VECTORS
  }
}

/// out[j - begin] = bias[j] + sum_k weights[k] * input[columns[k]] over the connections of every
/// neuron j of a range; rows are `stride` long, and without biases sums begin at 0. The loop over
/// neurons is in here because neurons have few connections.
HWY_NOINLINE HWY_MAYBE_UNUSED void WeightedSums(const Connections& layer, std::size_t begin,
                                                std::size_t end, const float* HWY_RESTRICT bias,
                                                const float* HWY_RESTRICT input, std::size_t stride,
                                                float* HWY_RESTRICT out) {
  WithVectors(stride, [&]<std::size_t N>() HWY_ATTR {
    const F32 d;
    constexpr std::size_t kLanes = hn::MaxLanes(F32());
    std::uint64_t k = layer.offsets[begin];
    for (std::size_t j = begin; j < end; ++j, out += N * kLanes) {
      VF sum[N];
#pragma GCC unroll 16
      for (std::size_t v = 0; v < N; ++v) sum[v] = hn::Set(d, bias == nullptr ? 0.0f : bias[j]);
      for (const std::uint64_t last = layer.offsets[j + 1]; k < last; ++k) {
        const VF weight = hn::Set(d, layer.weights[k]);
        const float* HWY_RESTRICT row = input + layer.columns[k] * (N * kLanes);
#pragma GCC unroll 16
        for (std::size_t v = 0; v < N; ++v)
          sum[v] = hn::MulAdd(weight, hn::Load(d, row + v * kLanes), sum[v]);
      }
#pragma GCC unroll 16
      for (std::size_t v = 0; v < N; ++v) hn::Store(sum[v], d, out + v * kLanes);
    }
  });
}

using F128 = hn::FixedTag<float, 4>;

/// Sums of the lanes of four vectors: (sum a, sum b, sum c, sum d).
HWY_INLINE hn::Vec<F128> SumFour(VF a, VF b, VF c, VF e) {
  const F32 d;
  const hn::Repartition<double, F32> pairs;
  // Within each 128-bit block: add pairs of a and b side by side, then of c and e, then both.
  const VF ab = hn::Add(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b));
  const VF ce = hn::Add(hn::InterleaveLower(d, c, e), hn::InterleaveUpper(d, c, e));
  const auto ab2 = hn::BitCast(pairs, ab), ce2 = hn::BitCast(pairs, ce);
  const VF sums = hn::Add(hn::BitCast(d, hn::InterleaveLower(pairs, ab2, ce2)),
                          hn::BitCast(d, hn::InterleaveUpper(pairs, ab2, ce2)));
#if HWY_MAX_BYTES == 16
  return sums;
#elif HWY_MAX_BYTES == 32
  const hn::Half<F32> half;
  return hn::Add(hn::LowerHalf(half, sums), hn::UpperHalf(half, sums));
#else
  const hn::Half<F32> half;
  const hn::Half<hn::Half<F32> > quarter;
  const auto two = hn::Add(hn::LowerHalf(half, sums), hn::UpperHalf(half, sums));
  return hn::Add(hn::LowerHalf(quarter, two), hn::UpperHalf(quarter, two));
#endif
}

/// gradient[k] = scale * <delta_j, input[columns[k]]> for the connections of neurons j in a range,
/// or added to what is there; delta[0] is that of neuron `begin`. Four connections share each load
/// of a delta.
HWY_NOINLINE HWY_MAYBE_UNUSED void Gradients(const Connections& layer, std::size_t begin,
                                             std::size_t end, const float* HWY_RESTRICT delta,
                                             const float* HWY_RESTRICT input, std::size_t stride,
                                             const GradientJob& to) {
  WithVectors(stride, [&]<std::size_t N>() HWY_ATTR {
    const F32 d;
    const F128 d4;
    constexpr std::size_t kLanes = hn::MaxLanes(F32());
    const auto scale = hn::Set(d4, to.scale);
    const bool add = to.add;
    const std::uint32_t* HWY_RESTRICT columns = layer.columns;
    float* HWY_RESTRICT gradient = to.weights;
    std::uint64_t k = layer.offsets[begin];
    for (std::size_t j = begin; j < end; ++j, delta += N * kLanes) {
      VF x[N];
#pragma GCC unroll 16
      for (std::size_t v = 0; v < N; ++v) x[v] = hn::Load(d, delta + v * kLanes);
      const auto dot = [&](std::uint64_t at) HWY_ATTR {
        const float* HWY_RESTRICT row = input + columns[at] * (N * kLanes);
        VF sum = hn::Mul(x[0], hn::Load(d, row));
#pragma GCC unroll 16
        for (std::size_t v = 1; v < N; ++v)
          sum = hn::MulAdd(x[v], hn::Load(d, row + v * kLanes), sum);
        return sum;
      };
      VF sum = x[0];
#pragma GCC unroll 16
      for (std::size_t v = 1; v < N; ++v) sum = hn::Add(sum, x[v]);
      const float of_bias = to.scale * hn::GetLane(hn::SumOfLanes(d, sum));
      to.bias[j] = add ? to.bias[j] + of_bias : of_bias;

      const std::uint64_t last = layer.offsets[j + 1];
      for (; k + 4 <= last; k += 4) {
        const auto four = SumFour(dot(k), dot(k + 1), dot(k + 2), dot(k + 3));
        const auto before = add ? hn::LoadU(d4, gradient + k) : hn::Zero(d4);
        hn::StoreU(hn::MulAdd(four, scale, before), d4, gradient + k);
      }
      if (k == last) continue;
      // The rest of fewer than four, in the same order of additions; the surplus is not stored.
      HWY_ALIGN float rest[4];
      hn::Store(hn::Mul(SumFour(dot(k), dot(HWY_MIN(k + 1, last - 1)),
                                dot(HWY_MIN(k + 2, last - 1)), hn::Zero(d)),
                        scale),
                d4, rest);
      for (std::size_t i = 0; k < last; ++i, ++k)
        gradient[k] = add ? gradient[k] + rest[i] : rest[i];
    }
  });
}

}  // namespace quickselection::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
