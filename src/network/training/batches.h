// src/network/training/batches.h: the rows of a data set in random order, batch by batch, as tiles.
//
// What every training has in common, whatever its network: shuffling, scaling, noise, the loop over
// batches on all threads, and the loss of an epoch.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/aligned.h"
#include "core/processes/comm.h"
#include "core/processes/shard_sum.h"
#include "core/team.h"
#include "data/scaling/scaler.h"
#include "network/training/row_order.h"
#include "network/training/train_options.h"
#include "quickselection/dataset.h"

namespace quickselection {

/// Where a training stands.
struct EpochState {
  std::uint32_t epoch = 0;          ///< finished epochs
  std::uint32_t batch = 0;          ///< finished batches of the epoch under way
  std::uint64_t step = 0;           ///< finished batches of all epochs
  std::vector<double> loss;         ///< mean squared error of each finished epoch
  std::vector<double> output_loss;  // (I): squared errors of each output in the epoch under way
};

/// A part of a tile as the sparse kernels like it: (I, B) with few samples, features side by side.
struct Panel {
  std::size_t first = 0, samples = 0, stride = 0;  ///< `first` counts in the tile
  std::size_t first_word = 0, words = 0;           ///< the same in packed rows
  std::size_t buffer = 0;                          ///< that of its tile
};

/// A part of a batch, usually the whole of it. It is one (I, B) array of `stride`, or its panels
/// one after the other, each an (I, B) array of its own stride: that of panel p begins at I times
/// the strides of those before it, which is I * panel(p).first; that of its packed rows at
/// I * panel(p).first_word.
struct Tile {
  const std::uint32_t* row_ids = nullptr;  // (B)
  std::size_t samples = 0, stride = 0, panels = 1;
  /// The first panels, each of which one member of the team takes through all phases by itself:
  /// panel p is that of member p % team size. All members share the others.
  std::size_t alone = 0;
  std::size_t buffer = 0;         ///< which of the batches' arrays it is in
  std::size_t batch_samples = 0;  ///< of all shards
  /// A batch is a part of every shard, and the gradients of each are added up by themselves.
  bool first_of_shard = true, last_of_shard = true;
  std::size_t shard = 0;  ///< among those of this process
  bool first_of_batch = true, last_of_batch = true;
  std::uint32_t epoch = 0;
  std::uint64_t step = 0;

  Panel panel(std::size_t p) const;
};

/// What a training does with a batch. All are called by every member of the team, and members must
/// meet the same barriers in them. train_tile returns when no member reads the tile any more: the
/// next one is filled at once, unless that has been done (Batches::fill_ahead).
struct BatchWork {
  std::function<void(int member, const Tile&)> train_tile;
  std::function<void(int member)> after_batch;  ///< may be empty
};

/// Which rows to learn from, and how they are mixed.
struct RowChoice {
  std::vector<std::uint32_t> rows;  ///< none = all
  Windows windows;                  ///< only for all rows
};

class Batches {
 public:
  /// Keeps references: data, scaler and team must outlive it. Of the options it uses batch size,
  /// shards and noise.
  Batches(const Dataset& data, const Scaler& scaler, const TrainOptions& options,
          std::uint64_t seed, Team& team, RowChoice choice = {});

  std::size_t per_epoch() const;
  std::size_t features() const { return data_.features(); }
  Team& team() const { return team_; }
  std::uint64_t seed() const { return seed_; }
  /// Largest stride of a tile, and most words of its packed rows.
  std::size_t stride() const;
  std::size_t words() const;
  /// From now on tiles consist of panels, and noisy rows are packed (kernels/layer/layer.h). For
  /// steps of sparse layers, before the first batch.
  void use_panels();
  /// Panels of a tile, at most.
  std::size_t most_panels() const;
  /// How many of so many panels members of the team work on by themselves.
  std::size_t alone_of(std::size_t panels) const;
  /// Whether a batch has more than one tile, so that gradients must be added up.
  bool several_tiles() const { return tile_samples_ < parts_.batch || sharded(); }
  /// Whether gradients are added up over shards, or processes share the work.
  bool sharded() const { return parts_.shards > 1 || comm::size() > 1; }
  std::size_t shards() const { return parts_.shards; }

  // Of tiles that are one array: (I, B).
  const float* noisy() const { return noisy_.data(); }
  float* target() { return buffers_[0].target.data(); }
  // Of a panel: (I, B).
  const kernels::Packed* noisy(const Panel& panel) const {
    return buffers_[panel.buffer].packed.data() + features() * panel.first_word;
  }
  const float* target(const Panel& panel) const {
    return buffers_[panel.buffer].target.data() + features() * panel.first;
  }

  /// Inside train_tile, by members that worked on panels by themselves and have no more of them:
  /// fills the next tile, piece by piece, until there are no more pieces. So nobody waits for the
  /// one who had more to do. Before the barrier at which all panels are done.
  void fill_ahead(int member);

  /// Goes on to the end of the epoch under way. Both tiles are filled before `work` sees them.
  /// `go_on` is asked after each batch, on the calling thread, while others may still change
  /// weights; when it says false the state is left between two batches and the function returns
  /// false.
  bool run_epoch(EpochState& state, const BatchWork& work, const std::function<bool()>& go_on);

