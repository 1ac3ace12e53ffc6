// tests/support/packed.h: packed rows (kernels/layer/layer.h), slow and obvious.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/aligned.h"
#include "kernels/dispatch.h"
#include "kernels/layer/layer.h"

namespace quickselection {

/// The nearest bfloat16, halves away from zero.
inline float rounded(float x) {
  return std::bit_cast<float>((std::bit_cast<std::uint32_t>(x) + 0x8000u) & 0xFFFF0000u);
}

/// Calls body(place in the row, word, 0 for its lower half or 1 for its upper one) for one row.
inline void for_each_packed(std::size_t stride, auto&& body) {
  const std::size_t lanes = kernels::lanes();
  for (std::size_t s = 0; s < stride; ++s) {
    const std::size_t vector = s / lanes;
    body(s, vector / 2 * lanes + s % lanes, vector % 2);
  }
}

inline AlignedArray<kernels::Packed> packed(const AlignedArray<float>& rows, std::size_t stride) {
  const std::size_t words = kernels::packed_stride(stride, kernels::lanes());
  AlignedArray<kernels::Packed> result(rows.size() / stride * words);
  for (std::size_t i = 0; i < rows.size() / stride; ++i)
    for_each_packed(stride, [&](std::size_t s, std::size_t word, std::size_t half) {
      const auto bits = std::bit_cast<std::uint32_t>(rounded(rows[i * stride + s]));
      result[i * words + word] |= half == 0 ? bits >> 16 : bits;
    });
  return result;
}

inline AlignedArray<float> unpacked(const AlignedArray<kernels::Packed>& rows, std::size_t stride) {
  const std::size_t words = kernels::packed_stride(stride, kernels::lanes());
  AlignedArray<float> result(rows.size() / words * stride);
  for (std::size_t i = 0; i < rows.size() / words; ++i)
    for_each_packed(stride, [&](std::size_t s, std::size_t word, std::size_t half) {
      result[i * stride + s] = kernels::unpacked(rows[i * words + word])[half];
    });
  return result;
}

}  // namespace quickselection
