// tests/kernels/layer/layer_test.cpp: the phases of a layer against loops in double precision.
#include "kernels/layer/layer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "core/aligned.h"
#include "kernels/layer/neurons.h"
#include "kernels/random/random.h"
#include "support/levels.h"
#include "support/packed.h"
#include "support/reference.h"

namespace quickselection::kernels {
namespace {

constexpr Activation kAllActivations[] = {Activation::sigmoid, Activation::tanh, Activation::relu,
                                          Activation::leaky_relu, Activation::linear};
constexpr Optimizer kAllOptimizers[] = {Optimizer::sgd, Optimizer::adagrad, Optimizer::adam};

struct Shape {
  const char* reason;
  std::size_t inputs, samples;
  std::vector<std::size_t> row_lengths;  // connections of each output neuron
};

std::vector<Shape> all_shapes() {
  std::vector<Shape> shapes{
      {"whole vectors", 20, 32, {3, 5, 8, 1, 20, 2, 7, 4, 9, 6}},
      {"rows without connections", 12, 16, {0, 3, 0, 0, 5, 0}},
      {"no connection at all", 6, 8, {0, 0, 0}},
      {"samples end within a vector", 10, 13, {4, 5, 6}},
      {"one sample", 9, 1, {1, 2, 9}},
      {"one input", 1, 9, {1, 0, 1}},
      {"one output", 17, 20, {17}},
      {"largest stride", 30, max_panel(lanes()), {30, 11, 4}},
      {"long rows", 1100, 5, {1030, 511, 512, 513, 1024, 1}},
  };
  // Every number of vectors in a row, each of them code of its own.
  for (std::size_t vectors = 1; vectors * lanes() <= max_panel(lanes()); ++vectors)
    shapes.push_back({"vectors in a row", 7, vectors * lanes() - vectors % 2, {3, 7, 4, 5, 6}});
  return shapes;
}

void fill(AlignedArray<float>& values, double scale, RandomStream& random) {
  for (float& x : values) x = static_cast<float>(scale * random.normal());
}

/// A sparse layer with everything the phases read or write.
struct Layer {
  std::size_t inputs, outputs, nnz = 0;
  AlignedArray<std::uint64_t> offsets;
  AlignedArray<std::uint32_t> columns;
  AlignedArray<float> weights, state1, state2, gradient;
  AlignedArray<float> bias, bias_state1, bias_state2, bias_gradient;

  Layer(const Shape& shape, RandomStream& random)
      : inputs(shape.inputs), outputs(shape.row_lengths.size()), offsets(outputs + 1) {
    for (std::size_t j = 0; j < outputs; ++j) offsets[j + 1] = nnz += shape.row_lengths[j];
    columns = AlignedArray<std::uint32_t>(nnz);
    for (std::size_t j = 0; j < outputs; ++j) {
      const auto row =
          sample_distinct(inputs, shape.row_lengths[j],
                          RandomStream(1, Purpose::evaluation, 9, static_cast<std::uint32_t>(j)));
      for (std::size_t i = 0; i < row.size(); ++i)
        columns[offsets[j] + i] = static_cast<std::uint32_t>(row[i]);
    }
    for (auto* array : {&weights, &state1, &state2, &gradient}) *array = AlignedArray<float>(nnz);
    for (auto* array : {&bias, &bias_state1, &bias_state2, &bias_gradient})
      *array = AlignedArray<float>(outputs);
    fill(weights, 0.3, random);
    fill(bias, 0.3, random);
    // Positive states are possible for every optimiser.
    for (auto* array : {&state1, &state2, &bias_state1, &bias_state2}) {
      fill(*array, 0.1, random);
      for (float& x : *array) x = std::fabs(x);
    }
  }

