// src/network/training/train_loop.cpp: see train_loop.h.
#include "network/training/train_loop.h"

#include <fmt/format.h>

#include <cmath>

namespace quickselection {

Reporter::Reporter(const RunContext& context, const EpochPlan& plan, const EpochState& state,
                   std::size_t batches_per_epoch)
    : context_(context), plan_(plan), state_(state), batches_(batches_per_epoch), start_(done()) {}

std::size_t Reporter::done() const {
  return (std::size_t{plan_.epochs_before} + state_.epoch) * batches_ + state_.batch;
}

void Reporter::tick() {
  const double now = watch_.seconds();
  if (!context_.progress || now - last_ < 0.1) return;
  last_ = now;
  const std::size_t epochs = std::size_t{plan_.epochs_before} + plan_.epochs + plan_.epochs_after;
  const std::size_t total = epochs * batches_;
  const double rate = static_cast<double>(done() - start_) / now;
  context_.progress({"train", done(), total, now, static_cast<double>(total - done()) / rate,
                     std::size_t{plan_.epochs_before} + state_.epoch + 1, epochs,
                     state_.loss.empty() ? 0 : state_.loss.back()});
}

bool stopping(const RunContext& context) {
  return context.stop != nullptr && context.stop->load(std::memory_order_relaxed);
}

void check_finite(const EpochState& state, const EpochPlan& plan) {
  if (std::isfinite(state.loss.back())) return;
  throw Error(
      fmt::format("training diverged in epoch {}: the loss is not a finite number", state.epoch),
      fmt::format("lower --learning-rate (now {:g}), bound outliers with --clip 10, or try "
                  "--scale minmax",
                  plan.learning_rate));
}

std::vector<Warning> warn_if_worse_than_mean(const std::vector<double>& loss, const Scaler& scaler,
                                             double learning_rate) {
  const std::size_t quarter = (loss.size() + 3) / 4;
  for (std::size_t i = loss.size() - quarter; i < loss.size(); ++i)
    if (loss[i] <= scaler.baseline_loss) return {};
  return {{WarningKind::did_not_learn,
           fmt::format(
               "the network did not learn: in the last {} epoch(s) its loss ({:.4g}) stayed above "
               "that of "
               "predicting each feature's mean ({:.4g}); do not trust this ranking. Try a lower "
               "--learning-rate (now {:g}), --clip 10, another --scale, or more --epochs",
               quarter, loss.back(), scaler.baseline_loss, learning_rate)}};
}

}  // namespace quickselection
