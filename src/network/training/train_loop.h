// src/network/training/train_loop.h: what every training does around its epochs: progress, Ctrl-C,
// divergence.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "core/meters.h"
#include "data/scaling/scaler.h"
#include "network/training/batches.h"
#include "quickselection/error.h"
#include "quickselection/progress.h"

namespace quickselection {

/// A training may be one of several that belong together; progress counts the epochs of all.
struct EpochPlan {
  std::uint32_t epochs = 1;
  double learning_rate = 0;         ///< for messages
  std::uint32_t epochs_before = 0;  ///< of earlier trainings
  std::uint32_t epochs_after = 0;   ///< of later ones
};

/// Calls context.progress a few times a second.
class Reporter {
 public:
  Reporter(const RunContext& context, const EpochPlan& plan, const EpochState& state,
           std::size_t batches_per_epoch);
  void tick();

 private:
  std::size_t done() const;

  const RunContext& context_;
  const EpochPlan plan_;
  const EpochState& state_;
  const std::size_t batches_;
  std::size_t start_;
  Stopwatch watch_;
  double last_ = 0;
};

bool stopping(const RunContext& context);

/// Throws Error when the loss of the last epoch is not a finite number.
void check_finite(const EpochState& state, const EpochPlan& plan);

/// A network that ends worse than a constant guess has learnt nothing that a ranking could rest on:
/// a warning, or nothing.
std::vector<Warning> warn_if_worse_than_mean(const std::vector<double>& loss, const Scaler& scaler,
                                             double learning_rate);

/// Runs a trainer (state(), batches_per_epoch(), run_epoch(go_on)) to the end of its plan. `pause`
/// is called after each epoch and when the training is about to be stopped, with whether an epoch
/// has just been finished; it may save the state. Throws Error on divergence and Interrupted with
/// `stopped` when context.stop is set.
template <class AnyTrainer>
void run_epochs(AnyTrainer& trainer, const EpochPlan& plan, const RunContext& context,
                const std::function<void(bool finished)>& pause = {},
                const std::string& stopped = "stopped") {
  Reporter reporter(context, plan, trainer.state(), trainer.batches_per_epoch());
  while (trainer.state().epoch < plan.epochs) {
    const bool finished = !stopping(context) && trainer.run_epoch([&] {
      reporter.tick();
      return !stopping(context);
    });
    if (finished) check_finite(trainer.state(), plan);
    if (pause && (finished || stopping(context))) pause(finished);
    if (stopping(context) && trainer.state().epoch < plan.epochs) throw Interrupted(stopped);
  }
}

}  // namespace quickselection