  Connections by_output() const { return {offsets.data(), columns.data(), weights.data()}; }
};

/// (rows, samples), feature-major, of numbers that packed rows hold exactly, with what must not
/// matter in the padding.
AlignedArray<float> make_tile(std::size_t rows, std::size_t samples, std::size_t stride,
                              RandomStream& random) {
  AlignedArray<float> tile(rows * stride);
  fill(tile, 1, random);
  for (float& x : tile) x = rounded(x);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t s = samples; s < stride; ++s) tile[i * stride + s] = 1000;
  return tile;
}

std::size_t stride_of(std::size_t samples) { return (samples + lanes() - 1) / lanes() * lanes(); }

std::vector<std::uint32_t> make_ids(std::size_t samples) {
  RandomStream random(5, Purpose::evaluation, 1);
  std::vector<std::uint32_t> ids(samples);
  for (auto& id : ids) id = random.next_u32();
  return ids;
}

using Doubles = std::vector<double>;
Doubles doubles(const AlignedArray<float>& values) { return {values.begin(), values.end()}; }
AlignedArray<float> copy_of(const AlignedArray<float>& values) {
  AlignedArray<float> copy(values.size());
  std::ranges::copy(values, copy.begin());
  return copy;
}

/// sum_i w_ji in_i + b_j for every neuron and sample, at [j * stride + s].
Doubles sums(const Connections& rows, std::size_t outputs, const Doubles& bias,
             const Doubles& input, std::size_t samples, std::size_t stride) {
  Doubles result(outputs * stride);
  for (std::size_t j = 0; j < outputs; ++j)
    for (std::size_t s = 0; s < samples; ++s) {
      double sum = bias[j];
      for (std::uint64_t k = rows.offsets[j]; k < rows.offsets[j + 1]; ++k)
        sum += static_cast<double>(rows.weights[k]) * input[rows.columns[k] * stride + s];
      result[j * stride + s] = sum;
    }
  return result;
}

/// Adds to the gradients of every weight and bias: <delta_j, in_i> / batch.
void add_gradients(const Layer& layer, const Doubles& delta, const Doubles& input,
                   std::size_t samples, std::size_t stride, double inverse_batch, Doubles& weights,
                   Doubles& bias) {
  for (std::size_t j = 0; j < layer.outputs; ++j)
    for (std::size_t s = 0; s < samples; ++s) {
      const double d = inverse_batch * delta[j * stride + s];
      bias[j] += d;
      for (std::uint64_t k = layer.offsets[j]; k < layer.offsets[j + 1]; ++k)
        weights[k] += d * input[layer.columns[k] * stride + s];
    }
}

constexpr std::uint64_t kStep = 3;

GradientJob gradient_job(Layer& layer, std::size_t batch) {
  return {layer.gradient.data(), layer.bias_gradient.data(), 1.0f / static_cast<float>(batch)};
}

/// What the gradients of a batch do to a layer.
void step(Layer& layer, Optimizer optimizer) {
  UpdateJob job;
  job.optimizer = optimizer;
  job.learning_rate = 0.05f;
  job.momentum = 0.8f;
  job.weight_decay = 0.01f;
  job.bias_correction1 = static_cast<float>(1 / (1 - std::pow(0.9, kStep)));
  job.bias_correction2 = static_cast<float>(1 / (1 - std::pow(0.999, kStep)));
  job.weights = {layer.weights.data(), layer.state1.data(), layer.state2.data()};
  job.bias = {layer.bias.data(), layer.bias_state1.data(), layer.bias_state2.data()};
  update(job, job.weights, 0, layer.nnz, layer.gradient.data());
  update(job, job.bias, 0, layer.outputs, layer.bias_gradient.data());
}

void expect_near(const AlignedArray<float>& found, const Doubles& expected, const char* what) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_NEAR(found[i], expected[i], 2e-5 * (1 + std::fabs(expected[i]))) << what << " " << i;
}

/// The same for what has been packed, whose last digits are lost.
void expect_near_packed(const AlignedArray<float>& found, const Doubles& expected,
                        const char* what) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_NEAR(found[i], expected[i], 2e-5 + 0x1.01p-8 * std::fabs(expected[i]))
        << what << " " << i;
}

