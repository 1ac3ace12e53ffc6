// src/kernels/layer.cpp: the phases of layer.h, compiled once for each SIMD level.
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/layer.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "kernels/activation-inl.h"
#include "kernels/layer.h"
#include "kernels/random-inl.h"
#include "kernels/sparse-inl.h"
#include "kernels/update-inl.h"

HWY_BEFORE_NAMESPACE();
namespace quickselection::kernels::HWY_NAMESPACE {

constexpr std::size_t kLanes = hn::MaxLanes(F32());

/// Which samples keep the units of one block of kDropoutBlock, as lane masks.
class DropoutMasks {
 public:
  DropoutMasks(const Dropout& dropout, std::size_t stride, std::size_t samples)
      : dropout_(dropout),
        stride_(stride),
        threshold_(static_cast<std::uint32_t>(dropout.rate * 65536.0f + 0.5f)) {
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
HWY_INLINE void ActivateRow(float* HWY_RESTRICT row, const std::uint32_t* HWY_RESTRICT keep,
                            std::size_t stride, float scale) {
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

void Forward(const ForwardJob& job, std::size_t begin, std::size_t end) {
  const bool drops = job.dropout.rate > 0;
  DropoutMasks masks(job.dropout, job.stride, drops ? job.samples : 0);
  for (std::size_t j = begin; j < end; ++j) {
    const std::uint64_t first = job.layer.offsets[j], last = job.layer.offsets[j + 1];
    float* out = job.output + j * job.stride;
    WeightedSum(job.layer.weights + first, job.layer.columns + first, last - first, job.input,
                job.stride, job.bias[j], out);
    const std::uint32_t* keep = drops ? masks.Row(j) : nullptr;
    WithActivation(job.activation,
                   [&]<Activation kind>() { ActivateRow<kind>(out, keep, job.stride, job.scale); });
  }
}

/// Collects the gradients of consecutive rows and applies them in long runs: rows are short, and
/// their connections lie side by side. Nothing else reads a row's weights in this phase.
class Updates {
 public:
  Updates(const UpdateJob& update, const SparseRows& layer, const float* input, std::size_t stride)
      : update_(update), layer_(layer), input_(input), stride_(stride) {}

  /// The gradient of row j from its delta. Rows must come in order.
  HWY_NOINLINE void Add(const float* delta, std::size_t j) {
    const F32 d;
    VF sum = hn::Zero(d);
    for (std::size_t s = 0; s < stride_; s += kLanes) sum = hn::Add(sum, hn::Load(d, delta + s));
    if (rows_ == kRows) FlushBias();
    if (rows_ == 0) first_row_ = j;
    bias_gradient_[rows_++] = update_.inverse_batch * hn::GetLane(hn::SumOfLanes(d, sum));

    const std::uint64_t last = layer_.offsets[j + 1];
    for (std::uint64_t k = layer_.offsets[j]; k < last;) {
      if (count_ == kRun) FlushWeights();
      if (count_ == 0) first_ = k;
      const std::size_t count = HWY_MIN(kRun - count_, last - k);
      RowGradient(delta, layer_.columns + k, count, input_, stride_, update_.inverse_batch,
                  gradient_ + count_);
      count_ += count;
      k += count;
    }
  }

  void Flush() {
    FlushBias();
    FlushWeights();
  }

 private:
  static constexpr std::size_t kRun = 512, kRows = 64;

  void FlushWeights() {
    Apply(update_, count_, gradient_, update_.gradient + first_, update_.weights + first_,
          update_.state1 + first_, update_.state2 + first_);
    count_ = 0;
  }
  void FlushBias() {
    Apply(update_, rows_, bias_gradient_, update_.bias_gradient + first_row_,
          update_.bias + first_row_, update_.bias_state1 + first_row_,
          update_.bias_state2 + first_row_);
    rows_ = 0;
  }

  const UpdateJob& update_;
  const SparseRows& layer_;
  const float* input_;
  std::size_t stride_;
  std::uint64_t first_ = 0;
  std::size_t count_ = 0, first_row_ = 0, rows_ = 0;
  alignas(64) float gradient_[kRun + 4];  // RowGradient writes whole groups of four
  alignas(64) float bias_gradient_[kRows];
};

/// From the weighted sums in `row`: target becomes delta; returns the sum of squared errors.
template <Activation kind>
HWY_INLINE float DeltaRow(const float* HWY_RESTRICT row, float* HWY_RESTRICT target,
                          std::size_t stride, std::size_t samples) {
  const F32 d;
  VF loss = hn::Zero(d);
  for (std::size_t s = 0; s < stride; s += kLanes) {
    const VF y = Activate<kind>(hn::Load(d, row + s));
    VF error = hn::Sub(y, hn::Load(d, target + s));
    if (s + kLanes > samples)  // the padding must not learn
      error = hn::IfThenElseZero(hn::FirstN(d, s < samples ? samples - s : 0), error);
    loss = hn::MulAdd(error, error, loss);
    hn::Store(hn::Mul(error, Derivative<kind>(y)), d, target + s);
  }
  return hn::GetLane(hn::SumOfLanes(d, loss));
}

void Output(const OutputJob& job, std::size_t begin, std::size_t end) {
  alignas(64) float result[kMaxStride];
  Updates updates(job.update, job.layer, job.input, job.stride);
  for (std::size_t j = begin; j < end; ++j) {
    const std::uint64_t first = job.layer.offsets[j], last = job.layer.offsets[j + 1];
    WeightedSum(job.layer.weights + first, job.layer.columns + first, last - first, job.input,
                job.stride, job.bias[j], result);
    float* target = job.target + j * job.stride;
    job.row_loss[j] += WithActivation(job.activation, [&]<Activation kind>() {
      return DeltaRow<kind>(result, target, job.stride, job.samples);
    });
    updates.Add(target, j);
  }
  updates.Flush();
}

/// delta = sum * a', from the activations of a row. Without a derivative that depends on their size
/// (relu, linear) faint ones need not be restored.
template <Activation kind>
HWY_INLINE void SlopeRow(const float* HWY_RESTRICT output, const float* HWY_RESTRICT sum,
                         float* HWY_RESTRICT delta, std::size_t stride, bool dropout) {
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

void Backward(const BackwardJob& job, std::size_t begin, std::size_t end) {
  alignas(64) float sum[kMaxStride], local[kMaxStride];
  Updates updates(job.update, job.layer, job.input, job.stride);
  for (std::size_t j = begin; j < end; ++j) {
    const std::uint64_t first = job.upper.offsets[j], last = job.upper.offsets[j + 1];
    WeightedSum(job.upper.weights + first, job.upper.columns + first, last - first, job.upper_delta,
                job.stride, 0.0f, sum);
    if (job.update.last_tile)
      for (std::uint64_t k = first; k < last; ++k)
        job.upper_weights[k] = job.upper_source[job.upper_position[k]];
    float* delta = job.delta != nullptr ? job.delta + j * job.stride : local;
    WithActivation(job.activation, [&]<Activation kind>() {
      SlopeRow<kind>(job.output + j * job.stride, sum, delta, job.stride, job.dropout);
    });
    updates.Add(delta, j);
  }
  updates.Flush();
}

}  // namespace quickselection::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace quickselection::kernels {

HWY_EXPORT(Forward);
HWY_EXPORT(Output);
HWY_EXPORT(Backward);

void forward(const ForwardJob& job, std::size_t begin, std::size_t end) noexcept {
  HWY_DYNAMIC_DISPATCH(Forward)(job, begin, end);
}
void output(const OutputJob& job, std::size_t begin, std::size_t end) noexcept {
  HWY_DYNAMIC_DISPATCH(Output)(job, begin, end);
}
void backward(const BackwardJob& job, std::size_t begin, std::size_t end) noexcept {
  HWY_DYNAMIC_DISPATCH(Backward)(job, begin, end);
}

}  // namespace quickselection::kernels
#endif
