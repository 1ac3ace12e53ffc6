// src/network/training/sparse_step.h: one training step of a sparse autoencoder on one tile.
//
// A tile is a few phases over ranges of neurons with a barrier between them (see
// kernels/layer/layer.h). Every thread owns fixed ranges of a phase, balanced by connections, and
// no result depends on where the ranges are cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/aligned.h"
#include "core/team.h"
#include "network/layers/autoencoder.h"
#include "network/training/batches.h"
#include "network/training/train_options.h"

namespace quickselection {

class SparseStep {
 public:
  /// Buffers for the tiles of `batches`. Keeps references to its arguments.
  SparseStep(Autoencoder& network, const TrainOptions& options, Batches& batches);

  /// To be called before the first tile and whenever the topology has changed.
  void cut_ranges();

  /// Called by every member of the team. Adds squared errors to output_loss; afterwards the target
  /// of the batches holds the deltas of the outputs.
  void train_tile(int member, const Tile& tile, std::vector<double>& output_loss);

 private:
  struct HiddenTile {
    AlignedArray<float> output, delta;  // (O, B)
  };
  struct GradientSum {
    AlignedArray<float> weights, bias;  // (nnz), (O)
  };
  kernels::UpdateJob update_job_of(std::size_t layer, const Tile& tile);

  Autoencoder& network_;
  const TrainOptions options_;
  Batches& batches_;
  Team& team_;
  std::vector<HiddenTile> hidden_;
  std::vector<GradientSum> gradients_;  // only when a batch has several tiles
  std::vector<std::vector<Range>> forward_ranges_, update_ranges_;  // [layer][member]
};

}  // namespace quickselection