/// What a step makes of the parameters of a layer, given their gradients.
struct Stepped {
  Doubles values, state1, state2;

  Stepped(const AlignedArray<float>& v, const AlignedArray<float>& s1,
          const AlignedArray<float>& s2)
      : values(doubles(v)), state1(doubles(s1)), state2(doubles(s2)) {}

  void step(Optimizer optimizer, const Doubles& gradients) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      reference::Parameter p{values[i], state1[i], state2[i], gradients[i]};
      reference::update(p, optimizer, 0.05, 0.8, 0.01, kStep);
      values[i] = p.value, state1[i] = p.state1, state2[i] = p.state2;
    }
  }
};

class LayerKernels : public AtEveryLevel {};
QS_AT_EVERY_LEVEL(LayerKernels);

TEST_P(LayerKernels, ForwardEqualsTheLoopForEveryShapeAndActivation) {
  for (const Shape& shape : all_shapes())
    for (const Activation activation : kAllActivations) {
      SCOPED_TRACE(shape.reason + std::string(", activation ") +
                   std::to_string(static_cast<int>(activation)));
      RandomStream random(1, Purpose::evaluation);
      const Layer layer(shape, random);
      const std::size_t stride = stride_of(shape.samples);
      const auto input = make_tile(shape.inputs, shape.samples, stride, random);
      const auto pairs = packed(input, stride);
      AlignedArray<float> out(layer.outputs * stride), from_pairs(out.size());
      ForwardJob job;
      job.layer = layer.by_output();
      job.bias = layer.bias.data();
      job.plain = input.data();
      job.sums = out.data();
      job.stride = stride;
      job.samples = shape.samples;
      job.activation = activation;
      job.scale = 0.75f;
      forward(job, 0, layer.outputs);
      job.plain = nullptr;
      job.input = pairs.data();
      job.sums = from_pairs.data();
      forward(job, 0, layer.outputs);
      EXPECT_TRUE(std::ranges::equal(out, from_pairs));
      AlignedArray<Packed> out_pairs(packed(out, stride).size());
      job.output = out_pairs.data();
      for (float* const sums_too : {from_pairs.data(), static_cast<float*>(nullptr)}) {
        std::fill(out_pairs.begin(), out_pairs.end(), Packed{7});
        job.sums = sums_too;
        forward(job, 0, layer.outputs);
        EXPECT_TRUE(std::ranges::equal(out_pairs, packed(out, stride)));
      }
      const Doubles sum = sums(layer.by_output(), layer.outputs, doubles(layer.bias),
                               doubles(input), shape.samples, stride);
      for (std::size_t j = 0; j < layer.outputs; ++j)
        for (std::size_t s = 0; s < shape.samples; ++s) {
          const double y = 0.75 * reference::activate(activation, sum[j * stride + s]);
          ASSERT_NEAR(out[j * stride + s], y, 5e-6 * (1 + std::fabs(y))) << j << " " << s;
        }
    }
}

TEST_P(LayerKernels, ActivationsHoldFarFromZeroAndAtZero) {
  const float far[] = {0, 1e-6f, 0.5f, 5, 20, 80, 100, 1e4f, 1e30f};
  for (const Activation activation : kAllActivations)
    for (const float magnitude : far)
      for (const float bias : {magnitude, -magnitude}) {
        const std::uint64_t offsets[] = {0, 0};
        AlignedArray<float> out(lanes());
        ForwardJob job;
        job.layer = {offsets, nullptr, nullptr};
        job.bias = &bias;
        job.sums = out.data();
        job.stride = job.samples = lanes();
        job.activation = activation;
        forward(job, 0, 1);
        const double y = reference::activate(activation, bias);
        for (const float x : out) EXPECT_NEAR(x, y, 5e-7 * (1 + std::fabs(y))) << bias;
      }
}

