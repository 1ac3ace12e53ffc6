// src/network/training/train.cpp: see train.h.
#include "network/training/train.h"

#include <fmt/format.h>

#include "core/atomic_file.h"
#include "kernels/dispatch.h"
#include "network/training/train_loop.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

/// Everything that must not change between a checkpoint and its resumption. The number of epochs
/// may: a finished training can be continued.
Identity identity_of(const Dataset& data, const Scaler& scaler, const TrainOptions& options,
                     std::uint64_t seed, const Windows& windows) {
  Identity identity = {
      {"rows", static_cast<std::int64_t>(data.rows())},
      {"features", static_cast<std::int64_t>(data.features())},
      {"stored type", std::string(name_of(data.type()))},
      {"hash of the data", fmt::format("{:016x}", fingerprint(data))},
      {"--seed", fmt::format("{}", seed)},
      {"--scale", std::string(name_of(scaler.mode))},
      {"--clip", static_cast<double>(scaler.clip)},
      {"SIMD width", static_cast<std::int64_t>(kernels::lanes())},
      {"rows in a block (--memory)", static_cast<std::int64_t>(windows.block_rows)},
      {"blocks in a window (--memory)", static_cast<std::int64_t>(windows.blocks)},
  };
  for (auto& [name, value] : settings_of(options))
    if (name != "epochs") identity.push_back({"--" + name, value});
  return identity;
}

}  // namespace

TrainResult train(const Dataset& data, const Scaler& scaler, const TrainOptions& options,
                  std::uint64_t seed, Team& team, const RunContext& context,
                  const CheckpointPlan& checkpoints,
                  const std::function<void(const TrainState&)>& after_epoch) {
  validate_options(options);
  const bool saves = !checkpoints.save.empty(), resumes = !checkpoints.resume.empty();
  if (saves) check_writable(checkpoints.save);
  const Windows windows = plan_windows(data, context.memory);
  Identity identity;
  if (saves || resumes) identity = identity_of(data, scaler, options, seed, windows);
  TrainState start = resumes
                         ? load_checkpoint(checkpoints.resume, identity, options, data.features())
                         : initial_state(data.features(), options, seed);
  const auto epochs = static_cast<std::uint32_t>(options.epochs);
  if (start.epoch > epochs || (start.epoch == epochs && start.batch > 0))
    throw InvalidArgument(fmt::format("{} is already at epoch {}, beyond --epochs {}",
                                      checkpoints.resume, start.epoch, epochs));

  Trainer trainer(data, scaler, options, seed, team, std::move(start), windows);
  check_memory(data, windows, context.memory);
  const auto pause = [&](bool finished) {
    const std::uint32_t epoch = trainer.state().epoch;
    if (finished && after_epoch) after_epoch(trainer.state());
    const bool due =
        finished && (epoch % static_cast<unsigned>(checkpoints.every) == 0 || epoch == epochs);
    if (saves && (due || stopping(context)))
      save_checkpoint(checkpoints.save, trainer.state(), identity);
  };
  run_epochs(
      trainer, {epochs, options.learning_rate}, context, pause,
      saves ? fmt::format("stopped; continue with --resume {}", checkpoints.save) : "stopped");
  TrainState end = trainer.take_state();
  auto warnings = warn_if_worse_than_mean(end.loss, scaler, options.learning_rate);
  return {std::move(end.network), std::move(end.loss), std::move(warnings)};
}

}  // namespace quickselection
