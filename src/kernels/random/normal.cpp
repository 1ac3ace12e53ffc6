// src/kernels/random/normal.cpp: long runs of normal numbers.
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/random/normal.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "kernels/random/random-inl.h"
#include "kernels/random/random.h"

HWY_BEFORE_NAMESPACE();
namespace quickselection::kernels::HWY_NAMESPACE {

// Counter i gives the eight numbers 8i … 8i+7, at every SIMD level alike.
void FillNormal(float* out, std::size_t n, float scale, std::uint64_t seed, Purpose purpose,
                std::uint32_t b, std::uint32_t c) {
  const F32 d;
  const U32 d32;
  const std::size_t lanes = hn::Lanes(d);
  const LaneKey key(seed, purpose, c);
  alignas(64) float block[8 * hn::MaxLanes(F32())];
  for (std::size_t first = 0; first < n; first += 8 * lanes) {
    const VU counter = hn::Iota(d32, static_cast<std::uint32_t>(first / 8));
    const Bits bits = PhiloxLanes(key, counter, hn::Set(d32, b));
    for (std::size_t pair = 0; pair < 4; ++pair) {
      VF x, y;
      NormalPair(bits.word[pair], x, y);
      hn::Store(x, d, block + 2 * pair * lanes);
      hn::Store(y, d, block + (2 * pair + 1) * lanes);
    }
    const std::size_t count = std::min(n - first, 8 * lanes);
    for (std::size_t i = 0; i < count; ++i) out[first + i] = scale * block[(i % 8) * lanes + i / 8];
  }
}

}  // namespace quickselection::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace quickselection::kernels {

HWY_EXPORT(FillNormal);

void fill_normal(float* out, std::size_t n, float scale, std::uint64_t seed, Purpose purpose,
                 std::uint32_t b, std::uint32_t c) noexcept {
  HWY_DYNAMIC_DISPATCH(FillNormal)(out, n, scale, seed, purpose, b, c);
}

}  // namespace quickselection::kernels
#endif