TEST_P(LayerKernels, ForwardMakesExactlyTheDroppedUnitsFaint) {
  const Shape shape{"tail lanes and an incomplete block of units",
                    12,
                    13,
                    {3, 0, 5, 1, 12, 2, 7, 4, 9, 6, 0, 2, 3, 4, 5, 6, 7, 8, 9}};
  for (const Activation activation : kAllActivations)
    for (const float rate : {0.2f, 0.5f, 0.9999f, 1e-6f}) {
      SCOPED_TRACE(rate);
      RandomStream random(1, Purpose::evaluation);
      const Layer layer(shape, random);
      const std::size_t stride = stride_of(shape.samples);
      const auto input = make_tile(shape.inputs, shape.samples, stride, random);
      const auto ids = make_ids(shape.samples);
      AlignedArray<float> out(layer.outputs * stride), plain(layer.outputs * stride);
      ForwardJob job;
      job.layer = layer.by_output();
      job.bias = layer.bias.data();
      job.plain = input.data();
      job.sums = plain.data();
      job.stride = stride;
      job.samples = shape.samples;
      job.activation = activation;
      forward(job, 0, layer.outputs);
      job.sums = out.data();
      job.dropout = {rate, 0x500000001u, 17, 3, ids.data()};
      // Ranges that begin and end within a block of units drop the same units.
      forward(job, 11, layer.outputs);
      forward(job, 0, 3);
      forward(job, 3, 11);
      for (std::size_t j = 0; j < layer.outputs; ++j)
        for (std::size_t s = 0; s < shape.samples; ++s) {
          const float x = out[j * stride + s];
          if (reference::keeps(rate, 0x500000001u, 17, 3, j, ids[s]))
            ASSERT_EQ(x, plain[j * stride + s]) << j << " " << s;
          else
            ASSERT_EQ(x, plain[j * stride + s] * kFaint) << j << " " << s;
        }
    }
}

TEST_P(LayerKernels, OutputEqualsTheLoopForEveryShapeActivationAndLoss) {
  for (const Shape& shape : all_shapes())
    for (const Activation activation : kAllActivations)
      for (const Loss kind : {Loss::squared, Loss::matching})
        for (const float before : {0.0f, 1.0f, 0.9f}) {
          SCOPED_TRACE(shape.reason + std::string(", activation ") +
                       std::to_string(static_cast<int>(activation)));
          RandomStream random(2, Purpose::evaluation);
          Layer layer(shape, random);
          const std::size_t stride = stride_of(shape.samples);
          const auto input = make_tile(shape.inputs, shape.samples, stride, random);
          const auto target = make_tile(layer.outputs, shape.samples, stride, random);

          const Doubles sum = sums(layer.by_output(), layer.outputs, doubles(layer.bias),
                                   doubles(input), shape.samples, stride);
          Doubles delta(layer.outputs * stride), loss(layer.outputs, 0.5);
          Doubles bias_gradients(layer.outputs, 3.0 * before);
          for (std::size_t j = 0; j < layer.outputs; ++j)
            for (std::size_t s = 0; s < shape.samples; ++s) {
              const double x = sum[j * stride + s];
              const double error = reference::activate(activation, x) - target[j * stride + s];
              loss[j] += error * error;
              delta[j * stride + s] =
                  kind == Loss::squared ? error * reference::derivative(activation, x) : error;
              bias_gradients[j] += delta[j * stride + s] / 20;
            }

          std::vector<double> neuron_loss(layer.outputs, 0.5);
          for (float& x : layer.bias_gradient) x = 3;  // of the panels before, or of nobody
          for (float& x : layer.gradient) x = 3;
          const auto pairs = packed(input, stride);
          AlignedArray<Packed> delta_pairs(layer.outputs * packed_stride(stride, lanes()));
          OutputJob job;
          job.layer = layer.by_output();
          job.bias = layer.bias.data();
          job.input = pairs.data();
          job.target = target.data();
          job.delta = delta_pairs.data();
          job.neuron_loss = neuron_loss.data();
          job.stride = stride;
          job.samples = shape.samples;
          job.activation = activation;
          job.loss = kind;
          job.gradient = gradient_job(layer, 20);
          job.gradient.before = before;
          output(job, 0, layer.outputs);

          const auto found = unpacked(delta_pairs, stride);
          expect_near_packed(found, delta, "delta");  // 0 in the padding
          for (std::size_t j = 0; j < layer.outputs; ++j)
            EXPECT_NEAR(neuron_loss[j], loss[j], 2e-5 * (1 + loss[j]));
          expect_near(layer.bias_gradient, bias_gradients, "gradient of a bias");
          Doubles gradients(layer.nnz, 3.0 * before), unused(layer.outputs);
          add_gradients(layer, doubles(found), doubles(input), shape.samples, stride, 1.0 / 20,
                        gradients, unused);
          expect_near(layer.gradient, gradients, "gradient of a weight");
        }
}

