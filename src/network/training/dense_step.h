// src/network/training/dense_step.h: one training step of a dense network on one tile.
//
// The same step as that of the sparse network, with products by OpenBLAS. Products are cut into
// blocks that depend on the layer alone, so the result is the same for any number of threads.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/aligned.h"
#include "core/team.h"
#include "kernels/gemm.h"
#include "network/layers/dense_network.h"
#include "network/training/batches.h"
#include "network/training/train_options.h"

namespace quickselection {

/// What enters and leaves a network on a tile.
struct TileData {
  const float* input = nullptr;  // (I, B)
  float* target = nullptr;       // (O, B): clean data, replaced by delta
  float* input_delta = nullptr;  // (I, B): gradient of the loss by the input, or null
};

class DenseStep {
 public:
  /// Buffers for the tiles of `batches`. Keeps references to its arguments.
  DenseStep(DenseNetwork& network, const TrainOptions& options, Batches& batches);

  /// Called by every member of the team. Adds squared errors to state.output_loss.
  void train_tile(int member, const Tile& tile, const TileData& data, EpochState& state);
  /// The same for an autoencoder on the tiles of `batches`.
  void train_tile(int member, const Tile& tile, EpochState& state) {
    train_tile(member, tile, {batches_.noisy(), batches_.target()}, state);
  }

 private:
  struct HiddenTile {
    AlignedArray<float> output, delta;  // (O, B)
  };
  /// Columns of a gradient that are computed together, so that a block stays in the cache.
  static constexpr std::size_t kGradientColumns = 1024;

  const float* input_of(std::size_t layer, const TileData& data) const;
  const float* delta_of(std::size_t layer, const TileData& data) const;
  void forward(int member, std::size_t layer, const Tile& tile, const TileData& data);
  void output(int member, const Tile& tile, const TileData& data, EpochState& state);
  /// delta (I, B) of what lies below a layer, before any slope.
  void push_down(int member, std::size_t layer, const Tile& tile, const TileData& data,
                 float* delta);
  void update(int member, std::size_t layer, const Tile& tile, const TileData& data);
  void step_by_sums(int member, const Tile& tile);

  kernels::SerialBlas serial_;
  DenseNetwork& network_;
  const TrainOptions options_;
  Batches& batches_;
  Team& team_;
  std::vector<HiddenTile> hidden_;
  std::vector<GradientSum> gradients_;  // (O, I), (O); only when a batch has several tiles
  std::optional<ShardedGradients> shards_;
  std::vector<AlignedArray<float>> scratch_;  // [member]
};

}  // namespace quickselection
