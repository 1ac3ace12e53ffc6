// include/quickselection/progress.h: how long work tells its caller where it stands.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace quickselection {

struct Progress {
  std::string task;                   ///< what is being done, e.g. "train"
  std::size_t done = 0, total = 0;    ///< units of work
  double seconds = 0;                 ///< since the task began
  double seconds_left = -1;           ///< estimate; negative when unknown
  std::size_t epoch = 0, epochs = 0;  ///< for trainings, otherwise 0
  double loss = 0;                    ///< of the last finished epoch
};

/// What a training knows after each epoch.
struct EpochEnd {
  std::size_t epoch = 0;  ///< finished ones
  double loss = 0;
  std::span<const double> scores;  ///< of every feature, as if the training ended here
};

/// What a caller may pass to any long task. The library never prints.
struct RunContext {
  int threads = 0;  ///< 0 = all cores
  std::function<void(const Progress&)>
      progress;  ///< called from the calling thread, a few times a second
  const std::atomic<bool>* stop = nullptr;  ///< set to true to stop soon: Interrupted is thrown
  std::size_t memory = 0;  ///< bytes that may be resident, 0 = no bound; see --memory
  std::function<void(const EpochEnd&)> after_epoch = {};  ///< for methods that train
  /// Set to true to end a training after the epoch under way: what it has learnt is the result.
  const std::atomic<bool>* enough = nullptr;
  /// Set to true beside `enough`: the result is that of the epoch with the least loss. A copy of it
  /// is kept from the beginning when this is not null.
  const std::atomic<bool>* take_best = nullptr;
};

}  // namespace quickselection
