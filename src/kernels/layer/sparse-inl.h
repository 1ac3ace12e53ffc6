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
  constexpr std::size_t kMost = max_panel(hn::MaxLanes(F32())) / hn::MaxLanes(F32());
  switch (stride / hn::MaxLanes(F32())) {
#define QS_VECTORS(N) \
  case N:             \
    return body.template operator()<HWY_MIN(N, kMost)>();
    QS_VECTORS(1)
    QS_VECTORS(2)
    QS_VECTORS(3)
    QS_VECTORS(4)
    QS_VECTORS(5)
    QS_VECTORS(6)
#if HWY_MAX_BYTES <= 16
    QS_VECTORS(7) QS_VECTORS(8) QS_VECTORS(9) QS_VECTORS(10) QS_VECTORS(11) QS_VECTORS(12)
#endif
#undef QS_VECTORS
  }
}

/// Which connections of neuron j are meant: begins[j] … ends[j] - 1.
struct Runs {
  const std::uint64_t *begins, *ends;
  explicit Runs(const Connections& layer) : begins(layer.offsets), ends(layer.offsets + 1) {}
  Runs(const InputBlocks& blocks, std::size_t block)
      : begins(blocks.cuts + block * blocks.neurons), ends(begins + blocks.neurons) {}
};

/// out[j - begin] = bias[j] + sum_k weights[k] * input[columns[k]] over the connections of every
/// neuron j of a range; rows are `stride` long, and without biases sums go on from what is there.
/// The loop over neurons is in here because neurons have few connections.
HWY_NOINLINE HWY_MAYBE_UNUSED void WeightedSums(const Connections& layer, const Runs& runs,
                                                std::size_t begin, std::size_t end,
                                                const float* HWY_RESTRICT bias,
                                                const float* HWY_RESTRICT input, std::size_t stride,
                                                float* HWY_RESTRICT out) {
  WithVectors(stride, [&]<std::size_t N>() HWY_ATTR {
    const F32 d;
    constexpr std::size_t kLanes = hn::MaxLanes(F32());
    const std::uint64_t *const begins = runs.begins, *const ends = runs.ends;
    const std::uint32_t* HWY_RESTRICT columns = layer.columns;
    const float* HWY_RESTRICT weights = layer.weights;
    for (std::size_t j = begin; j < end; ++j, out += N * kLanes) {
      VF sum[N];
#pragma GCC unroll 16
      for (std::size_t v = 0; v < N; ++v)
        sum[v] = bias != nullptr ? hn::Set(d, bias[j]) : hn::Load(d, out + v * kLanes);
      std::uint64_t k = begins[j];
#pragma GCC unroll 4
      for (const std::uint64_t last = ends[j]; k < last; ++k) {
        const VF weight = hn::Set(d, weights[k]);
        const float* HWY_RESTRICT row = input + columns[k] * (N * kLanes);
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

/// to[i] = sums[i], or added to what is there, for i < n < 4.
HWY_INLINE void StoreSome(hn::Vec<F128> sums, std::size_t n, bool add, float* HWY_RESTRICT to) {
  const F128 d4;
#if HWY_TARGET <= HWY_AVX2
  const auto some = hn::FirstN(d4, n);
  if (add) sums = hn::Add(sums, hn::MaskedLoad(some, d4, to));
  hn::BlendedStore(sums, some, d4, to);
#else
  HWY_ALIGN float rest[4];
  hn::Store(sums, d4, rest);
  for (std::size_t i = 0; i < n; ++i) to[i] = add ? to[i] + rest[i] : rest[i];
#endif
}

/// The gradients of one neuron's connections [k, last), four at a time. dot(k, 1) is the product of
/// the two rows that connection k joins, still in lanes. The rest of fewer than four goes through
/// the same additions, filled up with dot(last - 1, 0), which must leave no trace: the number of
/// connections is hard to predict, and a wrong guess costs more than a row that is in the cache.
template <class Dot>
HWY_INLINE void StoreGradients(std::uint64_t k, std::uint64_t last, float factor, bool add,
                               float* HWY_RESTRICT gradient, Dot&& dot) {
  const F128 d4;
  const auto scale = hn::Set(d4, factor);
  for (; k + 4 <= last; k += 4) {
    const VF a = dot(k, 1.0f), b = dot(k + 1, 1.0f), c = dot(k + 2, 1.0f), e = dot(k + 3, 1.0f);
    auto four = hn::Mul(SumFour(a, b, c, e), scale);
    if (add) four = hn::Add(four, hn::LoadU(d4, gradient + k));
    hn::StoreU(four, d4, gradient + k);
  }
  if (k == last) return;
  const VF a = dot(k, 1.0f);
  const VF b = dot(HWY_MIN(k + 1, last - 1), k + 1 < last ? 1.0f : 0.0f);
  const VF c = dot(HWY_MIN(k + 2, last - 1), k + 2 < last ? 1.0f : 0.0f);
  const auto rest = hn::Mul(SumFour(a, b, c, hn::Zero(F32())), scale);
  StoreSome(rest, last - k, add, gradient + k);
}

/// gradient[k] = scale * <delta_j, input[columns[k]]> for the connections of neurons j in a range;
/// delta[0] is that of neuron `begin`.
HWY_NOINLINE HWY_MAYBE_UNUSED void Gradients(const Connections& layer, const Runs& runs,
                                             std::size_t begin, std::size_t end,
                                             const float* HWY_RESTRICT delta,
                                             const float* HWY_RESTRICT input, std::size_t stride,
                                             const GradientJob& to) {
  WithVectors(stride, [&]<std::size_t N>() HWY_ATTR {
    const F32 d;
    constexpr std::size_t kLanes = hn::MaxLanes(F32());
    const std::uint32_t* HWY_RESTRICT columns = layer.columns;
    float* HWY_RESTRICT gradient = to.weights;
    const float scale = to.scale;
    const bool add = to.add;
    for (std::size_t j = begin; j < end; ++j, delta += N * kLanes) {
      VF x[N];
#pragma GCC unroll 16
      for (std::size_t v = 0; v < N; ++v) x[v] = hn::Load(d, delta + v * kLanes);
      StoreGradients(runs.begins[j], runs.ends[j], scale, add, gradient,
                     [&](std::uint64_t k, float) HWY_ATTR {
                       const float* HWY_RESTRICT row = input + columns[k] * (N * kLanes);
                       VF sum = hn::Mul(x[0], hn::Load(d, row));
#pragma GCC unroll 16
                       for (std::size_t v = 1; v < N; ++v)
                         sum = hn::MulAdd(x[v], hn::Load(d, row + v * kLanes), sum);
                       return sum;
                     });
    }
  });
}

/// Both products of a transposed layer in one pass, because the deltas have to come from the L2
/// cache: out[j - begin] = sum_k weights[k] * delta[columns[k]], and
/// gradient[k] = scale * <input_j, delta[columns[k]]>; input[0] is that of neuron `begin`.
HWY_NOINLINE HWY_MAYBE_UNUSED void SumsAndGradients(
    const Connections& layer, std::size_t begin, std::size_t end, const float* HWY_RESTRICT input,
    const float* HWY_RESTRICT delta, std::size_t stride, const GradientJob& to,
    float* HWY_RESTRICT gradient, float* HWY_RESTRICT out) {
  WithVectors(stride, [&]<std::size_t N>() HWY_ATTR {
    const F32 d;
    constexpr std::size_t kLanes = hn::MaxLanes(F32());
    const std::uint32_t* HWY_RESTRICT columns = layer.columns;
    const std::uint64_t* HWY_RESTRICT offsets = layer.offsets;
    const float* HWY_RESTRICT weights = layer.weights;
    const float scale = to.scale;
    const bool add = to.add;
    for (std::size_t j = begin; j < end; ++j, input += N * kLanes, out += N * kLanes) {
      VF x[N], sum[N];
#pragma GCC unroll 16
      for (std::size_t v = 0; v < N; ++v) {
        x[v] = hn::Load(d, input + v * kLanes);
        sum[v] = hn::Zero(d);
      }
      StoreGradients(offsets[j], offsets[j + 1], scale, add, gradient,
                     [&](std::uint64_t k, float times) HWY_ATTR {
                       const VF weight = hn::Set(d, times * weights[k]);
                       const float* HWY_RESTRICT row = delta + columns[k] * (N * kLanes);
                       VF product = hn::Zero(d);
#pragma GCC unroll 16
                       for (std::size_t v = 0; v < N; ++v) {
                         const VF y = hn::Load(d, row + v * kLanes);
                         sum[v] = hn::MulAdd(weight, y, sum[v]);
                         product = v == 0 ? hn::Mul(x[v], y) : hn::MulAdd(x[v], y, product);
                       }
                       return product;
                     });
#pragma GCC unroll 16
      for (std::size_t v = 0; v < N; ++v) hn::Store(sum[v], d, out + v * kLanes);
    }
  });
}

/// The same two products of a layer that is stored by output and has many more outputs than inputs:
/// spread[columns[k]] += weights[k] * delta_j, and gradient[k] = scale * <delta_j,
/// input[columns[k]]>. Deltas are read in order, and only the few rows of the inputs at random.
/// Sums are added in the order in which a transposed layer would add them.
HWY_NOINLINE HWY_MAYBE_UNUSED void SpreadAndGradients(const Connections& layer, std::size_t begin,
                                                      std::size_t end,
                                                      const float* HWY_RESTRICT delta,
                                                      const float* HWY_RESTRICT input,
                                                      std::size_t stride, const GradientJob& to,
                                                      float* HWY_RESTRICT spread) {
  WithVectors(stride, [&]<std::size_t N>() HWY_ATTR {
    const F32 d;
    constexpr std::size_t kLanes = hn::MaxLanes(F32());
    const std::uint32_t* HWY_RESTRICT columns = layer.columns;
    const std::uint64_t* HWY_RESTRICT offsets = layer.offsets;
    const float* HWY_RESTRICT weights = layer.weights;
    float* HWY_RESTRICT gradient = to.weights;
    const float scale = to.scale;
    const bool add = to.add;
    for (std::size_t j = begin; j < end; ++j, delta += N * kLanes) {
      VF x[N];
#pragma GCC unroll 16
      for (std::size_t v = 0; v < N; ++v) x[v] = hn::Load(d, delta + v * kLanes);
      StoreGradients(offsets[j], offsets[j + 1], scale, add, gradient,
                     [&](std::uint64_t k, float times) HWY_ATTR {
                       const VF weight = hn::Set(d, times * weights[k]);
                       const std::size_t place = columns[k] * (N * kLanes);
                       VF product = hn::Zero(d);
#pragma GCC unroll 16
                       for (std::size_t v = 0; v < N; ++v) {
                         float* HWY_RESTRICT sum = spread + place + v * kLanes;
                         hn::Store(hn::MulAdd(weight, x[v], hn::Load(d, sum)), d, sum);
                         const VF y = hn::Load(d, input + place + v * kLanes);
                         product = v == 0 ? hn::Mul(x[v], y) : hn::MulAdd(x[v], y, product);
                       }
                       return product;
                     });
    }
  });
}

/// bias[j] = scale * the sum of row j of the deltas, or added to what is there.
HWY_INLINE void BiasGradients(std::size_t begin, std::size_t end, const float* HWY_RESTRICT delta,
                              std::size_t stride, const GradientJob& to) {
  const F32 d;
  for (std::size_t j = begin; j < end; ++j, delta += stride) {
    VF sum = hn::Load(d, delta);
    for (std::size_t s = hn::MaxLanes(d); s < stride; s += hn::MaxLanes(d))
      sum = hn::Add(sum, hn::Load(d, delta + s));
    const float of_bias = to.scale * hn::GetLane(hn::SumOfLanes(d, sum));
    to.bias[j] = to.add ? to.bias[j] + of_bias : of_bias;
  }
}

}  // namespace quickselection::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
