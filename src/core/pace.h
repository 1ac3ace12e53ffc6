// src/core/pace.h: how far a long task has come, and whether it shall go on.
#pragma once

#include <atomic>
#include <string>
#include <utility>

#include "core/processes/meters.h"
#include "quickselection/error.h"
#include "quickselection/progress.h"

namespace quickselection {

/// Whether the caller wants to stop.
inline bool stopping(const std::atomic<bool>* stop) {
  return stop != nullptr && stop->load(std::memory_order_relaxed);
}
inline bool stopping(const RunContext& context) { return stopping(context.stop); }

/// Throws Interrupted when the caller wants to stop.
inline void check_stop(const std::atomic<bool>* stop, const char* message = "stopped") {
  if (stopping(stop)) throw Interrupted(message);
}
inline void check_stop(const RunContext& context) { check_stop(context.stop); }

/// Counts work in units of estimated cost and tells the caller's callback where it stands and how
/// long it will take: when a task begins, then at most ten times a second, and at the end.
class Pace {
 public:
  /// `done` of the work was done earlier, and says nothing about the speed.
  Pace(std::string task, double total, const RunContext& context, double done = 0)
      : task_(std::move(task)), total_(total), before_(done), done_(done), context_(context) {}

  /// After a piece of work, on the calling thread.
  void advance(double cost) { reach(done_ + cost); }

  /// The same with the sum of all work so far. `now` may bring another task, epochs and a loss.
  void reach(double done, Progress now = {}) {
    done_ = done;
    if (!context_.progress) return;
    now.seconds = seconds();
    if (now.task.empty()) now.task = task_;
    if (now.seconds < next_ && done_ < total_ && now.task == task_) return;
    next_ = now.seconds + 0.1;
    task_ = now.task;
    now.done = static_cast<std::size_t>(done_);
    now.total = static_cast<std::size_t>(total_);
    now.seconds_left = done_ > before_ ? now.seconds / (done_ - before_) * (total_ - done_) : -1;
    context_.progress(now);
  }

  bool stopping() const { return quickselection::stopping(context_); }
  void check_stop() const { quickselection::check_stop(context_); }
  const std::atomic<bool>* stop() const { return context_.stop; }
  double seconds() const { return watch_.seconds(); }

 private:
  std::string task_;
  double total_, before_, done_, next_ = 0;
  const RunContext& context_;
  Stopwatch watch_;
};

}  // namespace quickselection
