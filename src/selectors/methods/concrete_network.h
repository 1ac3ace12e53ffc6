// src/selectors/methods/concrete_network.h: the concrete autoencoder (Abid, Balin and Zou 2019): K
// selector units that learn to take one feature each, and a dense decoder that rebuilds all
// features from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/aligned.h"
#include "network/layers/dense_network.h"
#include "network/training/batches.h"
#include "network/training/dense_step.h"
#include "network/training/train_options.h"

namespace quickselection {

struct ConcreteNetwork {
  AlignedArray<float> logits;          // (K, I)
  AlignedArray<float> state1, state2;  // (K, I), of the logits' optimiser
  DenseNetwork decoder;                // K, hidden ..., I
};

/// `options.hidden` are the decoder's hidden layers.
ConcreteNetwork make_concrete(std::size_t features, std::size_t units, const TrainOptions& options,
                              std::uint64_t seed);

/// From `start` in the first step to `end` in the last one, by the same factor in every step.
struct Temperature {
  double start = 10, end = 0.01;
  double at(std::uint64_t step, std::uint64_t steps) const;
};

class ConcreteStep {
 public:
  /// Keeps references to its arguments.
  ConcreteStep(ConcreteNetwork& network, const TrainOptions& options,
               const Temperature& temperature, Batches& batches);

  void train_tile(int member, const Tile& tile, EpochState& state);

 private:
  void update_logits(int member, const Tile& tile, double temperature);

  ConcreteNetwork& network_;
  const TrainOptions options_;
  const std::size_t units_;
  const Temperature temperature_;
  Batches& batches_;
  DenseStep step_;
  AlignedArray<float> sample_;                     // (K, I)
  AlignedArray<float> selected_, selected_delta_;  // (K, B)
  AlignedArray<float> gradient_, gradient_sum_;    // (K, I)
  BatchSum shards_;                                // of the sums
};

/// softmax of each row of logits (K, I).
std::vector<double> probabilities(std::span<const float> logits, std::size_t features);

/// The feature of each unit, all different, and never one of `barred`: the surest units choose
/// first, and a unit whose favourite is gone takes its next one. As many as there are features to
/// take.
struct UnitChoice {
  std::uint32_t feature = 0;
  double probability = 0;
};
std::vector<UnitChoice> choose_distinct(std::span<const double> probabilities, std::size_t features,
                                        const std::vector<bool>& barred);

}  // namespace quickselection
