// src/selectors/methods/winning_ticket.h: the lottery ticket of a trained dense network: its
// strongest connections with the weights they began with (Frankle and Carbin 2019).
#pragma once

#include <cstdint>

#include "network/layers/autoencoder.h"
#include "network/layers/dense_network.h"
#include "network/training/train_options.h"

namespace quickselection {

/// Its layers before they are filled.
Autoencoder unfilled_ticket(const DenseNetwork& trained, double epsilon, Optimizer optimizer);

/// Each layer keeps as many connections as a sparse network with this epsilon would have, those of
/// the largest magnitude; of equal ones the first. `seed` is the one the dense network was made
/// with.
Autoencoder winning_ticket(const DenseNetwork& trained, double epsilon, Optimizer optimizer,
                           std::uint64_t seed);

}  // namespace quickselection
