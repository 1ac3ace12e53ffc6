// tests/kernels/random/random_lanes_test.cpp: the SIMD side of the random numbers, bit for bit.
// Compiled once for each SIMD level, as the kernels are.
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/random/random_lanes_test.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "kernels/random/random-inl.h"

HWY_BEFORE_NAMESPACE();
namespace quickselection::kernels::HWY_NAMESPACE {

/// out[4 i + w] = word w of the block for (a[i], b[i]), for as many i as a vector has lanes.
void BlocksOfLanes(std::uint64_t seed, Purpose purpose, std::uint32_t c, const std::uint32_t* a,
                   const std::uint32_t* b, std::uint32_t* out) {
  const U32 d;
  const Bits bits = PhiloxLanes(LaneKey(seed, purpose, c), hn::LoadU(d, a), hn::LoadU(d, b));
  HWY_ALIGN std::uint32_t words[hn::MaxLanes(d)];
  for (std::size_t w = 0; w < 4; ++w) {
    hn::Store(bits.word[w], d, words);
    for (std::size_t i = 0; i < hn::Lanes(d); ++i) out[4 * i + w] = words[i];
  }
}

void PairsOfLanes(const std::uint32_t* bits, float* first, float* second) {
  const F32 d;
  VF x, y;
  NormalPair(hn::LoadU(U32(), bits), x, y);
  hn::StoreU(x, d, first);
  hn::StoreU(y, d, second);
}

}  // namespace quickselection::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/dispatch.h"
#include "support/levels.h"
#include "support/reference.h"

namespace quickselection::kernels {

HWY_EXPORT(BlocksOfLanes);
HWY_EXPORT(PairsOfLanes);

namespace {

constexpr std::size_t kMostLanes = 16;

class RandomLanes : public AtEveryLevel {};
QS_AT_EVERY_LEVEL(RandomLanes);

TEST_P(RandomLanes, EqualTheScalarBlocksBitForBit) {
  const std::uint64_t seeds[] = {
      0, 1, 0xFFFFFFFFu, std::uint64_t{1} << 32, 0x123456789ABCDEFu, ~std::uint64_t{0}};
  RandomStream places(1, Purpose::evaluation);
  for (const std::uint64_t seed : seeds)
    for (const Purpose purpose : {Purpose::noise, Purpose::dropout, Purpose::weights})
      for (const std::uint32_t c : {0u, 1u, 0xFFFFFFFFu}) {
        std::uint32_t a[kMostLanes], b[kMostLanes], out[4 * kMostLanes];
        for (std::size_t i = 0; i < kMostLanes; ++i) {
          a[i] = i == 0 ? 0 : i == 1 ? 0xFFFFFFFFu : places.next_u32();
          b[i] = i == 0 ? 0 : i == 2 ? 0xFFFFFFFFu : places.next_u32();
        }
        HWY_DYNAMIC_DISPATCH(BlocksOfLanes)(seed, purpose, c, a, b, out);
        for (std::size_t i = 0; i < lanes(); ++i) {
          const auto expected = random_block(seed, purpose, a[i], b[i], c);
          for (std::size_t w = 0; w < 4; ++w) ASSERT_EQ(out[4 * i + w], expected[w]) << i << w;
        }
      }
}

TEST_P(RandomLanes, MakeNormalPairsFromEveryRadiusAndEveryAngle) {
  std::vector<std::uint32_t> patterns;
  for (std::uint32_t half = 0; half < 65536; ++half)
    for (const std::uint32_t other : {0x0000u, 0x1FFFu, 0x2000u, 0x7FFFu, 0x8000u, 0xFFFFu}) {
      patterns.push_back(half << 16 | other);
      patterns.push_back(other << 16 | half);
    }
  patterns.resize((patterns.size() + kMostLanes - 1) / kMostLanes * kMostLanes);
  double worst = 0;
  for (std::size_t p = 0; p < patterns.size(); p += lanes()) {
    float first[kMostLanes], second[kMostLanes];
    HWY_DYNAMIC_DISPATCH(PairsOfLanes)(patterns.data() + p, first, second);
    for (std::size_t i = 0; i < lanes(); ++i) {
      const auto expected = reference::normal_pair(patterns[p + i]);
      const double radius = std::hypot(expected.first, expected.second);
      const double error = std::hypot(expected.first - first[i], expected.second - second[i]);
      worst = std::max(worst, error / std::max(radius, 0.1));
    }
  }
  // A fifth of the least distance between two neighbouring patterns: no bit can go unnoticed.
  EXPECT_LT(worst, 5e-6);
}

}  // namespace
}  // namespace quickselection::kernels
#endif  // HWY_ONCE