 private:
  std::size_t rows() const { return choice_.rows.empty() ? data_.rows() : choice_.rows.size(); }
  /// Where a member stands in an epoch.
  struct Place {
    std::uint32_t epoch = 0, batch = 0;
    std::uint64_t step = 0;
  };
  /// Of a batch, at most.
  std::size_t most_tiles() const;
  /// Those of a batch; takes no memory where there is room for most_tiles().
  void find_tiles(const Place& place, std::vector<Tile>& tiles) const;
  void add_tiles(std::vector<Tile>& tiles, const std::uint32_t* row_ids, std::size_t samples,
                 std::size_t shard, std::size_t batch_samples, const Place& place) const;
  /// The share of a member, with a barrier to follow.
  void fill(int member, const Tile& tile);
  void fill_part(const Tile& tile, std::size_t panel, Range features);
  /// A tile, with the next one (or null) filled when it is over.
  void train(int member, const BatchWork& work, const Tile& tile, const Tile* next);

  const Dataset& data_;
  const Scaler& scaler_;
  const TrainOptions options_;
  const std::uint64_t seed_;
  Team& team_;
  const RowChoice choice_;

  /// Gives back and asks for windows.
  void advance(std::size_t batch);

  ShardedBatches parts_;
  Range own_;  // shards of this process
  std::size_t tile_samples_ = 0;
  bool panels_ = false;
  std::vector<RowOrder> orders_;  // of this epoch, one for each own shard
  struct Buffer {
    AlignedArray<float> target;            // (I, B)
    AlignedArray<kernels::Packed> packed;  // (I, B), with panels
  };
  std::vector<Buffer> buffers_;  ///< two where tiles are filled ahead
  AlignedArray<float> noisy_;    // (I, B), without panels
  /// What is filled ahead: [member], and for each panel how many of its pieces have been taken.
  std::vector<const Tile*> ahead_;
  std::vector<std::atomic<std::size_t>> taken_;
};

/// Samples in a tile of `batch` rows: as wide as the kernels allow, narrower for very wide data.
std::size_t samples_in_tile(std::size_t batch, std::size_t features);
/// Distance between two features of a tile with that many samples.
std::size_t stride_of(std::size_t samples);
/// Words of all panels of a packed row of a tile with that many samples, at most.
std::size_t packed_words_of(std::size_t samples);
/// How many panels of about the width that the kernels like best.
std::size_t panels_of(std::size_t samples);

/// What an optimiser step of any layer needs to know beside its arrays.
kernels::UpdateJob update_job(const TrainOptions& options, const Tile& tile);

/// Gradients of a layer, added up over the tiles of a batch. Their sum is complete before the step
/// begins.
struct GradientSum {
  AlignedArray<float> weights, bias;
};

/// A step on a sparse or dense layer. With a sum, a tile only adds to it; without one it steps at
/// once, while everything is in the cache.
kernels::UpdateJob update_job(const TrainOptions& options, const Tile& tile, auto& layer,
                              GradientSum* sum) {
  kernels::UpdateJob job = update_job(options, tile);
  job.weights = {layer.weights.data(), layer.state1.data(), layer.state2.data()};
  job.bias = {layer.bias.data(), layer.bias_state1.data(), layer.bias_state2.data()};
  if (sum != nullptr) {
    job.weights.gradient = sum->weights.data();
    job.bias.gradient = sum->bias.data();
    job.last_tile = false;
  }
  return job;
}

/// Numbers that are added up over the shards of a batch. Does nothing where a batch is not sharded.
class BatchSum {
 public:
  /// Keeps a reference to the batches. The numbers of a shard stay where they are, and so does
  /// their sum.
  BatchSum(const Batches& batches, std::vector<std::span<float>> floats, std::span<double> doubles);
  bool used() const { return sum_.has_value(); }
  /// When the tile's numbers are there: called by every member, with barriers. After the last tile
  /// they are those of the whole batch.
  void end_tile(int member, const Tile& tile);

 private:
  const Batches& batches_;
  std::optional<ShardSum> sum_;
};

/// Gradients and losses over the shards of a batch: what a step adds up before it moves a weight.
/// Does nothing where a batch is not sharded.
class ShardedGradients {
 public:
  /// Keeps a reference to the batches. Gradients stay where they are.
  ShardedGradients(const Batches& batches, std::span<GradientSum> gradients);
  /// Where the squared errors of the tile's outputs are added to.
  double* losses(EpochState& state) {
    return sum_.used() ? losses_.data() : state.output_loss.data();
  }
  /// Before the tile's errors are known, and when its gradients are complete; both with a barrier
  /// after what came before. After the last tile the gradients are those of the whole batch.
  void begin_tile(int member, const Tile& tile, const EpochState& state);
  void end_tile(int member, const Tile& tile, EpochState& state);

 private:
  const Batches& batches_;
  std::vector<double> losses_;  // (I), of a shard
  BatchSum sum_;
};

/// The step by a complete sum, for these outputs of a layer and their connections.
void step_by_sum(kernels::UpdateJob job, Range outputs, Range connections);

}  // namespace quickselection
