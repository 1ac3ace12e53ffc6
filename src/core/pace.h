// src/core/pace.h: how far a long task has come, and whether it shall go on.
#pragma once

#include <atomic>
#include <string>
#include <utility>

#include "core/meters.h"
#include "quickselection/error.h"
#include "quickselection/progress.h"

namespace quickselection {

/// Counts work in units of estimated cost and tells the caller's callback.
class Pace {
 public:
  Pace(std::string task, double total, const RunContext& context)
      : task_(std::move(task)), total_(total), context_(context) {}

  /// After a piece of work, on the calling thread.
  void advance(double cost) { reach(done_ + cost); }

  /// The same with the sum of all work so far.
  void reach(double done) {
    done_ = done;
    if (!context_.progress) return;
    Progress progress;
    progress.task = task_;
    progress.done = static_cast<std::size_t>(done_);
    progress.total = static_cast<std::size_t>(total_);
    progress.seconds = watch_.seconds();
    progress.seconds_left = done_ > 0 ? progress.seconds / done_ * (total_ - done_) : -1;
    context_.progress(progress);
  }

  const std::atomic<bool>* stop() const { return context_.stop; }
  bool stopping() const {
    return context_.stop != nullptr && context_.stop->load(std::memory_order_relaxed);
  }
  /// Throws Interrupted when the caller wants to stop.
  void check_stop() const {
    if (stopping()) throw Interrupted("stopped");
  }
  double seconds() const { return watch_.seconds(); }

 private:
  std::string task_;
  double total_, done_ = 0;
  const RunContext& context_;
  Stopwatch watch_;
};

}  // namespace quickselection
