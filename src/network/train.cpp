// src/network/train.cpp: see train.h.
#include "network/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/atomic_file.h"
#include "core/meters.h"
#include "kernels/dispatch.h"
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

/// Windows are at most this large, so that the order of the rows, and with it the result, does not
/// depend on a generous --memory.
constexpr std::size_t kMostWindow = std::size_t{64} << 20;
/// Windows that are resident at a time: one in use, one being read, and the page table's slack.
constexpr std::size_t kWindowsAtOnce = 3;

Windows plan_windows(const Dataset& data, std::size_t memory) {
  if (memory == 0 || data.value_bytes() <= memory / 2) return {};
  if (data.backing() != Backing::file)
    throw Error(fmt::format("{} takes {} MB in memory, more than half of --memory ({} MB)",
                            data.source.empty() ? "the data" : data.source,
                            data.value_bytes() >> 20, memory >> 20),
                "only .npy and IDX files can be read in parts: `quickselection convert DATA "
                "data.npy` makes one");
  return windows_for(data, std::min(kMostWindow, memory / 8));
}

void check_memory(const Dataset& data, const Windows& windows, std::size_t memory) {
  const std::size_t window = windows.used() ? std::min(kMostWindow, memory / 8) : 0;
  const std::size_t needed = resident_bytes() + kWindowsAtOnce * window;
  if (needed <= memory) return;
  throw Error(fmt::format("training on {} needs about {} MB, but --memory is {} MB", data.source,
                          needed >> 20, memory >> 20),
              "allow more memory, or make the network smaller with --hidden or --epsilon");
}

/// Calls context.progress a few times a second.
class Reporter {
 public:
  Reporter(const RunContext& context, const Trainer& trainer, int epochs)
      : context_(context),
        trainer_(trainer),
        epochs_(static_cast<std::size_t>(epochs)),
        start_(done()) {}

  void tick() {
    const double now = watch_.seconds();
    if (!context_.progress || now - last_ < 0.1) return;
    last_ = now;
    const std::size_t total = epochs_ * trainer_.batches_per_epoch();
    const double rate = static_cast<double>(done() - start_) / now;
    const auto& loss = trainer_.state().loss;
    context_.progress({"train", done(), total, now, static_cast<double>(total - done()) / rate,
                       trainer_.state().epoch + 1, epochs_, loss.empty() ? 0 : loss.back()});
  }

 private:
  std::size_t done() const {
    return trainer_.state().epoch * trainer_.batches_per_epoch() + trainer_.state().batch;
  }
  const RunContext& context_;
  const Trainer& trainer_;
  std::size_t epochs_, start_;
  Stopwatch watch_;
  double last_ = 0;
};

void check_finite(double loss, const TrainOptions& options, std::size_t epoch) {
  if (std::isfinite(loss)) return;
  throw Error(fmt::format("training diverged in epoch {}: the loss is not a finite number", epoch),
              fmt::format("lower --learning-rate (now {:g}), bound outliers with --clip 10, or try "
                          "--scale minmax",
                          options.learning_rate));
}

/// A network that ends worse than a constant guess has learnt nothing that a ranking could rest on.
void warn_if_worse_than_mean(const std::vector<double>& loss, const Scaler& scaler,
                             const TrainOptions& options, std::vector<std::string>& warnings) {
  const std::size_t quarter = (loss.size() + 3) / 4;
  for (std::size_t i = loss.size() - quarter; i < loss.size(); ++i)
    if (loss[i] <= scaler.baseline_loss) return;
  warnings.push_back(fmt::format(
      "the network did not learn: in the last {} epoch(s) its loss ({:.4g}) stayed above that of "
      "predicting each feature's mean ({:.4g}); do not trust this ranking. Try a lower "
      "--learning-rate (now {:g}), --clip 10, another --scale, or more --epochs",
      quarter, loss.back(), scaler.baseline_loss, options.learning_rate));
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
  if (context.memory > 0) check_memory(data, windows, context.memory);
  Reporter reporter(context, trainer, options.epochs);
  const auto stopping = [&] {
    return context.stop != nullptr && context.stop->load(std::memory_order_relaxed);
  };
  while (trainer.state().epoch < epochs) {
    const bool finished = !stopping() && trainer.run_epoch([&] {
      reporter.tick();
      return !stopping();
    });
    if (finished) {
      check_finite(trainer.state().loss.back(), options, trainer.state().epoch);
      if (after_epoch) after_epoch(trainer.state());
    }
    const bool due =
        finished && (trainer.state().epoch % static_cast<unsigned>(checkpoints.every) == 0 ||
                     trainer.state().epoch == epochs);
    if (saves && (due || stopping())) save_checkpoint(checkpoints.save, trainer.state(), identity);
    if (stopping() && trainer.state().epoch < epochs)
      throw Interrupted(saves ? fmt::format("stopped; continue with --resume {}", checkpoints.save)
                              : "stopped");
  }
  TrainState end = trainer.take_state();
  TrainResult result{std::move(end.network), std::move(end.loss), {}};
  warn_if_worse_than_mean(result.loss, scaler, options, result.warnings);
  return result;
}

}  // namespace quickselection
