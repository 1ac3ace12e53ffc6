// tests/network/layers/autoencoder_test.cpp
#include "network/layers/autoencoder.h"

#include <gtest/gtest.h>

#include "support/layers.h"

namespace quickselection {
namespace {

TEST(ConnectionsOf, RoundsEpsilonTimesTheNeurons) {
  EXPECT_EQ(connections_of(13, 784, 1000), 23192u);
  EXPECT_EQ(connections_of(0.5, 10, 11), 11u);  // 10.5 is rounded up
  EXPECT_EQ(connections_of(0.49, 10, 11), 10u);
}

TEST(ConnectionsOf, StaysWithinOneConnectionAndTheWholeLayer) {
  EXPECT_EQ(connections_of(13, 5, 1000), 5000u);
  EXPECT_EQ(connections_of(1e300, 5, 6), 30u);
  EXPECT_EQ(connections_of(1e-9, 5, 6), 1u);
  EXPECT_EQ(connections_of(13, 1, 1), 1u);
}

TEST(MakeAutoencoder, HasTheLayersAndExactlyTheConnectionsOfItsOptions) {
  TrainOptions options;
  options.hidden = {40, 10, 30};
  options.epsilon = 3;
  const Autoencoder network = make_autoencoder(50, options, 1);
  ASSERT_EQ(network.layers.size(), 4u);
  const std::size_t sizes[] = {50, 40, 10, 30, 50};
  const std::size_t connections[] = {270, 150, 120, 240};
  std::size_t parameters = 0;
  for (std::size_t l = 0; l < 4; ++l) {
    const SparseLayer& layer = network.layers[l];
    EXPECT_EQ(layer.inputs(), sizes[l]);
    EXPECT_EQ(layer.outputs(), sizes[l + 1]);
    EXPECT_EQ(layer.connections(), connections[l]);
    EXPECT_EQ(layer.has_transposed(), l > 0) << "only layers above another pass deltas down";
    EXPECT_TRUE(layer.state2.empty());
    expect_valid(layer);
    parameters += connections[l] + sizes[l + 1];
  }
  EXPECT_EQ(network.parameters(), parameters);
}

TEST(MakeAutoencoder, BecomesDenseWhenSmall) {
  TrainOptions options;
  options.hidden = {8};
  const Autoencoder network = make_autoencoder(6, options, 1);
  for (const SparseLayer& layer : network.layers) {
    EXPECT_TRUE(layer.is_dense());
    EXPECT_EQ(layer.connections(), 48u);
    expect_valid(layer);
  }
}

TEST(MakeAutoencoder, WorksForOneFeature) {
  const Autoencoder network = make_autoencoder(1, TrainOptions{}, 1);
  ASSERT_EQ(network.layers.size(), 2u);
  EXPECT_EQ(network.layers[0].connections(), 1000u);
  EXPECT_EQ(network.layers[1].connections(), 1000u);
  EXPECT_EQ(network.parameters(), 3001u);
}

TEST(MakeAutoencoder, DependsOnTheSeedAloneAndGivesLayersOfTheirOwn) {
  TrainOptions options;
  options.hidden = {20};
  options.epsilon = 4;
  const Autoencoder network = make_autoencoder(20, options, 5);
  const Autoencoder again = make_autoencoder(20, options, 5);
  const Autoencoder other = make_autoencoder(20, options, 6);
  for (std::size_t l = 0; l < 2; ++l) {
    expect_same_bits(network.layers[l], again.layers[l]);
    EXPECT_NE(network.layers[l].weights[0], other.layers[l].weights[0]);
  }
  EXPECT_NE(network.layers[0].weights[0], network.layers[1].weights[0]);
}

TEST(MakeAutoencoder, GivesAdamItsSecondState) {
  TrainOptions options;
  options.optimizer = Optimizer::adam;
  options.hidden = {20};
  for (const SparseLayer& layer : make_autoencoder(20, options, 5).layers)
    EXPECT_EQ(layer.state2.size(), layer.connections());
}

}  // namespace
}  // namespace quickselection
