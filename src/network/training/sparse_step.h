// src/network/training/sparse_step.h: one training step of a sparse autoencoder on one tile.
//
// A panel goes through a few phases over ranges of neurons (see kernels/layer/layer.h). Where there
// are as many panels as threads, each thread takes panels through all phases by itself: it reads
// what is in its own cache, and waits for the others only when gradients are added up. Panels that
// are left, or too few, are shared: every thread owns fixed ranges of each phase, balanced by
// connections, with a barrier after it. Gradients of panels are added up in their order, so that no
// result depends on who worked on what.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/aligned.h"
#include "core/team.h"
#include "network/layers/autoencoder.h"
#include "network/training/batches.h"
#include "network/training/train_options.h"

namespace quickselection {

class SparseStep {
 public:
  /// Buffers for the tiles of `batches`. Keeps references to its arguments. `keeps_deltas`: those
  /// of the outputs are read after the step.
  SparseStep(Autoencoder& network, const TrainOptions& options, Batches& batches,
             bool keeps_deltas = false);

  /// Evolves the topology (SET) before every epoch but the first.
  void begin_epoch(const EpochState& state);
  /// To be called whenever something else has changed the topology.
  void cut_ranges();

  /// Called by every member of the team. Adds squared errors to state.output_loss.
  void train_tile(int member, const Tile& tile, EpochState& state);
  /// The deltas of a panel's outputs after that, packed: (O, B).
  const kernels::Packed* deltas(const Panel& panel);

 private:
  /// What the rows of a layer's neurons become, packed: (O, B), in panels.
  struct LayerTile {
    AlignedArray<kernels::Packed> output, delta;
  };
  /// What a panel gives, until all are added up.
  struct PanelSums {
    std::vector<GradientSum> gradients;  // [layer]
    std::vector<double> losses;          // (I)
  };
  /// Where it is put.
  struct Place {
    std::vector<GradientSum>& gradients;
    double* losses;
    bool first;  ///< of those that are added up there
  };
  void cut_inputs();
  Place place_of(std::size_t p, const Tile& tile, EpochState& state);
  const kernels::Packed* input_of(std::size_t layer, const Panel& panel);
  /// A layer's rows in a panel, or null where there are none.
  kernels::Packed* rows_of(std::size_t layer, AlignedArray<kernels::Packed> LayerTile::*which,
                           const Panel& panel);
  kernels::GradientJob gradient_of(std::size_t layer, const Tile& tile, const Place& place);
  void forward(std::size_t layer, Range mine, const Tile& tile, const Panel& panel);
  /// `spread`: where deltas of these outputs are spread, or null.
  void output(Range mine, const Tile& tile, const Panel& panel, const Place& place, float* spread);
  /// The same for those parts of a wide layer's outputs that are `member`'s, one after the other.
  void output_parts(int member, int members, const Tile& tile, const Panel& panel,
                    const Place& place);
  void backward(std::size_t layer, Range mine, const Tile& tile, const Panel& panel,
                const Place& place);
  void train_alone(std::size_t p, const Tile& tile, EpochState& state);
  void train_shared(int member, const Tile& tile, EpochState& state);
  /// Adds the losses of all panels to those of the batch, in order.
  void add_losses(int member, const Tile& tile, EpochState& state);
  /// Adds the gradients of all panels to those of the batch, in order, and steps by their sum, each
  /// if asked to.
  void end_tile(int member, const Tile& tile, bool adds, bool steps);

  Autoencoder& network_;
  const TrainOptions options_;
  Batches& batches_;
  Team& team_;
  std::vector<LayerTile> tiles_;  ///< [layer]
  /// Sums of the first layer where its inputs come in blocks.
  AlignedArray<float> block_sums_;
  /// For a last layer without a transposed copy: (I, B) for each part of its outputs.
  AlignedArray<float> spread_;
  std::size_t spread_parts_ = 0;
  /// Of the first layer, where its inputs do not fit the cache.
  kernels::InputBlocks blocks_;
  std::vector<std::uint64_t> cuts_;
  /// [layer]: of the batch
  std::vector<GradientSum> gradients_;
  /// Gradients go straight into the momentum, which saves as much memory as all weights have. Where
  /// the momentum is a plain sum and panels come one after the other, whatever the threads.
  bool into_momentum_ = false;
  std::optional<ShardedGradients> shards_;
  std::vector<PanelSums> panels_;  ///< [panel], where members work alone
  std::vector<std::vector<Range>> forward_ranges_, update_ranges_;  // [layer][member]
};

}  // namespace quickselection
