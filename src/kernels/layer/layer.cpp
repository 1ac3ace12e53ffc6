// src/kernels/layer/layer.cpp: the phases of layer.h, compiled once for each SIMD level.
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/layer/layer.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/layer/activation-inl.h"
#include "kernels/layer/layer.h"
#include "kernels/layer/neurons-inl.h"
#include "kernels/layer/sparse-inl.h"
#include "kernels/layer/update-inl.h"
#include "kernels/random/random-inl.h"

HWY_BEFORE_NAMESPACE();
namespace quickselection::kernels::HWY_NAMESPACE {

constexpr std::size_t kLanes = hn::MaxLanes(F32());

void Forward(const ForwardJob& job, std::size_t begin, std::size_t end) {
  const bool drops = job.dropout.rate > 0;
  DropoutMasks masks(job.dropout, job.stride, drops ? job.samples : 0);
  for (std::size_t j = begin; j < end; ++j) {
    const std::uint64_t first = job.layer.offsets[j], last = job.layer.offsets[j + 1];
    float* out = job.output + j * job.stride;
    WeightedSum(job.layer.weights + first, job.layer.columns + first, last - first, job.input,
                job.stride, job.bias[j], out);
    const std::uint32_t* keep = drops ? masks.Row(j) : nullptr;
    WithActivation(job.activation, [&]<Activation kind>() {
      ActivateNeuron<kind>(out, keep, job.stride, job.scale);
    });
  }
}

/// Collects the gradients of consecutive neurons and applies them in long runs: neurons have few
/// connections, which lie side by side. Nothing else reads a neuron's weights in this phase.
class Updates {
 public:
  Updates(const UpdateJob& update, const Connections& layer, const float* input, std::size_t stride)
      : update_(update), layer_(layer), input_(input), stride_(stride) {}

  /// The gradient of neuron j from its delta. Neurons must come in order.
  HWY_NOINLINE void Add(const float* delta, std::size_t j) {
    const F32 d;
    VF sum = hn::Zero(d);
    for (std::size_t s = 0; s < stride_; s += kLanes) sum = hn::Add(sum, hn::Load(d, delta + s));
    if (neurons_ == kNeurons) FlushBias();
    if (neurons_ == 0) first_neuron_ = j;
    bias_gradient_[neurons_++] = update_.inverse_batch * hn::GetLane(hn::SumOfLanes(d, sum));

    const std::uint64_t last = layer_.offsets[j + 1];
    for (std::uint64_t k = layer_.offsets[j]; k < last;) {
      if (count_ == kRun) FlushWeights();
      if (count_ == 0) first_ = k;
      const std::size_t count = HWY_MIN(kRun - count_, last - k);
      NeuronGradient(delta, layer_.columns + k, count, input_, stride_, update_.inverse_batch,
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
  static constexpr std::size_t kRun = 512, kNeurons = 64;

  void FlushWeights() {
    Apply(update_, update_.weights, first_, count_, gradient_);
    count_ = 0;
  }
  void FlushBias() {
    Apply(update_, update_.bias, first_neuron_, neurons_, bias_gradient_);
    neurons_ = 0;
  }

  const UpdateJob& update_;
  const Connections& layer_;
  const float* input_;
  std::size_t stride_;
  std::uint64_t first_ = 0;
  std::size_t count_ = 0, first_neuron_ = 0, neurons_ = 0;
  alignas(64) float gradient_[kRun + 4];  // NeuronGradient writes whole groups of four
  alignas(64) float bias_gradient_[kNeurons];
};

void Output(const OutputJob& job, std::size_t begin, std::size_t end) {
  alignas(64) float result[kMaxStride];
  Updates updates(job.update, job.layer, job.input, job.stride);
  for (std::size_t j = begin; j < end; ++j) {
    const std::uint64_t first = job.layer.offsets[j], last = job.layer.offsets[j + 1];
    WeightedSum(job.layer.weights + first, job.layer.columns + first, last - first, job.input,
                job.stride, job.bias[j], result);
    float* target = job.target + j * job.stride;
    job.neuron_loss[j] += WithActivation(job.activation, [&]<Activation kind>() {
      return DeltaNeuron<kind>(result, target, job.stride, job.samples, job.loss);
    });
    updates.Add(target, j);
  }
  updates.Flush();
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
      SlopeNeuron<kind>(job.output + j * job.stride, sum, delta, job.stride, job.dropout);
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
