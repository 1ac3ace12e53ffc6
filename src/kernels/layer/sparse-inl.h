// src/kernels/layer/sparse-inl.h: the two sparse products on one row of connections. Per SIMD
// level.
#if defined(QS_SPARSE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QS_SPARSE_INL_H_
#undef QS_SPARSE_INL_H_
#else
#define QS_SPARSE_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "kernels/random/random-inl.h"

HWY_BEFORE_NAMESPACE();
namespace quickselection::kernels::HWY_NAMESPACE {

/// Accumulators that fit the 16 registers of AVX2 beside the weight.
inline constexpr std::size_t kMaxBlock = 13;

/// out[0 … N vectors) = start + sum_k weights[k] * input[columns[k]], all sums in registers.
template <std::size_t N>
HWY_INLINE void WeightedSumBlock(const float* HWY_RESTRICT weights,
                                 const std::uint32_t* HWY_RESTRICT columns, std::size_t count,
                                 const float* HWY_RESTRICT input, std::size_t stride, float start,
                                 float* HWY_RESTRICT out) {
  const F32 d;
  constexpr std::size_t kLanes = hn::MaxLanes(F32());
  VF sum[N];
#pragma GCC unroll 16
  for (std::size_t v = 0; v < N; ++v) sum[v] = hn::Set(d, start);
  for (std::size_t k = 0; k < count; ++k) {
    const VF weight = hn::Set(d, weights[k]);
    const float* HWY_RESTRICT row = input + columns[k] * stride;
#pragma GCC unroll 16
    for (std::size_t v = 0; v < N; ++v)
      sum[v] = hn::MulAdd(weight, hn::Load(d, row + v * kLanes), sum[v]);
  }
#pragma GCC unroll 16
  for (std::size_t v = 0; v < N; ++v) hn::Store(sum[v], d, out + v * kLanes);
}

/// The same over the whole stride, in as few equal register blocks as possible. A function of its
/// own: inlined into every phase it would take the compiler minutes.
HWY_NOINLINE HWY_MAYBE_UNUSED void WeightedSum(const float* weights, const std::uint32_t* columns,
                                               std::size_t count, const float* input,
                                               std::size_t stride, float start, float* out) {
  constexpr std::size_t kLanes = hn::MaxLanes(F32());
  const std::size_t vectors = stride / kLanes;
  const std::size_t blocks = (vectors + kMaxBlock - 1) / kMaxBlock;
  std::size_t done = 0;
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::size_t block = (vectors - done + blocks - b - 1) / (blocks - b);
    const float* in = input + done * kLanes;
    float* to = out + done * kLanes;
    switch (block) {
#define QS_BLOCK(N)                                                      \
  case N:                                                                \
    WeightedSumBlock<N>(weights, columns, count, in, stride, start, to); \
    break;
      QS_BLOCK(1)
      QS_BLOCK(2)
      QS_BLOCK(3)
      QS_BLOCK(4)
      QS_BLOCK(5)
      QS_BLOCK(6)
      QS_BLOCK(7) QS_BLOCK(8) QS_BLOCK(9) QS_BLOCK(10) QS_BLOCK(11) QS_BLOCK(12) QS_BLOCK(13)
#undef QS_BLOCK
    }
    done += block;
  }
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

/// out[k] = scale * <delta, input[columns[k]]>: the gradient on existing connections only.
/// Four connections share each load of delta. `out` has room for 3 numbers more than count.
HWY_INLINE void NeuronGradient(const float* HWY_RESTRICT delta,
                               const std::uint32_t* HWY_RESTRICT columns, std::size_t count,
                               const float* HWY_RESTRICT input, std::size_t stride, float scale,
                               float* HWY_RESTRICT out) {
  const F32 d;
  const F128 d4;
  constexpr std::size_t kLanes = hn::MaxLanes(F32());
  for (std::size_t k = 0; k < count; k += 4) {
    // The last group repeats its last connection; the surplus is never used.
    const std::size_t last = count - 1;
    const float* HWY_RESTRICT row0 = input + columns[k] * stride;
    const float* HWY_RESTRICT row1 = input + columns[HWY_MIN(k + 1, last)] * stride;
    const float* HWY_RESTRICT row2 = input + columns[HWY_MIN(k + 2, last)] * stride;
    const float* HWY_RESTRICT row3 = input + columns[HWY_MIN(k + 3, last)] * stride;
    VF sum0 = hn::Zero(d), sum1 = hn::Zero(d), sum2 = hn::Zero(d), sum3 = hn::Zero(d);
    for (std::size_t s = 0; s < stride; s += kLanes) {
      const VF x = hn::Load(d, delta + s);
      sum0 = hn::MulAdd(x, hn::Load(d, row0 + s), sum0);
      sum1 = hn::MulAdd(x, hn::Load(d, row1 + s), sum1);
      sum2 = hn::MulAdd(x, hn::Load(d, row2 + s), sum2);
      sum3 = hn::MulAdd(x, hn::Load(d, row3 + s), sum3);
    }
    hn::StoreU(hn::Mul(SumFour(sum0, sum1, sum2, sum3), hn::Set(d4, scale)), d4, out + k);
  }
}

}  // namespace quickselection::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
