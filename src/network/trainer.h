// src/network/trainer.h: the training loop of the sparse autoencoder.
//
// A batch is one or more tiles of samples; a tile is a few phases over ranges of neurons with a
// barrier between them (see kernels/layer.h). Every thread owns fixed ranges of a phase, balanced
// by connections, and no result depends on where the ranges are cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/aligned.h"
#include "core/team.h"
#include "data/scaler.h"
#include "network/autoencoder.h"
#include "network/row_order.h"
#include "network/train_options.h"
#include "quickselection/dataset.h"

namespace quickselection {

/// Everything that changes during training: what a checkpoint holds.
struct TrainState {
  Autoencoder network;
  std::uint32_t epoch = 0;          ///< finished epochs
  std::uint32_t batch = 0;          ///< finished batches of the epoch under way
  std::uint64_t step = 0;           ///< finished batches of all epochs
  std::vector<double> loss;         ///< mean squared error of each finished epoch
  std::vector<double> output_loss;  // (I): squared errors of each output in the epoch under way
};

TrainState initial_state(std::size_t features, const TrainOptions& options, std::uint64_t seed);

class Trainer {
 public:
  /// Keeps references: data, scaler and team must outlive it.
  Trainer(const Dataset& data, const Scaler& scaler, const TrainOptions& options,
          std::uint64_t seed, Team& team, TrainState state, const Windows& windows = {});

  const TrainState& state() const { return state_; }
  TrainState take_state() { return std::move(state_); }
  std::size_t batches_per_epoch() const;

  /// Trains to the end of the epoch under way, evolving the topology first when it is a new one
  /// and not the first. `go_on` is asked after each batch, on the calling thread; when it says
  /// false the state is left between two batches and the function returns false.
  bool run_epoch(const std::function<bool()>& go_on);

 private:
  struct HiddenTile {
    AlignedArray<float> output, delta;  // (O, B)
  };
  struct GradientSum {
    AlignedArray<float> weights, bias;  // (nnz), (O)
  };
  struct TileRange {
    std::size_t first = 0, samples = 0, batch_samples = 0;
    bool first_of_batch = true, last_of_batch = true;
  };

  void evolve_all();
  void cut_ranges();
  void train_tile(int rank, const TileRange& tile);
  std::vector<TileRange> tiles_of(std::size_t batch) const;
  kernels::UpdateJob update_job(std::size_t layer, const TileRange& tile);

  const Dataset& data_;
  const Scaler& scaler_;
  const TrainOptions options_;
  const std::uint64_t seed_;
  Team& team_;
  TrainState state_;

  std::size_t tile_samples_ = 0;
  Windows windows_;
  RowOrder order_;                      // of this epoch
  AlignedArray<float> noisy_, target_;  // (I, B)
  std::vector<HiddenTile> hidden_;
  std::vector<GradientSum> gradients_;  // only when a batch has several tiles
  std::vector<std::vector<Range>> forward_ranges_, update_ranges_;  // [layer][rank]
};

}  // namespace quickselection
