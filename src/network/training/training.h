// src/network/training/training.h: one training, whatever the network: batches, epochs, stages,
// progress, Ctrl-C, divergence.
//
// A *model* is a network with the options it is trained by. It says
//   TrainOptions train_options(rows)   the options of its batches and steps
//   Step make_step(batches, options)   its mathematics: what a tile of rows changes
//   for_each_part(self, visit)         all that changes in training (archive.h): networks, arrays
// and, if one stage is not enough, stages(options, rows), end_stage(state, input) and
// allocate(stage), which makes room for what a file holds. A *step* has
//   train_tile(member, tile, state)    on every member of the team, with equal barriers
// and perhaps begin_epoch(state) before an epoch and end_batch(member, state) after a batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/pace.h"
#include "core/team.h"
#include "data/scaling/scaler.h"
#include "network/training/batches.h"
#include "network/training/train_options.h"
#include "quickselection/dataset.h"
#include "quickselection/progress.h"
#include "quickselection/words.h"

namespace quickselection {

/// A part of a training, with rows and epochs of its own.
struct Stage {
  std::uint32_t epochs = 1;
  std::vector<std::uint32_t> rows = {};  ///< none = all
  /// Finds something out before the training proper: its losses are nobody's business.
  bool preparation = false;
};

/// Where a training stands; the rest is in its model.
struct TrainingState : EpochState {
  std::uint32_t stage = 0;
  std::vector<double> earlier_loss;  ///< of finished stages, preparations left out

  std::vector<double> all_losses() const;
};

struct TrainingInput {
  const Dataset& data;
  const Scaler& scaler;
  std::uint64_t seed = 0;
  Team& team;
  const RunContext& context;
};

struct TrainingPlan {
  /// Only one more epoch (and what prepares it), as for one chunk of the data.
  bool one_epoch = false;
  /// Called after each epoch, and when the training is about to be stopped, with whether an epoch
  /// of the training proper has just been finished. Says whether the training may end here.
  std::function<bool(bool finished)> pause = {};
  std::string stopped = "stopped";  ///< what Interrupted says
};

/// What every training does around its steps.
class TrainingLoop {
 public:
  TrainingLoop(std::vector<Stage> stages, const TrainOptions& options, const TrainingInput& input,
               const TrainingPlan& plan, TrainingState& state);

  const Stage& stage() const { return stages_[state_.stage]; }
  bool stage_is_over() const { return state_.epoch >= stage().epochs; }
  bool is_last_stage() const { return state_.stage + 1 == stages_.size(); }
  void next_stage();

  /// All epochs that are asked of this stage; true when the whole training may end before. Throws
  /// Error on divergence, Interrupted when context.stop is set.
  bool run_stage(Batches& batches, const BatchWork& work, const std::function<void()>& begin_epoch);

 private:
  void report(Pace& pace, std::size_t batches_per_epoch) const;
  /// Batches that are done, as if all stages had so many.
  std::size_t batches_done(std::size_t batches_per_epoch) const;
  std::size_t epochs_before() const;
  std::size_t all_epochs() const;

  const std::vector<Stage> stages_;
  const TrainOptions& options_;
  const TrainingInput& input_;
  const TrainingPlan& plan_;
  TrainingState& state_;
};

/// The stages of a training on so many rows.
std::vector<Stage> stages_of(const auto& model, const TrainOptions& options, std::size_t rows) {
  if constexpr (requires { model.stages(options, rows); }) return model.stages(options, rows);
  return {{most_epochs(options)}};
}

/// Why no training with these stages on so many rows can stand at `state`, or "": a file may say
/// anything. By chunks there are other rows each time and any number of epochs.
std::string impossible(const TrainingState& state, const std::vector<Stage>& stages,
                       std::uint32_t batch_size, std::size_t rows, bool by_chunks);

/// Goes on from `state` to the end of the plan. Whatever ends it, model and state are as the last
/// finished batch left them.
void train(auto& model, TrainingState& state, const TrainingInput& input,
           const TrainingPlan& plan = {}) {
  const TrainOptions options = model.train_options(input.data.rows());
  validate_options(options);
  const Windows windows = plan_windows(input.data, input.context.memory, options.shards);
  TrainingLoop loop(stages_of(model, options, input.data.rows()), options, input, plan, state);
  for (;;) {
    if constexpr (requires { model.end_stage(state, input); })
      if (loop.stage_is_over() && !loop.is_last_stage()) {
        model.end_stage(state, input);
        loop.next_stage();
      }
    RowChoice choice{loop.stage().rows, {}};
    if (choice.rows.empty()) choice.windows = windows;
    Batches batches(input.data, input.scaler, options, input.seed, input.team, std::move(choice));
    auto step = model.make_step(batches, options);
    check_memory(input.data, windows, input.context.memory);
    BatchWork work;
    work.train_tile = [&](int member, const Tile& tile) { step.train_tile(member, tile, state); };
    if constexpr (requires { step.end_batch(0, state); })
      work.after_batch = [&](int member) { step.end_batch(member, state); };
    const bool enough = loop.run_stage(batches, work, [&] {
      if constexpr (requires { step.begin_epoch(state); }) step.begin_epoch(state);
    });
    if (enough || loop.is_last_stage() || (plan.one_epoch && !loop.stage().preparation)) return;
  }
}

/// A network that ends worse than a constant guess has learnt nothing that a ranking could rest on:
/// a warning, or nothing.
std::vector<Warning> warn_if_worse_than_mean(std::span<const double> loss, const Scaler& scaler,
                                             double learning_rate);

}  // namespace quickselection
