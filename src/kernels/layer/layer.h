// src/kernels/layer/layer.h: one training step of a sparse layer, as three phases over ranges of
// neurons.
//
// Letters: B samples in a panel, I inputs, O outputs, nnz connections. Activations are
// feature-major: row i of an (I, B) panel holds feature i of all samples, `stride` floats apart,
// stride being B rounded up to the SIMD width. What stands in the padding never reaches a weight:
// its delta is 0. A panel is narrow, because its rows are read at random places: two cache lines
// are fetched together, and more of the rows stay in the caches.
//
// Rows that are read at random places are packed: two bfloat16 in a word of 32 bits, lane i of
// vectors 2p and 2p + 1 of the row in lane i of its vector p. They come from the L2 cache, whose
// bandwidth is the limit, and half as many bytes come twice as fast. Weights, sums and what the
// optimizer keeps are floats (docs/method.md).
//
// A layer is stored by output neuron (CSR). Every phase works on a range of output neurons and
// writes only what belongs to them, so ranges may run on different threads in any order and the
// result is the same, bit for bit:
//   forward    out_j = a(sum_i w_ji in_i + b_j), dropped units marked
//   output     forward, delta_j = (out_j - target_j) a'(out_j), and the gradients; of a layer with
//              very many outputs also wT delta, added to `spread`
//   backward   delta_j = a'(out_j) sum_k wT_jk delta_k of the layer above, and the gradients
// Weights move only after the last panel of a batch (`update` in neurons.h).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace quickselection::kernels {

enum class Activation : std::uint8_t { sigmoid, tanh, relu, leaky_relu, linear };
inline constexpr float kLeakySlope = 0.01f;

/// Two numbers of a packed row.
using Packed = std::uint32_t;
constexpr std::array<float, 2> unpacked(Packed pair) {
  return {std::bit_cast<float>(pair << 16), std::bit_cast<float>(pair & 0xFFFF0000u)};
}

/// What the outputs minimise: the squared error, or the loss whose slope in the weighted sum is the
/// error itself (docs/method.md). For linear outputs they are the same.
enum class Loss : std::uint8_t { squared, matching };

/// How dropped activations are stored, and below which magnitude an activation is one.
inline constexpr float kFaint = 0x1p-100f, kBright = 0x1p100f, kFaintLimit = 0x1p-60f;

enum class Optimizer : std::uint8_t { sgd, adagrad, adam };

/// Weights of neurons: the connections of neuron j are offsets[j] … offsets[j+1]-1.
struct Connections {
  const std::uint64_t* offsets = nullptr;
  const std::uint32_t* columns = nullptr;
  const float* weights = nullptr;
};

/// The inputs of a wide layer, in blocks whose rows stay in the cache while all neurons use them.
/// Connections stand in the order of their inputs, so sums are added in the same order as without.
struct InputBlocks {
  const std::uint64_t* cuts = nullptr;  // (count + 1, neurons): where those of a block begin
  std::size_t count = 0, neurons = 0;   ///< no blocks = all inputs at once
};

/// Leaves hidden units out of samples. A dropped unit is nothing to the layer above, but its own
/// weights still learn from the sample (docs/method.md says why), so its activation must not be
/// lost. It is stored 2^-100 times smaller: too faint to change any sum, and exact again when
/// multiplied by 2^100. That costs no memory, where a second array of activations would not fit the
/// L2 cache.
struct Dropout {
  float rate = 0;  ///< 0 = none
  std::uint64_t seed = 0;
  std::uint32_t epoch = 0, layer = 0;
  const std::uint32_t* row_ids = nullptr;  ///< (B), of the data set
};

struct ForwardJob {
  Connections layer;
  InputBlocks blocks;
  const float* bias = nullptr;    // (O)
  const Packed* input = nullptr;  // (I, B), or null:
  const float* plain = nullptr;   // (I, B), the same in full
  Packed* output = nullptr;       // (O, B), or null: activations stay in `sums`
  float* sums = nullptr;          // (O, B), or null; blocks need it
  std::size_t stride = 0, samples = 0;
  Activation activation = Activation::sigmoid;
  Dropout dropout;
  float scale = 1;  ///< of the activations; 1 - dropout rate at inference
};

