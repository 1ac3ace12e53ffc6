// src/core/worker.h: a piece of work in a process of its own, watched by its parent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "quickselection/progress.h"

namespace quickselection {

struct WorkerLimits {
  double seconds = 0;     ///< 0 = none
  std::size_t bytes = 0;  ///< resident; 0 = none
};

enum class WorkerEnd : std::uint8_t { answered, failed, crashed, time_limit, memory_limit };

struct WorkerOutcome {
  WorkerEnd end = WorkerEnd::answered;
  std::string text;  ///< the answer, or what went wrong
  double seconds = 0;
};

/// The child's way to speak to its parent while it works.
class WorkerLine {
 public:
  explicit WorkerLine(int file) : file_(file) {}
  void progress(const Progress& progress) const;
  /// From now on the limits do not count.
  void lift_limits() const;

 private:
  int file_;
};

/// Runs `body` in a child process. Throws Interrupted, after ending the child, when context.stop is
/// set; context.progress hears what the child says.
WorkerOutcome run_worker(const std::function<std::string(const WorkerLine&)>& body,
                         const WorkerLimits& limits, const RunContext& context);

}  // namespace quickselection
