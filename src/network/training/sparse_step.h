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

/// The step by a complete sum on these outputs of a layer. The sum of a layer with a transposed
/// copy is in its order, because `backward` finds gradients so. `refresh`: the copy gets the new
/// weights.
void step_layer(SparseLayer& layer, kernels::UpdateJob job, Range outputs, bool refresh = true);

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
  /// What a panel gives, until all are added up.
  struct PanelSums {
    std::vector<GradientSum> gradients;  // [layer]
    std::vector<double> losses;          // (I)
  };
  /// Where it is put.
  struct Place {
    std::vector<GradientSum>& gradients;
    double* losses;
    bool add;
  };
  void cut_inputs();
  Place place_of(std::size_t p, const Tile& tile, EpochState& state);
  const float* input_of(std::size_t layer, const Panel& panel) const;
  const float* delta_above(std::size_t layer, const Panel& panel) const;
  kernels::GradientJob gradient_of(std::size_t layer, const Tile& tile, const Place& place) const;
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
  /// Adds the gradients and losses of all panels to those of the batch, in order.
  void add_panels(int member, const Tile& tile, EpochState& state);
  /// After the last tile of a batch: what the complete gradients do, and then the transposed
  /// copies.
  void step_by_sums(int member, const Tile& tile);

  Autoencoder& network_;
  const TrainOptions options_;
  Batches& batches_;
  Team& team_;
  std::vector<HiddenTile> hidden_;
  /// For a last layer without a transposed copy: (I, B) for each part of its outputs.
  AlignedArray<float> spread_;
  std::size_t spread_parts_ = 0;
  /// Of the first layer, where its inputs do not fit the cache.
  kernels::InputBlocks blocks_;
  std::vector<std::uint64_t> cuts_;
  /// (nnz), (O), of each layer; see step_layer.
  std::vector<GradientSum> gradients_;
  std::optional<ShardedGradients> shards_;
  std::vector<PanelSums> panels_;  ///< [panel], where members work alone
  /// [layer]: where the weights of its transposed copy come from. Without panels of their own,
  /// members put weights there instead, which is slow where two of them meet in a cache line.
  std::vector<std::vector<std::uint32_t>> sources_;
  std::vector<std::vector<Range>> forward_ranges_, update_ranges_;  // [layer][member]
};

}  // namespace quickselection