/// What learns, with what its optimiser remembers.
struct Parameters {
  float* values = nullptr;
  float* state1 = nullptr;    ///< momentum, sum of squares, first moment
  float* state2 = nullptr;    ///< second moment, only for Adam
  float* gradient = nullptr;  ///< summed over tiles, only when a batch has several
};

/// How a neuron's gradient is used. A batch may be trained in several tiles: all but the last only
/// add to `gradient`.
struct UpdateJob {
  Optimizer optimizer = Optimizer::sgd;
  float learning_rate = 0.01f, momentum = 0.9f, weight_decay = 0;
  float bias_correction1 = 1, bias_correction2 = 1;  // Adam: 1 / (1 - beta^t)
  float inverse_batch = 1;                           // gradients are means over the batch
  Parameters weights, bias;                          // (nnz), (O)
  bool first_tile = true, last_tile = true;
};

/// Where the gradients of a layer go.
struct GradientJob {
  float *weights = nullptr, *bias = nullptr;  // (nnz), (O)
  float scale = 1;                            ///< they are means over the batch
  float before = 0;  ///< how much of what is there counts: 1 after the first panel of a batch
};

struct OutputJob {
  Connections layer;
  const float* bias = nullptr;    // (O)
  const Packed* input = nullptr;  // (I, B)
  const float* target = nullptr;  // (O, B): clean data
  Packed* delta = nullptr;        // (O, B), or null when nobody reads it later
  double* neuron_loss = nullptr;  // (O): squared errors are added to it
  std::size_t stride = 0, samples = 0;
  Activation activation = Activation::linear;
  Loss loss = Loss::squared;
  GradientJob gradient;
  float* spread = nullptr;  // (I, B), or null when the layer has a transposed copy
};

/// What `output` has spread, by several parts of the outputs.
struct Spread {
  const float* sums = nullptr;  // (parts, O, B), `distance` floats apart
  std::size_t parts = 0, distance = 0;
};

struct BackwardJob {
  Connections upper;                    // transposed layer above: rows are this layer's outputs
  const Packed* upper_delta = nullptr;  // (O of the layer above, B)
  Spread spread;                        ///< instead of the two, where it has parts
  Connections layer;
  InputBlocks blocks;
  const Packed* input = nullptr;   // (I, B)
  const Packed* output = nullptr;  // (O, B)
  Packed* delta = nullptr;         // (O, B), or null when neither a layer below nor blocks need it
  std::size_t stride = 0;
  Activation activation = Activation::sigmoid;
  bool dropout = false;  ///< faint activations are dropped units
  GradientJob gradient;
};

/// Largest stride of a tile.
inline constexpr std::size_t kMaxStride = 128;

/// The samples that the sparse phases like best, and the largest stride they accept: packed rows of
/// about two cache lines, and sums that fit the registers.
constexpr std::size_t good_panel(std::size_t lanes) { return lanes < 8 ? 32 : 64; }
constexpr std::size_t max_panel(std::size_t lanes) { return good_panel(lanes) * 3 / 2; }
inline constexpr std::size_t kMaxPanel = max_panel(16);

/// Words of a packed row of so many samples (a multiple of the lanes).
constexpr std::size_t packed_stride(std::size_t stride, std::size_t lanes) {
  return (stride / lanes + 1) / 2 * lanes;
}

/// Ranges of the phases with dropout are best cut at multiples of this.
inline constexpr std::size_t kDropoutBlock = 8;

void forward(const ForwardJob& job, std::size_t begin, std::size_t end) noexcept;
void output(const OutputJob& job, std::size_t begin, std::size_t end) noexcept;
void backward(const BackwardJob& job, std::size_t begin, std::size_t end) noexcept;

}  // namespace quickselection::kernels