/// A layer with the transposed layer above it, as `backward` sees them.
struct Stack {
  std::size_t upper_outputs;
  Shape upper_shape;  // rows are the lower layer's outputs
  Layer lower, upper;
  AlignedArray<float> input, out, upper_delta;
  AlignedArray<Packed> input_pairs, out_pairs, upper_delta_pairs, delta_pairs;
  std::size_t samples, stride;

  Stack(const Shape& shape, Activation activation, double drop, RandomStream& random)
      : upper_outputs(shape.inputs),
        upper_shape{shape.reason, shape.inputs, shape.samples, shape.row_lengths},
        lower(shape, random),
        upper(upper_shape, random),
        samples(shape.samples),
        stride(stride_of(shape.samples)) {
    refill(activation, drop, random);
    delta_pairs = AlignedArray<Packed>(out_pairs.size());
  }

  /// New samples in the same layers.
  void refill(Activation activation, double drop, RandomStream& random) {
    input = make_tile(lower.inputs, samples, stride, random);
    upper_delta = make_tile(upper_outputs, samples, stride, random);
    for (std::size_t i = 0; i < upper_outputs; ++i)
      for (std::size_t s = samples; s < stride; ++s) upper_delta[i * stride + s] = 0;
    out = make_tile(lower.outputs, samples, stride, random);
    for (float& y : out) {
      y = rounded(static_cast<float>(reference::activate(activation, y)));
      if (random.uniform() < drop) y *= kFaint;
    }
    input_pairs = packed(input, stride);
    upper_delta_pairs = packed(upper_delta, stride);
    out_pairs = packed(out, stride);
  }
  /// What `backward` has found.
  AlignedArray<float> delta() const { return unpacked(delta_pairs, stride); }

  /// Gradients of weights are those of the packed deltas, gradients of biases those before packing.
  void add_gradients_of(Activation activation, double inverse_batch, Doubles& weights,
                        Doubles& bias) const {
    Doubles other_weights(weights.size()), other_bias(bias.size());
    add_gradients(lower, doubles(delta()), doubles(input), samples, stride, inverse_batch, weights,
                  other_bias);
    add_gradients(lower, expected_delta(activation), doubles(input), samples, stride, inverse_batch,
                  other_weights, bias);
  }

  BackwardJob job(Activation activation, std::size_t batch) {
    BackwardJob job;
    job.upper = upper.by_output();
    job.upper_delta = upper_delta_pairs.data();
    job.layer = lower.by_output();
    job.input = input_pairs.data();
    job.output = out_pairs.data();
    job.delta = delta_pairs.data();
    job.stride = stride;
    job.activation = activation;
    job.dropout = true;
    job.gradient = gradient_job(lower, batch);
    return job;
  }

