// tests/selectors/methods/winning_ticket_test.cpp
#include "selectors/methods/winning_ticket.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/layers.h"

namespace quickselection {
namespace {

TEST(WinningTicket, KeepsTheStrongestConnectionsWithTheirInitialWeights) {
  const std::vector<std::size_t> sizes{30, 20, 30};
  DenseNetwork network = make_dense_network(sizes, Optimizer::sgd, 7);
  for (DenseLayer& layer : network.layers)  // "training": other weights than the initial ones
    for (std::size_t k = 0; k < layer.weights.size(); ++k)
      layer.weights[k] = layer.weights[(k * 7 + 3) % layer.weights.size()] * 2;
  const Autoencoder ticket = winning_ticket(network, 2, Optimizer::adam, 7);
  ASSERT_EQ(ticket.layers.size(), 2u);
  for (std::size_t l = 0; l < 2; ++l) {
    const SparseLayer& layer = ticket.layers[l];
    const DenseLayer& dense = network.layers[l];
    expect_valid(layer);
    EXPECT_EQ(layer.connections(), connections_of(2, sizes[l], sizes[l + 1]));
    EXPECT_EQ(layer.state2.size(), layer.connections());
    EXPECT_EQ(layer.has_transposed(), l > 0);
    const auto initial = initial_weights(sizes[l], sizes[l + 1], 7, static_cast<std::uint32_t>(l));
    std::vector<float> kept, dropped;
    std::size_t next = 0;
    for (std::size_t j = 0; j < layer.outputs(); ++j)
      for (std::size_t i = 0; i < layer.inputs(); ++i) {
        const std::size_t place = j * layer.inputs() + i;
        const bool stays = next < layer.offsets[j + 1] && layer.columns[next] == i;
        (stays ? kept : dropped).push_back(std::fabs(dense.weights[place]));
        if (!stays) continue;
        EXPECT_EQ(layer.weights[next], initial[place]);
        ++next;
      }
    EXPECT_GE(*std::min_element(kept.begin(), kept.end()),
              *std::max_element(dropped.begin(), dropped.end()));
  }
}

TEST(WinningTicket, KeepsTheFirstOfEqualConnectionsAndExactlyAsManyAsItShould) {
  const std::vector<std::size_t> sizes{4, 3, 4};
  DenseNetwork network = make_dense_network(sizes, Optimizer::sgd, 1);
  for (DenseLayer& layer : network.layers)
    for (float& w : layer.weights) w = -1;
  network.layers[0].weights[11] = 2;
  const Autoencoder ticket = winning_ticket(network, 5.0 / 7, Optimizer::sgd, 1);
  const SparseLayer& layer = ticket.layers[0];
  ASSERT_EQ(layer.connections(), 5u);
  EXPECT_EQ(layer.offsets[1], 4u);  // the whole first output
  EXPECT_EQ(layer.offsets[2], 4u);
  EXPECT_EQ(layer.columns[4], 3u);  // and the strong one
}

TEST(WinningTicket, KeepsEverythingWhenEpsilonIsLarge) {
  const std::vector<std::size_t> sizes{3, 2, 3};
  const Autoencoder ticket =
      winning_ticket(make_dense_network(sizes, Optimizer::sgd, 1), 100, Optimizer::sgd, 1);
  for (const SparseLayer& layer : ticket.layers) EXPECT_TRUE(layer.is_dense());
}

}  // namespace
}  // namespace quickselection
