// src/kernels/layer/neurons-inl.h: what a layer does to one row of a tile beside its products:
// dropout, activation, error, slope. Included per SIMD level.
#if defined(QS_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef QS_ROWS_INL_H_
#undef QS_ROWS_INL_H_
#else
#define QS_ROWS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "kernels/layer/activation-inl.h"
#include "kernels/layer/layer.h"
#include "kernels/layer/packed-inl.h"
#include "kernels/random/random-inl.h"

HWY_BEFORE_NAMESPACE();
namespace quickselection::kernels::HWY_NAMESPACE {

using FloatMask = hn::Mask<F32>;

/// Which samples keep the units of a block of kDropoutBlock.
class DropoutMasks {
 public:
  DropoutMasks(const Dropout& dropout, std::size_t stride, std::size_t samples)
      : key_(dropout.seed, Purpose::dropout, dropout.epoch), layer_(dropout.layer) {
    const long threshold = std::min(std::lround(dropout.rate * 65536.0f), 65535l);
    used_ = threshold > 0;
    dropped_ = (static_cast<std::uint32_t>(threshold) << 16) - 1;
    for (std::size_t s = 0; used_ && s < stride; ++s)
      ids_[s] = dropout.row_ids[s < samples ? s : 0];
  }

  bool used() const { return used_; }

  /// For the vector of samples that begins with s. The units of a block share 128 random bits of
  /// each sample, 16 for each.
  HWY_INLINE void Find(std::size_t block, std::size_t s, FloatMask* HWY_RESTRICT keep) const {
    const F32 d;
    const U32 d32;
    const auto place = static_cast<std::uint32_t>(block) * 64 + layer_;
    const Bits bits = PhiloxLanes(key_, hn::Set(d32, place), hn::Load(d32, ids_ + s));
    const VU dropped = hn::Set(d32, dropped_);
#pragma GCC unroll 4
    for (std::size_t w = 0; w < 4; ++w) {
      keep[2 * w] = hn::RebindMask(d, hn::Gt(hn::ShiftLeft<16>(bits.word[w]), dropped));
      keep[2 * w + 1] = hn::RebindMask(d, hn::Gt(bits.word[w], dropped));
    }
  }

 private:
  bool used_ = false;
  LaneKey key_;
  std::uint32_t layer_, dropped_;  // the largest word whose upper half drops a unit
  alignas(64) std::uint32_t ids_[kMaxStride];
};

/// Calls store(j, s, y) with the activations of all vectors of neurons [first, last), whose sums
/// begin at `sums`: scaled, or faint where a sample does not keep the unit.
template <Activation kind, class Store>
HWY_INLINE void ActivateNeurons(const DropoutMasks& masks, std::size_t first, std::size_t last,
                                const float* sums, std::size_t stride, float scale, Store&& store) {
  const F32 d;
  const VF faint = hn::Set(d, kFaint), factor = hn::Set(d, scale);
  while (first < last) {
    const std::size_t block = first / kDropoutBlock;
    const std::size_t end = HWY_MIN(last, (block + 1) * kDropoutBlock);
    for (std::size_t s = 0; s < stride; s += hn::MaxLanes(d)) {
      FloatMask keep[kDropoutBlock];
      if (masks.used()) masks.Find(block, s, keep);
      const float* row = sums + s;
      for (std::size_t j = first; j < end; ++j, row += stride) {
        VF y = Activate<kind>(hn::Load(d, row));
        if (masks.used())
          y = hn::IfThenElse(keep[j % kDropoutBlock], y, hn::Mul(y, faint));
        else
          y = hn::Mul(y, factor);
        store(j, s, y);
      }
    }
    sums += (end - first) * stride;
    first = end;
  }
}

/// From the weighted sums in `row` and the target, which may be the same as delta; returns the sum
/// of squared errors.
template <Activation kind>
HWY_INLINE float DeltaNeuron(const float* HWY_RESTRICT row, const float* target, float* delta,
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
    hn::Store(error, d, delta + s);
  }
  return hn::GetLane(hn::SumOfLanes(d, squares));
}

/// sum * a', from activations. Without a derivative that depends on their size (relu, linear) faint
/// ones need not be restored.
template <Activation kind>
HWY_INLINE VF SlopeVector(VF y, VF sum, bool dropout) {
  const F32 d;
  constexpr bool kSized = kind == Activation::sigmoid || kind == Activation::tanh;
  if (kSized && dropout) {
    const auto faint = hn::Lt(hn::Abs(y), hn::Set(d, kFaintLimit));
    // No activation exceeds 1: should a kept one ever be that small, its slope is merely 0.
    const VF bright = hn::Min(hn::Mul(hn::Abs(y), hn::Set(d, kBright)), hn::Set(d, 1.0f));
    y = hn::IfThenElse(faint, bright, y);  // the sign does not matter to either slope
  }
  return hn::Mul(sum, Derivative<kind>(y));
}

/// A row of deltas in place of the sums.
template <Activation kind>
HWY_INLINE void SlopeNeuron(const float* HWY_RESTRICT output, float* HWY_RESTRICT sum,
                            std::size_t stride, bool dropout) {
  const F32 d;
  for (std::size_t s = 0; s < stride; s += hn::MaxLanes(d))
    hn::Store(SlopeVector<kind>(hn::Load(d, output + s), hn::Load(d, sum + s), dropout), d,
              sum + s);
}
template <Activation kind>
HWY_INLINE void SlopeNeuron(const Packed* HWY_RESTRICT output, float* HWY_RESTRICT sum,
                            std::size_t stride, bool dropout) {
  constexpr std::size_t kLanes = hn::MaxLanes(F32());
  const F32 d;
  for (std::size_t s = 0; s < stride; s += 2 * kLanes, output += kLanes) {
    const VU pair = hn::Load(U32(), output);
    const auto slope = [&](VF y, float* HWY_RESTRICT at) QS_INLINE_LAMBDA {
      hn::Store(SlopeVector<kind>(y, hn::Load(d, at), dropout), d, at);
    };
    slope(LowerOfPair(pair), sum + s);
    if (s + kLanes < stride) slope(UpperOfPair(pair), sum + s + kLanes);
  }
}

}  // namespace quickselection::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