  /// a'(out_j) sum_k wT_jk delta_k, with the activation a dropped unit would have had.
  Doubles expected_delta(Activation activation) const {
    Doubles result = sums(upper.by_output(), lower.outputs, Doubles(lower.outputs),
                          doubles(upper_delta), samples, stride);
    for (std::size_t i = 0; i < result.size(); ++i) {
      const bool dropped = std::fabs(out[i]) < kFaintLimit;
      const double y = dropped ? out[i] * kBright : out[i];
      double slope = 1;
      if (activation == Activation::sigmoid) slope = y * (1 - y);
      if (activation == Activation::tanh) slope = 1 - y * y;
      if (activation == Activation::relu) slope = y > 0 ? 1 : 0;
      if (activation == Activation::leaky_relu) slope = y > 0 ? 1 : 0.01;
      result[i] = i % stride < samples ? result[i] * slope : 0;
    }
    return result;
  }
};

TEST_P(LayerKernels, BackwardEqualsTheLoopForEveryShapeActivationAndOptimizer) {
  for (const Shape& shape : all_shapes())
    for (const Activation activation : kAllActivations)
      for (const Optimizer optimizer : kAllOptimizers) {
        SCOPED_TRACE(shape.reason + std::string(", activation ") +
                     std::to_string(static_cast<int>(activation)) + ", optimizer " +
                     std::to_string(static_cast<int>(optimizer)));
        RandomStream random(3, Purpose::evaluation);
        Stack stack(shape, activation, 0.2, random);
        Layer& layer = stack.lower;
        const Doubles delta = stack.expected_delta(activation);
        backward(stack.job(activation, 20), 0, layer.outputs);
        expect_near_packed(stack.delta(), delta, "delta");
        Doubles gradients(layer.nnz), bias_gradients(layer.outputs);
        stack.add_gradients_of(activation, 1.0 / 20, gradients, bias_gradients);
        Stepped weights(layer.weights, layer.state1, layer.state2);
        Stepped bias(layer.bias, layer.bias_state1, layer.bias_state2);
        weights.step(optimizer, gradients);
        bias.step(optimizer, bias_gradients);

        step(layer, optimizer);
        expect_near(layer.weights, weights.values, "weight");
        expect_near(layer.state1, weights.state1, "state1");
        expect_near(layer.bias, bias.values, "bias");
        if (optimizer == Optimizer::adam) expect_near(layer.state2, weights.state2, "state2");
      }
}

TEST_P(LayerKernels, BackwardNeedsNoPlaceForDeltasThatNobodyReads) {
  const Shape shape{"tail lanes", 10, 13, {4, 5, 6}};
  RandomStream first(3, Purpose::evaluation), second(3, Purpose::evaluation);
  Stack with(shape, Activation::tanh, 0.2, first), without(shape, Activation::tanh, 0.2, second);
  backward(with.job(Activation::tanh, 13), 0, 3);
  BackwardJob job = without.job(Activation::tanh, 13);
  job.delta = nullptr;
  backward(job, 0, 3);
  EXPECT_EQ(std::memcmp(with.lower.gradient.data(), without.lower.gradient.data(),
                        with.lower.gradient.bytes()),
            0);
}

TEST_P(LayerKernels, SeveralPanelsMakeOneStepWithTheSumOfTheirGradients) {
  const Shape shape{"tail lanes and a long row", 600, 13, {550, 0, 3, 5}};
  for (const Optimizer optimizer : kAllOptimizers) {
    RandomStream random(4, Purpose::evaluation);
    Stack stack(shape, Activation::tanh, 0.2, random);
    Layer& layer = stack.lower;
    // What an earlier batch left in the sums must not count.
    for (float& x : layer.gradient) x = 1e6f;
    for (float& x : layer.bias_gradient) x = 1e6f;
    Doubles gradients(layer.nnz), bias_gradients(layer.outputs);
    Stepped weights(layer.weights, layer.state1, layer.state2);
    Stepped bias(layer.bias, layer.bias_state1, layer.bias_state2);
    const Doubles before = doubles(layer.weights);
    for (int panel = 0; panel < 3; ++panel) {
      if (panel > 0) stack.refill(Activation::tanh, 0.2, random);
      BackwardJob job = stack.job(Activation::tanh, 39);
      job.gradient.before = panel > 0 ? 1 : 0;
      backward(job, 0, layer.outputs);
      stack.add_gradients_of(Activation::tanh, 1.0 / 39, gradients, bias_gradients);
      EXPECT_EQ(doubles(layer.weights), before) << "a step before the batch was complete";
    }
    step(layer, optimizer);
    weights.step(optimizer, gradients);
    bias.step(optimizer, bias_gradients);
    expect_near(layer.weights, weights.values, "weight");
    expect_near(layer.state1, weights.state1, "state1");
    expect_near(layer.bias, bias.values, "bias");
  }
}

