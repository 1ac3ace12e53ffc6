// tests/support/layers.h: what every sparse layer must fulfil, and layers made by hand.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "network/layers/sparse_layer.h"

namespace quickselection {

/// Columns ascending and in range, offsets complete, the transposed copy equal to the layer.
inline void expect_valid(const SparseLayer& layer) {
  const std::size_t nnz = layer.connections();
  ASSERT_EQ(layer.offsets[0], 0u);
  ASSERT_EQ(layer.offsets[layer.outputs()], nnz);
  for (std::size_t j = 0; j < layer.outputs(); ++j) {
    ASSERT_LE(layer.offsets[j], layer.offsets[j + 1]);
    for (std::uint64_t k = layer.offsets[j]; k < layer.offsets[j + 1]; ++k) {
      ASSERT_LT(layer.columns[k], layer.inputs());
      if (k > layer.offsets[j]) {
        ASSERT_LT(layer.columns[k - 1], layer.columns[k]) << "row " << j << " is out of order";
      }
    }
  }
  if (!layer.has_transposed()) return;
  ASSERT_EQ(layer.t_offsets[0], 0u);
  ASSERT_EQ(layer.t_offsets[layer.inputs()], nnz);
  // As many connections as the layer, none of them twice, each of them one of the layer's.
  for (std::size_t i = 0; i < layer.inputs(); ++i)
    for (std::uint64_t t = layer.t_offsets[i]; t < layer.t_offsets[i + 1]; ++t) {
      const std::uint32_t j = layer.t_columns[t];
      ASSERT_LT(j, layer.outputs());
      if (t > layer.t_offsets[i]) {
        ASSERT_LT(layer.t_columns[t - 1], j);
      }
      const std::uint32_t* const begin = layer.columns.data() + layer.offsets[j];
      const std::uint32_t* const end = layer.columns.data() + layer.offsets[j + 1];
      const std::uint32_t* const found = std::lower_bound(begin, end, i);
      ASSERT_TRUE(found != end && *found == i) << "no connection of " << i << " to " << j;
      ASSERT_EQ(layer.t_weights[t], layer.weights[found - layer.columns.data()]);
    }
}

/// A layer from a dense table of weights, rows being output neurons; `gap` means no connection.
inline SparseLayer layer_from(const std::vector<std::vector<float>>& table, float gap,
                              kernels::Optimizer optimizer = kernels::Optimizer::sgd,
                              bool transposed = false) {
  std::size_t nnz = 0;
  for (const auto& row : table)
    for (const float w : row) nnz += w != gap;
  SparseLayer layer =
      SparseLayer::unfilled(table.front().size(), table.size(), nnz, optimizer, transposed);
  std::size_t k = 0;
  for (std::size_t j = 0; j < table.size(); ++j) {
    for (std::size_t i = 0; i < table[j].size(); ++i) {
      if (table[j][i] == gap) continue;
      layer.columns[k] = static_cast<std::uint32_t>(i);
      layer.weights[k++] = table[j][i];
    }
    layer.offsets[j + 1] = k;
  }
  layer.rebuild_transposed();
  return layer;
}

template <class T>
void expect_same_bits(const AlignedArray<T>& a, const AlignedArray<T>& b, const char* what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  if (a.empty()) return;
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.bytes()), 0) << what << " differ";
}

inline void expect_same_bits(const SparseLayer& a, const SparseLayer& b) {
  ASSERT_EQ(a.inputs(), b.inputs());
  ASSERT_EQ(a.outputs(), b.outputs());
  expect_same_bits(a.offsets, b.offsets, "offsets");
  expect_same_bits(a.columns, b.columns, "columns");
  expect_same_bits(a.weights, b.weights, "weights");
  expect_same_bits(a.state1, b.state1, "state1");
  expect_same_bits(a.state2, b.state2, "state2");
  expect_same_bits(a.bias, b.bias, "bias");
  expect_same_bits(a.bias_state1, b.bias_state1, "bias_state1");
  expect_same_bits(a.bias_state2, b.bias_state2, "bias_state2");
  expect_same_bits(a.t_offsets, b.t_offsets, "t_offsets");
  expect_same_bits(a.t_columns, b.t_columns, "t_columns");
  expect_same_bits(a.t_weights, b.t_weights, "t_weights");
}

}  // namespace quickselection
