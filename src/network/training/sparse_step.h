// src/network/training/sparse_step.h: one training step of a sparse autoencoder on one tile.
//
// A tile is a few phases over ranges of neurons with a barrier between them (see
// kernels/layer/layer.h), each of them over all panels of the tile. Every thread owns fixed ranges
// of a phase, balanced by connections, and no result depends on where the ranges are cut.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/aligned.h"
#include "core/team.h"
#include "network/layers/autoencoder.h"
#include "network/training/batches.h"
#include "network/training/train_options.h"

namespace quickselection {

/// The step by a complete sum on these outputs of a layer, and its transposed copy. The sum of a
/// layer with such a copy is in its order, because `backward` finds gradients so.
void step_layer(SparseLayer& layer, kernels::UpdateJob job, Range outputs);

class SparseStep {
 public:
  /// Buffers for the tiles of `batches`. Keeps references to its arguments.
  SparseStep(Autoencoder& network, const TrainOptions& options, Batches& batches);

  /// Evolves the topology (SET) before every epoch but the first.
  void begin_epoch(const EpochState& state);
  /// To be called whenever something else has changed the topology.
  void cut_ranges();

  /// Called by every member of the team. Adds squared errors to state.output_loss; afterwards the
  /// target of the batches holds the deltas of the outputs.
  void train_tile(int member, const Tile& tile, EpochState& state);

 private:
  struct HiddenTile {
    AlignedArray<float> output, delta;  // (O, B), in panels
  };
  const float* input_of(std::size_t layer, const Panel& panel) const;
  const float* delta_above(std::size_t layer, const Panel& panel) const;
  kernels::GradientJob gradient_of(std::size_t layer, const Tile& tile, const Panel& panel);
  void forward(std::size_t layer, Range mine, const Tile& tile, const Panel& panel);
  void output(Range mine, const Tile& tile, const Panel& panel, EpochState& state);
  void backward(std::size_t layer, Range mine, const Tile& tile, const Panel& panel);
  /// After the last tile of a batch: what the complete gradients do, and then the transposed
  /// copies.
  void step_by_sums(int member, const Tile& tile);

  Autoencoder& network_;
  const TrainOptions options_;
  Batches& batches_;
  Team& team_;
  std::vector<HiddenTile> hidden_;
  /// (nnz), (O), of each layer; see step_layer.
  std::vector<GradientSum> gradients_;
  std::optional<ShardedGradients> shards_;
  std::vector<std::vector<Range>> forward_ranges_, update_ranges_;  // [layer][member]
};

}  // namespace quickselection
