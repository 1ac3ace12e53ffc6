// src/evaluation/pace.h: how far an evaluation has come.
#pragma once

#include <string>
#include <utility>

#include "core/meters.h"
#include "quickselection/progress.h"

namespace quickselection {

/// Counts work in units of estimated cost and tells the caller's callback.
class Pace {
 public:
  Pace(std::string task, double total, const RunContext& context)
      : task_(std::move(task)), total_(total), context_(context) {}

  /// After a piece of work, on the calling thread.
  void advance(double cost) {
    done_ += cost;
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
  double seconds() const { return watch_.seconds(); }

 private:
  std::string task_;
  double total_, done_ = 0;
  const RunContext& context_;
  Stopwatch watch_;
};

}  // namespace quickselection