TEST_P(LayerKernels, OutputSpreadsDeltasAndFindsGradientsOfALayerWithoutATransposedCopy) {
  for (const Shape& shape : all_shapes())
    for (const float before : {0.0f, 1.0f, 0.9f}) {
      SCOPED_TRACE(shape.reason);
      RandomStream random(7, Purpose::evaluation);
      Layer layer(shape, random);
      const std::size_t stride = stride_of(shape.samples);
      const auto input = make_tile(shape.inputs, shape.samples, stride, random);
      const auto target = make_tile(layer.outputs, shape.samples, stride, random);
      const auto pairs = packed(input, stride);
      AlignedArray<Packed> delta_pairs(layer.outputs * packed_stride(stride, lanes()));
      std::vector<double> loss(layer.outputs);
      AlignedArray<float> spread(layer.inputs * stride);
      for (float& x : spread) x = 2;  // what was spread before
      for (float& x : layer.gradient) x = 3;
      OutputJob job;
      job.layer = layer.by_output();
      job.bias = layer.bias.data();
      job.input = pairs.data();
      job.target = target.data();
      job.delta = delta_pairs.data();
      job.neuron_loss = loss.data();
      job.stride = stride;
      job.samples = shape.samples;
      job.gradient = gradient_job(layer, 20);
      job.gradient.before = before;
      job.spread = spread.data();
      output(job, 0, layer.outputs);
      const auto deltas = unpacked(delta_pairs, stride);

      // Deltas need no place of their own.
      const AlignedArray<float> first = copy_of(spread);
      const AlignedArray<float> first_gradient = copy_of(layer.gradient);
      for (float& x : spread) x = 2;
      for (float& x : layer.gradient) x = 3;
      job.delta = nullptr;
      output(job, 0, layer.outputs);
      EXPECT_TRUE(std::ranges::equal(spread, first));
      EXPECT_TRUE(std::ranges::equal(layer.gradient, first_gradient));

      Doubles sum(layer.inputs * stride, 2.0), gradients(layer.nnz, 3.0 * before);
      for (std::size_t j = 0; j < layer.outputs; ++j)
        for (std::uint64_t k = layer.offsets[j]; k < layer.offsets[j + 1]; ++k)
          for (std::size_t s = 0; s < shape.samples; ++s) {
            const double delta = deltas[j * stride + s];
            const std::size_t place = layer.columns[k] * stride + s;
            sum[place] += layer.weights[k] * delta;
            gradients[k] += delta * input[place] / 20;
          }
      expect_near(spread, sum, "what is spread");
      expect_near(layer.gradient, gradients, "gradient of a weight");
    }
}

TEST_P(LayerKernels, BackwardAddsUpWhatPartsOfTheOutputsHaveSpread) {
  const Shape shape{"tail lanes", 40, 21, {4, 5, 6, 0, 40, 17, 3, 2, 30, 1, 9}};
  RandomStream random(8, Purpose::evaluation);
  Stack stack(shape, Activation::tanh, 0, random);
  const std::size_t size = stack.lower.outputs * stack.stride, distance = size + lanes();
  AlignedArray<float> parts(3 * distance);
  fill(parts, 1, random);
  BackwardJob job = stack.job(Activation::tanh, 21);
  job.upper = {};
  job.spread = {parts.data(), 3, distance};
  backward(job, 0, stack.lower.outputs);
  const auto found = stack.delta();
  for (std::size_t i = 0; i < size; ++i) {
    const double sum = double{parts[i]} + parts[distance + i] + parts[2 * distance + i];
    const double y = stack.out[i];
    EXPECT_NEAR(found[i], sum * (1 - y * y), 2e-5 + 0x1.01p-8 * std::fabs(sum));
  }
}

