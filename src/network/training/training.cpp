// src/network/training/training.cpp: see training.h.
#include "network/training/training.h"

#include <fmt/format.h>

#include <cmath>

#include "core/text/counted.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

/// Throws Error when the loss of the last epoch is not a finite number.
void check_finite(const EpochState& state, double learning_rate) {
  if (std::isfinite(state.loss.back())) return;
  throw Error(
      fmt::format("training diverged in epoch {}: the loss is not a finite number", state.epoch),
      fmt::format("lower ‹learning-rate› (now {:g}), bound outliers with ‹clip 10›, or try "
                  "‹scale minmax›",
                  learning_rate));
}

/// Epochs of all stages, or of those before `end`.
std::size_t epochs_of(const std::vector<Stage>& stages, std::size_t end) {
  std::size_t sum = 0;
  for (std::size_t s = 0; s < end; ++s) sum += stages[s].epochs;
  return sum;
}

}  // namespace

std::vector<double> TrainingState::all_losses() const {
  std::vector<double> losses = earlier_loss;
  losses.insert(losses.end(), loss.begin(), loss.end());
  return losses;
}

TrainingLoop::TrainingLoop(std::vector<Stage> stages, const TrainOptions& options,
                           const TrainingInput& input, const TrainingPlan& plan,
                           TrainingState& state)
    : stages_(std::move(stages)), options_(options), input_(input), plan_(plan), state_(state) {}

void TrainingLoop::next_stage() {
  if (!stage().preparation) state_.earlier_loss = state_.all_losses();
  static_cast<EpochState&>(state_) = {};
  ++state_.stage;
}

std::size_t TrainingLoop::epochs_before() const { return epochs_of(stages_, state_.stage); }

std::size_t TrainingLoop::all_epochs() const {
  return plan_.one_epoch && is_last_stage() ? state_.epoch + 1 : epochs_of(stages_, stages_.size());
}

std::size_t TrainingLoop::batches_done(std::size_t batches_per_epoch) const {
  return (epochs_before() + state_.epoch) * batches_per_epoch + state_.batch;
}

void TrainingLoop::report(Pace& pace, std::size_t batches_per_epoch) const {
  Progress now;
  now.epoch = epochs_before() + state_.epoch + 1;
  now.epochs = all_epochs();
  now.loss = state_.loss.empty() ? 0 : state_.loss.back();
  pace.reach(static_cast<double>(batches_done(batches_per_epoch)), now);
}

bool TrainingLoop::run_stage(Batches& batches, const BatchWork& work,
                             const std::function<void()>& begin_epoch) {
  const RunContext& context = input_.context;
  const bool proper = !stage().preparation;
  const std::uint32_t end = plan_.one_epoch && proper ? state_.epoch + 1 : stage().epochs;
  const std::size_t per_epoch = batches.per_epoch();
  Pace pace("train", static_cast<double>(all_epochs() * per_epoch), context,
            static_cast<double>(batches_done(per_epoch)));
  bool enough = false;
  while (state_.epoch < end && !enough) {
    bool finished = false;
    if (!stopping(context)) {
      begin_epoch();
      finished = batches.run_epoch(state_, work, [&] {
        report(pace, per_epoch);
        return !stopping(context);
      });
    }
    if (finished) check_finite(state_, options_.learning_rate);
    if (plan_.pause && (finished || stopping(context))) enough = plan_.pause(finished && proper);
    const bool all =
        enough || (state_.epoch == end && (is_last_stage() || (plan_.one_epoch && proper)));
    if (stopping(context) && !all) throw Interrupted(plan_.stopped);
  }
  return enough;
}

std::string impossible(const TrainingState& state, const std::vector<Stage>& stages,
                       std::uint32_t batch_size, std::size_t rows, bool by_chunks) {
  if (state.stage >= stages.size())
    return fmt::format("its stage is {}, but there are {}", state.stage, stages.size());
  const Stage& stage = stages[state.stage];
  const std::size_t used = stage.rows.empty() ? rows : stage.rows.size();
  const std::size_t batches = (used + batch_size - 1) / batch_size;
  if (by_chunks)
    return state.batch != 0 || state.step < state.epoch || state.step >> 32 > state.epoch
               ? fmt::format("it cannot have taken {} steps in {} epochs", state.step, state.epoch)
               : "";
  if (state.batch >= batches)
    return fmt::format("its batch is {}, but an epoch has {}", state.batch, batches);
  if (state.step != state.epoch * std::uint64_t{batches} + state.batch)
    return fmt::format("it cannot have taken {} steps in {} epochs and {} batches", state.step,
                       state.epoch, state.batch);
  std::size_t before = 0;
  for (std::size_t s = 0; s < state.stage; ++s)
    if (!stages[s].preparation) before += stages[s].epochs;
  if (state.earlier_loss.size() != before)
    return fmt::format("it has {} losses of earlier stages instead of {}",
                       state.earlier_loss.size(), before);
  return "";
}

std::vector<Warning> warn_if_worse_than_mean(std::span<const double> loss, const Scaler& scaler,
                                             double learning_rate) {
  if (scaler.baseline_loss == 0) return {};  // no feature varies, and that is said elsewhere
  const std::size_t quarter = (loss.size() + 3) / 4;
  for (std::size_t i = loss.size() - quarter; i < loss.size(); ++i)
    if (loss[i] <= scaler.baseline_loss) return {};
  return {
      {WarningKind::did_not_learn,
       fmt::format("the network did not learn: in the last {} its loss ({:.3g}) stayed "
                   "above that of predicting each feature's mean ({:.3g}); do not trust this "
                   "ranking. Try a lower ‹learning-rate› (now {:g}), ‹clip 10›, another "
                   "‹scale›, or more ‹epochs›",
                   counted(quarter, "epoch"), loss.back(), scaler.baseline_loss, learning_rate)}};
}

}  // namespace quickselection
