// src/kernels/random/random-inl.h: Philox and normal numbers in SIMD lanes. Included once per SIMD
// level.
#if defined(QS_RANDOM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QS_RANDOM_INL_H_
#undef QS_RANDOM_INL_H_
#else
#define QS_RANDOM_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "kernels/random/random.h"

HWY_BEFORE_NAMESPACE();
namespace quickselection::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using F32 = hn::ScalableTag<float>;
using U32 = hn::ScalableTag<std::uint32_t>;
using U64 = hn::ScalableTag<std::uint64_t>;
using VF = hn::Vec<F32>;
using VU = hn::Vec<U32>;
using VQ = hn::Vec<U64>;

/// Seed, purpose and the counter words that are the same in all lanes.
struct LaneKey {
  std::uint32_t key0, key1, c, purpose;
  LaneKey(std::uint64_t seed, Purpose p, std::uint32_t third)
      : key0(static_cast<std::uint32_t>(seed)),
        key1(static_cast<std::uint32_t>(seed >> 32)),
        c(third),
        purpose(static_cast<std::uint32_t>(p)) {}
};

struct Bits {
  VU word[4];
};

/// Philox on half the lanes. Counters live in the low 32 bits of 64-bit lanes; what a product
/// leaves in the high bits is ignored by the next one.
HWY_INLINE void PhiloxHalf(const LaneKey& key, VQ c0, VQ c1, VQ* HWY_RESTRICT out) {
  const U64 d;
  const U32 d32;
  const VU m0 = hn::Set(d32, 0xD2511F53u), m1 = hn::Set(d32, 0xCD9E8D57u);
  VQ c2 = hn::Set(d, key.c), c3 = hn::Set(d, key.purpose);
  std::uint32_t k0 = key.key0, k1 = key.key1;
  for (int round = 0; round < 7; ++round) {
    const VQ p0 = hn::MulEven(hn::BitCast(d32, c0), m0);
    const VQ p1 = hn::MulEven(hn::BitCast(d32, c2), m1);
    c0 = hn::Xor3(hn::ShiftRight<32>(p1), c1, hn::Set(d, k0));
    c2 = hn::Xor3(hn::ShiftRight<32>(p0), c3, hn::Set(d, k1));
    c1 = p1;
    c3 = p0;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  out[0] = c0;
  out[1] = c1;
  out[2] = c2;
  out[3] = c3;
}

/// 128 bits for each lane, equal to random_block(seed, purpose, a[lane], b[lane], c).
HWY_INLINE Bits PhiloxLanes(const LaneKey& key, VU a, VU b) {
  const U32 d32;
  const hn::Half<U32> half;
  const U64 d;
  VQ low[4], high[4];
  PhiloxHalf(key, hn::PromoteTo(d, hn::LowerHalf(half, a)),
             hn::PromoteTo(d, hn::LowerHalf(half, b)), low);
  PhiloxHalf(key, hn::PromoteTo(d, hn::UpperHalf(half, a)),
             hn::PromoteTo(d, hn::UpperHalf(half, b)), high);
  Bits bits;
  for (int i = 0; i < 4; ++i)
    bits.word[i] = hn::ConcatEven(d32, hn::BitCast(d32, high[i]), hn::BitCast(d32, low[i]));
  return bits;
}

/// Two independent N(0, 1) numbers from 32 bits (Box-Muller): 16 bits choose the radius, 14 an
/// angle within a quarter turn, 2 the quarter. The largest number is 4.86.
HWY_INLINE void NormalPair(VU bits, VF& first, VF& second) {
  const F32 d;
  const U32 d32;
  const hn::RebindToSigned<U32> di;
  const VF one = hn::Set(d, 1.0f);

  // radius^2 = -2 ln((k + 1/2) / 65536), with ln from exponent and mantissa; it is above 0.
  const VF k = hn::ConvertTo(d, hn::BitCast(di, hn::ShiftRight<16>(bits)));
  const VF x = hn::MulAdd(k, hn::Set(d, 0x1p-16f), hn::Set(d, 0x1p-17f));
  const auto xi = hn::BitCast(di, x);
  // Split at 3/4 so that the mantissa m lies in [0.75, 1.5) and ln(1) is exact.
  const auto exponent = hn::ShiftRight<23>(hn::Sub(xi, hn::Set(di, 0x3F400000)));
  const VF m = hn::BitCast(d, hn::Sub(xi, hn::ShiftLeft<23>(exponent)));
  const VF e = hn::ConvertTo(d, exponent);
  // ln(m) = 2 atanh(t), t = (m - 1) / (m + 1), |t| <= 0.2; all of it times -2.
  const VF t = hn::Div(hn::Sub(m, one), hn::Add(m, one));
  const VF t2 = hn::Mul(t, t);
  VF series = hn::MulAdd(t2, hn::Set(d, -4.0f / 7), hn::Set(d, -4.0f / 5));
  series = hn::MulAdd(t2, series, hn::Set(d, -4.0f / 3));
  series = hn::MulAdd(t2, series, hn::Set(d, -4.0f));
  const VF radius = hn::Sqrt(hn::MulAdd(t, series, hn::Mul(e, hn::Set(d, -2 * 0.69314718f))));

  // Angle in (-pi/4, pi/4): sine and cosine by their series.
  const VU fraction = hn::And(bits, hn::Set(d32, 0x3FFFu));
  const VF turn = hn::Sub(hn::ConvertTo(d, hn::BitCast(di, fraction)), hn::Set(d, 8191.5f));
  const VF angle = hn::Mul(turn, hn::Set(d, 9.58737992e-5f));  // pi / 2 / 16384
  const VF a2 = hn::Mul(angle, angle);
  VF sine = hn::MulAdd(a2, hn::Set(d, -1.0f / 5040), hn::Set(d, 1.0f / 120));
  sine = hn::MulAdd(a2, sine, hn::Set(d, -1.0f / 6));
  sine = hn::MulAdd(hn::Mul(a2, sine), angle, angle);
  VF cosine = hn::MulAdd(a2, hn::Set(d, -1.0f / 720), hn::Set(d, 1.0f / 24));
  cosine = hn::MulAdd(a2, cosine, hn::Set(d, -0.5f));
  cosine = hn::MulAdd(a2, cosine, one);

  // Bit 15 mirrors the cosine, bit 14 exchanges the two: together the four quarters.
  const VU sign = hn::ShiftLeft<16>(hn::And(bits, hn::Set(d32, 0x8000u)));
  cosine = hn::Xor(cosine, hn::BitCast(d, sign));
  const auto swap = hn::RebindMask(d, hn::TestBit(bits, hn::Set(d32, 0x4000u)));
  first = hn::Mul(radius, hn::IfThenElse(swap, sine, cosine));
  second = hn::Mul(radius, hn::IfThenElse(swap, cosine, sine));
}

}  // namespace quickselection::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
