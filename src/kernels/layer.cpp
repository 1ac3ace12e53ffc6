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

/// Activates a row in place; `keep` (or null) masks dropped samples, `slope` (or null) gets a'.
template <Activation kind>
HWY_INLINE void ActivateRow(float* HWY_RESTRICT row, float* HWY_RESTRICT slope,
                            const std::uint32_t* HWY_RESTRICT keep, std::size_t stride,
                            float scale) {
  const F32 d;
  const U32 d32;
  for (std::size_t s = 0; s < stride; s += kLanes) {
    VF y = Activate<kind>(hn::Load(d, row + s));
    if (slope != nullptr) hn::Store(Derivative<kind>(y), d, slope + s);
    if (keep != nullptr) y = hn::And(y, hn::BitCast(d, hn::Load(d32, keep + s)));
    hn::Store(hn::Mul(y, hn::Set(d, scale)), d, row + s);
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
    float* slope = job.slope != nullptr ? job.slope + j * job.stride : nullptr;
    const std::uint32_t* keep = drops ? masks.Row(j) : nullptr;
    WithActivation(job.activation, [&]<Activation kind>() {
      ActivateRow<kind>(out, slope, keep, job.stride, job.scale);
    });
  }
}

/// Gradient of row j from its delta, then the update of its weights and bias.
HWY_NOINLINE void UpdateRow(const UpdateJob& update, const SparseRows& layer, const float* input,
                            std::size_t stride, const float* delta, std::size_t j) {
  const F32 d;
  VF sum = hn::Zero(d);
  for (std::size_t s = 0; s < stride; s += kLanes) sum = hn::Add(sum, hn::Load(d, delta + s));
  float bias_gradient = update.inverse_batch * hn::GetLane(hn::SumOfLanes(d, sum));
  Apply(update, 1, &bias_gradient, update.bias_gradient + j, update.bias + j,
        update.bias_state1 + j, update.bias_state2 + j);

  // Long rows go in pieces, so that the gradients of a piece stay in the L1 cache.
  constexpr std::size_t kPiece = 512;
  alignas(64) float gradient[kPiece + 4];
  const std::uint64_t last = layer.offsets[j + 1];
  for (std::uint64_t first = layer.offsets[j]; first < last; first += kPiece) {
    const std::size_t count = HWY_MIN(kPiece, last - first);
    RowGradient(delta, layer.columns + first, count, input, stride, update.inverse_batch, gradient);
    Apply(update, count, gradient, update.gradient + first, update.weights + first,
          update.state1 + first, update.state2 + first);
  }
}

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
  for (std::size_t j = begin; j < end; ++j) {
    const std::uint64_t first = job.layer.offsets[j], last = job.layer.offsets[j + 1];
    WeightedSum(job.layer.weights + first, job.layer.columns + first, last - first, job.input,
                job.stride, job.bias[j], result);
    float* target = job.target + j * job.stride;
    job.row_loss[j] += WithActivation(job.activation, [&]<Activation kind>() {
      return DeltaRow<kind>(result, target, job.stride, job.samples);
    });
    UpdateRow(job.update, job.layer, job.input, job.stride, target, j);
  }
}

void Backward(const BackwardJob& job, std::size_t begin, std::size_t end) {
  const F32 d;
  alignas(64) float sum[kMaxStride];
  for (std::size_t j = begin; j < end; ++j) {
    const std::uint64_t first = job.upper.offsets[j], last = job.upper.offsets[j + 1];
    WeightedSum(job.upper.weights + first, job.upper.columns + first, last - first, job.upper_delta,
                job.stride, 0.0f, sum);
    if (job.update.last_tile)
      for (std::uint64_t k = first; k < last; ++k)
        job.upper_weights[k] = job.upper_source[job.upper_position[k]];
    float* HWY_RESTRICT delta = job.delta + j * job.stride;
    for (std::size_t s = 0; s < job.stride; s += kLanes)
      hn::Store(hn::Mul(hn::Load(d, delta + s), hn::Load(d, sum + s)), d, delta + s);
    UpdateRow(job.update, job.layer, job.input, job.stride, delta, j);
  }
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
