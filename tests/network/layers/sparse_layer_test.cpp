// tests/network/layers/sparse_layer_test.cpp
#include "network/layers/sparse_layer.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

#include "quickselection/error.h"
#include "support/layers.h"
#include "support/statistics.h"

namespace quickselection {
namespace {

using kernels::Optimizer;

TEST(SparseLayer, HasExactlyTheConnectionsAskedFor) {
  for (const std::size_t inputs : {1u, 2u, 7u, 30u})
    for (const std::size_t outputs : {1u, 3u, 20u})
      for (const std::size_t connections :
           {std::size_t{0}, std::size_t{1}, inputs * outputs / 2, inputs * outputs})
        for (const bool transposed : {false, true}) {
          const SparseLayer layer(inputs, outputs, connections, Optimizer::sgd, transposed, 3, 1);
          EXPECT_EQ(layer.inputs(), inputs);
          EXPECT_EQ(layer.outputs(), outputs);
          EXPECT_EQ(layer.connections(), connections);
          EXPECT_EQ(layer.parameters(), connections + outputs);
          EXPECT_EQ(layer.is_dense(), connections == inputs * outputs);
          EXPECT_EQ(layer.has_transposed(), transposed);
          expect_valid(layer);
        }
}

TEST(SparseLayer, StartsWithNormalWeightsZeroBiasesAndNoState) {
  const SparseLayer layer(400, 500, 100'000, Optimizer::adam, true, 7, 0);
  std::vector<double> weights;
  for (const float w : layer.weights) weights.push_back(w / 0.1);
  EXPECT_TRUE(looks_normal(weights));
  for (const auto* zeros :
       {&layer.bias, &layer.bias_state1, &layer.bias_state2, &layer.state1, &layer.state2})
    EXPECT_TRUE(std::all_of(zeros->begin(), zeros->end(), [](float x) { return x == 0; }));
  EXPECT_EQ(layer.state2.size(), 100'000u);
}

TEST(SparseLayer, SpreadsConnectionsEvenlyOverRowsAndColumns) {
  std::vector<std::size_t> rows(10), columns(20);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const SparseLayer layer(20, 10, 50, Optimizer::sgd, false, seed, 0);
    for (std::size_t j = 0; j < 10; ++j) rows[j] += layer.offsets[j + 1] - layer.offsets[j];
    for (const std::uint32_t column : layer.columns) ++columns[column];
  }
  EXPECT_TRUE(looks_uniform(rows));
  EXPECT_TRUE(looks_uniform(columns));
}

TEST(SparseLayer, KeepsASecondStateOnlyWhereItIsNeeded) {
  for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::adagrad}) {
    const SparseLayer layer(10, 10, 50, optimizer, false, 1, 0);
    EXPECT_EQ(layer.state1.size(), 50u);
    EXPECT_TRUE(layer.state2.empty());
    EXPECT_TRUE(layer.bias_state2.empty());
  }
}

TEST(SparseLayer, IsAPureFunctionOfSeedAndIndex) {
  const SparseLayer layer(20, 20, 100, Optimizer::sgd, true, 1, 2);
  expect_same_bits(layer, SparseLayer(20, 20, 100, Optimizer::sgd, true, 1, 2));
  const auto columns = [](const SparseLayer& l) {
    return std::vector<std::uint32_t>(l.columns.begin(), l.columns.end());
  };
  const SparseLayer other_seed(20, 20, 100, Optimizer::sgd, true, 2, 2);
  const SparseLayer other_index(20, 20, 100, Optimizer::sgd, true, 1, 3);
  EXPECT_NE(columns(layer), columns(other_seed));
  EXPECT_NE(columns(layer), columns(other_index));
  EXPECT_NE(layer.weights[0], other_seed.weights[0]);
  EXPECT_NE(layer.weights[0], other_index.weights[0]);
}

TEST(SparseLayer, TransposesAgainAfterAChange) {
  SparseLayer layer(8, 5, 20, Optimizer::sgd, true, 1, 0);
  for (std::size_t k = 0; k < 20; ++k) layer.weights[k] = static_cast<float>(k);
  layer.rebuild_transposed();
  expect_valid(layer);
  layer.rebuild_transposed();
  expect_valid(layer);
}

TEST(SparseLayer, RefreshesItsTransposedWeightsRangeByRange) {
  SparseLayer layer(8, 6, 20, Optimizer::sgd, true, 1, 0);
  for (int round = 0; round < 2; ++round) {
    for (float& weight : layer.weights) weight += 1;
    for (const Range range : {Range{7, 19}, {0, 7}, {19, 19}, {19, 20}})
      layer.refresh_transposed(range);
    expect_valid(layer);
  }
}

TEST(SparseLayer, RefusesMoreConnectionsThanItCanCount) {
  try {
    SparseLayer::unfilled(1 << 20, 1 << 20, std::uint64_t{1} << 33, Optimizer::sgd, false);
    FAIL() << "accepted";
  } catch (const InvalidArgument& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("8589934592 connections"));
    EXPECT_THAT(error.what(), testing::HasSubstr("4294967295"));
    EXPECT_THAT(error.hint(), testing::HasSubstr("‹epsilon›"));
  }
}

}  // namespace
}  // namespace quickselection
