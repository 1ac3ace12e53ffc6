// src/kernels/concrete.h: a concrete selector: rows of probabilities over all features, drawn anew
// for every step (Maddison et al. 2017).
#pragma once

#include <cstddef>
#include <cstdint>

namespace quickselection::kernels {

struct ConcreteJob {
  const float* logits = nullptr;  // (K, I)
  float* sample = nullptr;        // (K, I)
  std::size_t features = 0;
  float temperature = 1;
  std::uint64_t seed = 0;
  std::uint32_t step = 0;
};

/// sample = softmax((logits + Gumbel noise) / temperature) for rows [begin, end). The noise is a
/// pure function of (seed, step, row, feature).
void sample_concrete(const ConcreteJob& job, std::size_t begin, std::size_t end) noexcept;

/// The noise alone, for tests: out (I) of one row.
void gumbel_row(std::uint64_t seed, std::uint32_t step, std::uint32_t row, std::size_t features,
                float* out) noexcept;

/// The gradient by the logits of one row, from that by its sample, which it replaces:
/// g = m (g - <m, g>) / temperature.
void softmax_gradient(const float* sample, std::size_t features, float temperature,
                      float* gradient) noexcept;

}  // namespace quickselection::kernels