TEST_P(LayerKernels, GiveTheSameBitsInBlocksOfInputs) {
  for (const Shape& shape : all_shapes())
    for (const std::size_t count : {1u, 2u, 5u}) {
      SCOPED_TRACE(shape.reason);
      RandomStream first(9, Purpose::evaluation), second(9, Purpose::evaluation);
      Stack whole(shape, Activation::sigmoid, 0.2, first);
      Stack cut(shape, Activation::sigmoid, 0.2, second);
      const Layer& layer = cut.lower;
      std::vector<std::uint64_t> cuts;
      for (std::size_t b = 0; b <= count; ++b)
        for (std::size_t j = 0; j < layer.outputs; ++j) {
          std::uint64_t k = layer.offsets[j];
          while (k < layer.offsets[j + 1] && layer.columns[k] < layer.inputs * b / count) ++k;
          cuts.push_back(k);
        }
      const InputBlocks blocks{cuts.data(), count, layer.outputs};
      const auto forward_of = [&](Stack& stack, const InputBlocks& in) {
        ForwardJob job;
        job.layer = stack.lower.by_output();
        job.blocks = in;
        job.bias = stack.lower.bias.data();
        job.input = stack.input_pairs.data();
        AlignedArray<Packed> out(stack.out_pairs.size());
        AlignedArray<float> sums(stack.out.size());
        job.output = out.data();
        job.sums = sums.data();
        job.stride = stack.stride;
        job.samples = stack.samples;
        forward(job, 0, layer.outputs);
        return std::vector<Packed>(out.begin(), out.end());
      };
      EXPECT_EQ(forward_of(cut, blocks), forward_of(whole, {}));
      BackwardJob job = cut.job(Activation::sigmoid, 20);
      job.blocks = blocks;
      const std::size_t middle = layer.outputs / 2;
      backward(job, middle, layer.outputs);
      backward(job, 0, middle);
      backward(whole.job(Activation::sigmoid, 20), 0, layer.outputs);
      EXPECT_EQ(
          std::memcmp(whole.delta_pairs.data(), cut.delta_pairs.data(), cut.delta_pairs.bytes()),
          0);
      EXPECT_TRUE(std::ranges::equal(whole.lower.gradient, cut.lower.gradient));
      EXPECT_TRUE(std::ranges::equal(whole.lower.bias_gradient, cut.lower.bias_gradient));
    }
}

TEST_P(LayerKernels, GiveTheSameBitsHoweverTheNeuronsAreCut) {
  const Shape shape{"tail lanes", 40, 21, {4, 5, 6, 0, 40, 17, 3, 2, 30, 1, 9}};
  RandomStream first(5, Purpose::evaluation), second(5, Purpose::evaluation);
  Stack whole(shape, Activation::sigmoid, 0.2, first);
  Stack cut(shape, Activation::sigmoid, 0.2, second);
  backward(whole.job(Activation::sigmoid, 21), 0, 11);
  const BackwardJob job = cut.job(Activation::sigmoid, 21);
  for (const auto& [begin, end] : {std::pair{9, 11}, {0, 1}, {5, 5}, {1, 9}})
    backward(job, static_cast<std::size_t>(begin), static_cast<std::size_t>(end));
  EXPECT_EQ(std::memcmp(whole.delta_pairs.data(), cut.delta_pairs.data(), cut.delta_pairs.bytes()),
            0);
  EXPECT_EQ(std::memcmp(whole.lower.gradient.data(), cut.lower.gradient.data(),
                        cut.lower.gradient.bytes()),
            0);
}

}  // namespace
}  // namespace quickselection::kernels
