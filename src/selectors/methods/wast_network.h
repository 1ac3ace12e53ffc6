// src/selectors/methods/wast_network.h: sparse training that pays attention to neurons (Sokar et
// al. 2022): the topology changes after every batch, towards the inputs and outputs that matter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/random/random.h"
#include "network/training/batches.h"
#include "network/training/sparse_step.h"

namespace quickselection {

/// On which side of a layer the neurons stand whose importance counts.
enum class LayerSide : std::uint8_t { inputs, outputs };

/// Drops the share of each sign with the least |weight| x importance and grows as many connections
/// at the most important neurons: each takes all its free places before the next one gets any; the
/// last one's are drawn at random. New weights are 0. A dense layer is left alone.
void rewire(SparseLayer& layer, std::span<const double> importance, LayerSide side, double share,
            kernels::RandomStream random);

struct WastRule {
  double density = 0.2;  ///< connections as a share of all places
  double share = 0.3;    ///< of the connections that move after a batch
  double lambda = 0.9;   ///< weight of the error; 1 - lambda is that of the strength
};

/// A network of `features` inputs and outputs with that density and weights N(0, 1 / (3 inputs)).
Autoencoder make_wast_network(std::size_t features, std::uint32_t hidden, double density,
                              std::uint64_t seed);

/// What WAST learns: the network and how important its neurons were in all batches so far.
struct WastNetwork {
  Autoencoder layers;
  std::vector<double> input_importance, output_importance;  // (I)
};
WastNetwork make_wast(std::size_t features, std::uint32_t hidden, const WastRule& rule,
                      std::uint64_t seed);

/// A step for one hidden layer, linear outputs and SGD, with attention after every batch.
class WastStep {
 public:
  WastStep(WastNetwork& network, const TrainOptions& options, const WastRule& rule,
           Batches& batches);

  void begin_epoch(const EpochState& state) { step_.begin_epoch(state); }
  void train_tile(int member, const Tile& tile, EpochState& state);
  void end_batch(int member, const EpochState& state);

 private:
  const WastRule rule_;
  WastNetwork& network_;
  Batches& batches_;
  SparseStep step_;
  std::size_t batch_samples_ = 0;
  std::vector<double> errors_;  // (I): absolute errors of a shard's part of the batch, then of all
  BatchSum error_sum_;
};

}  // namespace quickselection
