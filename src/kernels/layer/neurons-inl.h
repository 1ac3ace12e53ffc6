// src/kernels/layer/neurons-inl.h: what a layer does to one row of a tile beside its products:
// dropout, activation, error, slope. Included per SIMD level.
#if defined(QS_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QS_ROWS_INL_H_
#undef QS_ROWS_INL_H_
#else
#define QS_ROWS_INL_H_
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "kernels/layer/activation-inl.h"
#include "kernels/layer/layer.h"
#include "kernels/random/random-inl.h"

HWY_BEFORE_NAMESPACE();
namespace quickselection::kernels::HWY_NAMESPACE {

/// Which samples keep the units of one block of kDropoutBlock, as lane masks.
class DropoutMasks {
 public:
  DropoutMasks(const Dropout& dropout, std::size_t stride, std::size_t samples)
      : dropout_(dropout),
        stride_(stride),
        threshold_(static_cast<std::uint32_t>(std::lround(dropout.rate * 65536.0f))) {
    if (samples == 0) return;  // without dropout there are no ids either
    for (std::size_t s = 0; s < stride; ++s) ids_[s] = dropout.row_ids[s < samples ? s : 0];
  }

  /// Mask row of a unit: all bits set where it is kept.
  const std::uint32_t* Row(std::size_t unit) {
    if (unit / kDropoutBlock != block_) Fill(unit / kDropoutBlock);
    return keep_[unit % kDropoutBlock];
  }

 private:
  // A block's eight units share 128 random bits of each sample, 16 for each.
  void Fill(std::size_t block) {
    constexpr std::size_t kLanes = hn::MaxLanes(F32());
    const U32 d;
    const LaneKey key(dropout_.seed, Purpose::dropout, dropout_.epoch);
    const auto place = static_cast<std::uint32_t>(block) * 64 + dropout_.layer;
    const hn::RebindToSigned<U32> di;  // 16 bits compare the same with a sign
    const auto below = hn::Set(di, static_cast<std::int32_t>(threshold_) - 1);
    const VU low = hn::Set(d, 0xFFFFu);
    for (std::size_t s = 0; s < stride_; s += kLanes) {
      const Bits bits = PhiloxLanes(key, hn::Set(d, place), hn::Load(d, ids_ + s));
      for (std::size_t w = 0; w < 4; ++w) {
        const VU a = hn::And(bits.word[w], low), b = hn::ShiftRight<16>(bits.word[w]);
        const auto keep_a = hn::VecFromMask(di, hn::Gt(hn::BitCast(di, a), below));
        const auto keep_b = hn::VecFromMask(di, hn::Gt(hn::BitCast(di, b), below));
        hn::Store(hn::BitCast(d, keep_a), d, keep_[2 * w] + s);
        hn::Store(hn::BitCast(d, keep_b), d, keep_[2 * w + 1] + s);
      }
    }
    block_ = block;
  }

  const Dropout& dropout_;
  std::size_t stride_, block_ = SIZE_MAX;
  std::uint32_t threshold_;
  alignas(64) std::uint32_t ids_[kMaxStride];
  alignas(64) std::uint32_t keep_[kDropoutBlock][kMaxStride];
};

/// Activates a row in place; `keep` (or null) says which samples keep the unit.
template <Activation kind>
HWY_INLINE void ActivateNeuron(float* HWY_RESTRICT row, const std::uint32_t* HWY_RESTRICT keep,
                               std::size_t stride, float scale) {
  constexpr std::size_t kLanes = hn::MaxLanes(F32());
  const F32 d;
  const U32 d32;
  for (std::size_t s = 0; s < stride; s += kLanes) {
    VF y = Activate<kind>(hn::Load(d, row + s));
    if (keep != nullptr) {
      const auto kept = hn::MaskFromVec(hn::BitCast(d, hn::Load(d32, keep + s)));
      y = hn::IfThenElse(kept, y, hn::Mul(y, hn::Set(d, kFaint)));
    } else {
      y = hn::Mul(y, hn::Set(d, scale));
    }
    hn::Store(y, d, row + s);
  }
}

/// From the weighted sums in `row`: target becomes delta; returns the sum of squared errors.
template <Activation kind>
HWY_INLINE float DeltaNeuron(const float* HWY_RESTRICT row, float* HWY_RESTRICT target,
                             std::size_t stride, std::size_t samples, Loss loss) {
  constexpr std::size_t kLanes = hn::MaxLanes(F32());
  const F32 d;
  VF squares = hn::Zero(d);
  for (std::size_t s = 0; s < stride; s += kLanes) {
    const VF y = Activate<kind>(hn::Load(d, row + s));
    VF error = hn::Sub(y, hn::Load(d, target + s));
    if (s + kLanes > samples)  // the padding must not learn
      error = hn::IfThenElseZero(hn::FirstN(d, s < samples ? samples - s : 0), error);
    squares = hn::MulAdd(error, error, squares);
    if (loss == Loss::squared) error = hn::Mul(error, Derivative<kind>(y));
    hn::Store(error, d, target + s);
  }
  return hn::GetLane(hn::SumOfLanes(d, squares));
}

/// delta = sum * a', from the activations of a row. Without a derivative that depends on their size
/// (relu, linear) faint ones need not be restored.
template <Activation kind>
HWY_INLINE void SlopeNeuron(const float* HWY_RESTRICT output, const float* HWY_RESTRICT sum,
                            float* HWY_RESTRICT delta, std::size_t stride, bool dropout) {
  constexpr std::size_t kLanes = hn::MaxLanes(F32());
  const F32 d;
  constexpr bool kSized = kind == Activation::sigmoid || kind == Activation::tanh;
  for (std::size_t s = 0; s < stride; s += kLanes) {
    VF y = hn::Load(d, output + s);
    if (kSized && dropout) {
      const auto faint = hn::Lt(hn::Abs(y), hn::Set(d, kFaintLimit));
      // No activation exceeds 1: should a kept one ever be that small, its slope is merely 0.
      const VF bright = hn::Min(hn::Mul(hn::Abs(y), hn::Set(d, kBright)), hn::Set(d, 1.0f));
      y = hn::IfThenElse(faint, bright, y);  // the sign does not matter to either slope
    }
    hn::Store(hn::Mul(hn::Load(d, sum + s), Derivative<kind>(y)), d, delta + s);
  }
}

}  // namespace quickselection::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
