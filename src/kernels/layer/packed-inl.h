// src/kernels/layer/packed-inl.h: packed rows (layer.h) in SIMD lanes. Included per SIMD level.
#if defined(QS_PACKED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QS_PACKED_INL_H_
#undef QS_PACKED_INL_H_
#else
#define QS_PACKED_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>

#include "kernels/dispatch.h"
#include "kernels/layer/layer.h"
#include "kernels/random/random-inl.h"

HWY_BEFORE_NAMESPACE();
namespace quickselection::kernels::HWY_NAMESPACE {

/// Words of a packed row of n vectors.
constexpr std::size_t words_of(std::size_t vectors) { return (vectors + 1) / 2; }

/// Both vectors rounded to the nearest, halves away from zero.
HWY_INLINE VU PackPair(VF lower, VF upper) {
  const U32 d;
  const VU half = hn::Set(d, 0x8000u);
  const VU low = hn::ShiftRight<16>(hn::Add(hn::BitCast(d, lower), half));
  return hn::Or(low, hn::And(hn::Add(hn::BitCast(d, upper), half), hn::Set(d, 0xFFFF0000u)));
}
HWY_INLINE VF LowerOfPair(VU pair) { return hn::BitCast(F32(), hn::ShiftLeft<16>(pair)); }
HWY_INLINE VF UpperOfPair(VU pair) {
  return hn::BitCast(F32(), hn::And(pair, hn::Set(U32(), 0xFFFF0000u)));
}

HWY_INLINE void PackRow(const float* HWY_RESTRICT row, std::size_t stride,
                        Packed* HWY_RESTRICT packed) {
  const F32 d;
  constexpr std::size_t kLanes = hn::MaxLanes(F32());
  for (std::size_t s = 0; s < stride; s += 2 * kLanes, packed += kLanes) {
    const VF upper = s + kLanes < stride ? hn::Load(d, row + s + kLanes) : hn::Zero(d);
    hn::Store(PackPair(hn::Load(d, row + s), upper), U32(), packed);
  }
}

/// Calls body(v, vector v) for the N vectors of a row, packed or not.
template <std::size_t N, class Body>
HWY_INLINE void ForVectors(const Packed* HWY_RESTRICT row, Body&& body) {
  const U32 d;
#pragma GCC unroll 16
  for (std::size_t v = 0; v < N; v += 2) {
    const VU pair = hn::Load(d, row + v / 2 * hn::MaxLanes(d));
    body(v, LowerOfPair(pair));
    if (v + 1 < N) body(v + 1, UpperOfPair(pair));
  }
}
template <std::size_t N, class Body>
HWY_INLINE void ForVectors(const float* HWY_RESTRICT row, Body&& body) {
  const F32 d;
#pragma GCC unroll 16
  for (std::size_t v = 0; v < N; ++v) body(v, hn::Load(d, row + v * hn::MaxLanes(d)));
}

/// The product of two packed rows: where the processor has an instruction for it, and in plain
/// single precision.
template <bool kNative>
HWY_INLINE VF AddPairProduct(VU a, VU b, VF sum) {
#if HWY_TARGET == HWY_AVX3
  if constexpr (kNative) {  // no intrinsic: this level is compiled for processors without it, too
    asm("vdpbf16ps %2, %1, %0" : "+v"(sum.raw) : "v"(a.raw), "v"(b.raw));
    return sum;
  }
#endif
  return hn::MulAdd(UpperOfPair(a), UpperOfPair(b),
                    hn::MulAdd(LowerOfPair(a), LowerOfPair(b), sum));
}

/// Calls body with the vectors of a row as a compile-time constant, so that sums stay in registers,
/// and with whether the processor multiplies packed rows by itself.
template <class Body>
HWY_INLINE void WithVectors(std::size_t stride, Body&& body) {
  constexpr std::size_t kMost = max_panel(hn::MaxLanes(F32())) / hn::MaxLanes(F32());
#if HWY_TARGET == HWY_AVX3
  const bool native = multiplies_packed_rows();
#else
  constexpr bool native = false;
#endif
  switch (stride / hn::MaxLanes(F32())) {
#define QS_VECTORS(N)                                                                         \
  case N:                                                                                     \
    if (native) return body.template operator()<HWY_MIN(N, kMost), HWY_TARGET == HWY_AVX3>(); \
    return body.template operator()<HWY_MIN(N, kMost), false>();
    QS_VECTORS(1)
    QS_VECTORS(2)
    QS_VECTORS(3)
    QS_VECTORS(4)
    QS_VECTORS(5)
    QS_VECTORS(6)
#if HWY_MAX_BYTES <= 32
    QS_VECTORS(7) QS_VECTORS(8) QS_VECTORS(9) QS_VECTORS(10) QS_VECTORS(11) QS_VECTORS(12)
#endif
#undef QS_VECTORS
  }
}

}  // namespace quickselection::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
