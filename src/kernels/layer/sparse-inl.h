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
#include <type_traits>

#include "kernels/layer/layer.h"
#include "kernels/layer/packed-inl.h"
#include "kernels/random/random-inl.h"

HWY_BEFORE_NAMESPACE();
namespace quickselection::kernels::HWY_NAMESPACE {

/// Which connections of neuron j are meant: begins[j] … ends[j] - 1.
struct Runs {
  const std::uint64_t *begins, *ends;
  explicit Runs(const Connections& layer) : begins(layer.offsets), ends(layer.offsets + 1) {}
  Runs(const InputBlocks& blocks, std::size_t block)
      : begins(blocks.cuts + block * blocks.neurons), ends(begins + blocks.neurons) {}
};

/// What sums begin with: nothing, the neuron's bias, or what is there.
enum class Start { zero, bias, before };

/// out[j - begin] = start + sum_k weights[k] * input[columns[k]] over the connections of every
/// neuron j of a range; rows are `stride` long. The loop over neurons is in here because neurons
/// have few connections.
template <class Row>
HWY_NOINLINE HWY_MAYBE_UNUSED void WeightedSums(const Connections& layer, const Runs& runs,
                                                std::size_t begin, std::size_t end, Start start,
                                                const float* HWY_RESTRICT bias,
                                                const Row* HWY_RESTRICT input, std::size_t stride,
                                                float* HWY_RESTRICT out) {
  WithVectors(stride, [&]<std::size_t N, bool>() HWY_ATTR {
    const F32 d;
    constexpr std::size_t kLanes = hn::MaxLanes(F32());
    constexpr std::size_t kRow = (std::is_same_v<Row, Packed> ? words_of(N) : N) * kLanes;
    const std::uint64_t *const begins = runs.begins, *const ends = runs.ends;
    const std::uint32_t* HWY_RESTRICT columns = layer.columns;
    const float* HWY_RESTRICT weights = layer.weights;
    for (std::size_t j = begin; j < end; ++j, out += N * kLanes) {
      VF sum[N];
#pragma GCC unroll 16
      for (std::size_t v = 0; v < N; ++v)
        sum[v] = start == Start::before ? hn::Load(d, out + v * kLanes)
                 : start == Start::bias ? hn::Set(d, bias[j])
                                        : hn::Zero(d);
      std::uint64_t k = begins[j];
#pragma GCC unroll 4
      for (const std::uint64_t last = ends[j]; k < last; ++k) {
        const VF weight = hn::Set(d, weights[k]);
        ForVectors<N>(input + columns[k] * kRow, [&](std::size_t v, VF x) QS_INLINE_LAMBDA {
          sum[v] = hn::MulAdd(weight, x, sum[v]);
        });
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

/// to[i] = sums[i] + before * to[i], for i < n < 4.
HWY_INLINE void StoreSome(hn::Vec<F128> sums, std::size_t n, float before, float* HWY_RESTRICT to) {
  const F128 d4;
#if HWY_TARGET <= HWY_AVX2
  const auto some = hn::FirstN(d4, n);
  if (before != 0) sums = hn::MulAdd(hn::Set(d4, before), hn::MaskedLoad(some, d4, to), sums);
  hn::BlendedStore(sums, some, d4, to);
#else
  HWY_ALIGN float rest[4];
  hn::Store(sums, d4, rest);
  for (std::size_t i = 0; i < n; ++i) to[i] = before != 0 ? before * to[i] + rest[i] : rest[i];
#endif
}

/// The gradients of one neuron's connections [k, last), four at a time. dot(k) is the product of
/// the two rows that connection k joins, still in lanes. The rest of fewer than four goes through
/// the same additions, filled up with the last one: the number of connections is hard to predict,
/// and a wrong guess costs more than a row that is in the cache.
template <class Dot>
HWY_INLINE void StoreGradients(std::uint64_t k, std::uint64_t last, float factor, float before,
                               float* HWY_RESTRICT gradient, Dot&& dot) {
  const F128 d4;
  const auto scale = hn::Set(d4, factor);
  for (; k + 4 <= last; k += 4) {
    const VF a = dot(k), b = dot(k + 1), c = dot(k + 2), e = dot(k + 3);
    auto four = hn::Mul(SumFour(a, b, c, e), scale);
    if (before != 0) four = hn::MulAdd(hn::Set(d4, before), hn::LoadU(d4, gradient + k), four);
    hn::StoreU(four, d4, gradient + k);
  }
  if (k == last) return;
  const VF a = dot(k), b = dot(HWY_MIN(k + 1, last - 1)), c = dot(HWY_MIN(k + 2, last - 1));
  const auto rest = hn::Mul(SumFour(a, b, c, hn::Zero(F32())), scale);
  StoreSome(rest, last - k, before, gradient + k);
}

/// gradient[k] = scale * <delta_j, input[columns[k]]> for the connections of neurons j in a range;
/// delta[0] is that of neuron `begin`.
HWY_NOINLINE HWY_MAYBE_UNUSED void Gradients(const Connections& layer, const Runs& runs,
                                             std::size_t begin, std::size_t end,
                                             const Packed* HWY_RESTRICT delta,
                                             const Packed* HWY_RESTRICT input, std::size_t stride,
                                             const GradientJob& to) {
  WithVectors(stride, [&]<std::size_t N, bool kNative>() HWY_ATTR {
    const U32 d;
    constexpr std::size_t kLanes = hn::MaxLanes(F32()), kWords = words_of(N);
    const std::uint32_t* HWY_RESTRICT columns = layer.columns;
    float* HWY_RESTRICT gradient = to.weights;
    const float scale = to.scale;
    const float before = to.before;
    for (std::size_t j = begin; j < end; ++j, delta += kWords * kLanes) {
      VU x[kWords];
#pragma GCC unroll 16
      for (std::size_t w = 0; w < kWords; ++w) x[w] = hn::Load(d, delta + w * kLanes);
      StoreGradients(runs.begins[j], runs.ends[j], scale, before, gradient,
                     [&](std::uint64_t k) QS_INLINE_LAMBDA {
                       const Packed* HWY_RESTRICT row = input + columns[k] * (kWords * kLanes);
                       VF product = hn::Zero(F32());
#pragma GCC unroll 16
                       for (std::size_t w = 0; w < kWords; ++w)
                         product =
                             AddPairProduct<kNative>(x[w], hn::Load(d, row + w * kLanes), product);
                       return product;
                     });
    }
  });
}

/// spread[columns[k]] += weights[k] * delta_j, for a layer that has many more outputs than inputs.
/// Deltas are read in order, and only the few rows of the inputs at random. Sums are added in the
/// order in which a transposed layer would add them.
HWY_NOINLINE HWY_MAYBE_UNUSED void SpreadSums(const Connections& layer, std::size_t begin,
                                              std::size_t end, const Packed* HWY_RESTRICT delta,
                                              std::size_t stride, float* HWY_RESTRICT spread) {
  WithVectors(stride, [&]<std::size_t N, bool>() HWY_ATTR {
    const F32 d;
    constexpr std::size_t kLanes = hn::MaxLanes(F32());
    const std::uint32_t* HWY_RESTRICT columns = layer.columns;
    const std::uint64_t* HWY_RESTRICT offsets = layer.offsets;
    const float* HWY_RESTRICT weights = layer.weights;
    for (std::size_t j = begin; j < end; ++j, delta += words_of(N) * kLanes) {
      VF x[N];
      ForVectors<N>(delta, [&](std::size_t v, VF y) QS_INLINE_LAMBDA { x[v] = y; });
      for (std::uint64_t k = offsets[j]; k < offsets[j + 1]; ++k) {
        const VF weight = hn::Set(d, weights[k]);
        float* HWY_RESTRICT sum = spread + columns[k] * (N * kLanes);
#pragma GCC unroll 16
        for (std::size_t v = 0; v < N; ++v) {
          const VF before = hn::Load(d, sum + v * kLanes);
          hn::Store(hn::MulAdd(weight, x[v], before), d, sum + v * kLanes);
        }
      }
    }
  });
}

/// Deltas of neurons [begin, end), one after the other: packed, and the gradients of their biases.
HWY_INLINE void PackDeltas(std::size_t begin, std::size_t end, const float* HWY_RESTRICT delta,
                           std::size_t stride, Packed* HWY_RESTRICT packed, const GradientJob& to) {
  const F32 d;
  const U32 d32;
  constexpr std::size_t kLanes = hn::MaxLanes(F32());
  for (std::size_t j = begin; j < end; ++j, delta += stride) {
    VF sum = hn::Zero(d);
    for (std::size_t s = 0; s < stride; s += 2 * kLanes, packed += kLanes) {
      const VF lower = hn::Load(d, delta + s);
      const VF upper = s + kLanes < stride ? hn::Load(d, delta + s + kLanes) : hn::Zero(d);
      sum = hn::Add(sum, hn::Add(lower, upper));
      hn::Store(PackPair(lower, upper), d32, packed);
    }
    const float of_bias = to.scale * hn::GetLane(hn::SumOfLanes(d, sum));
    to.bias[j] = to.before != 0 ? to.before * to.bias[j] + of_bias : of_bias;
  }
}

}  // namespace quickselection::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
