// src/network/training/plain_model.h: a network that is trained as it is: one stage, nothing beside
// its layers.
#pragma once

#include "network/training/dense_step.h"
#include "network/training/sparse_step.h"
#include "network/training/training.h"

namespace quickselection {

template <class Network, class Step>
struct PlainModel {
  TrainOptions train;
  Network network;

  TrainOptions train_options(std::size_t /*rows*/) const { return train; }
  Step make_step(Batches& batches, const TrainOptions& options) {
    return {network, options, batches};
  }
  static void for_each_part(PlainModel& self, auto& visit) { visit(self.network); }
};

/// Its connections evolve between epochs (SET) by the share `zeta` of its options.
using SparseModel = PlainModel<Autoencoder, SparseStep>;
using DenseModel = PlainModel<DenseNetwork, DenseStep>;

inline SparseModel make_sparse_model(std::size_t features, const TrainOptions& options,
                                     std::uint64_t seed) {
  return {options, make_autoencoder(features, options, seed)};
}
inline DenseModel make_dense_model(std::size_t features, const TrainOptions& options,
                                   std::uint64_t seed) {
  return {options, make_dense_autoencoder(features, options, seed)};
}

}  // namespace quickselection
