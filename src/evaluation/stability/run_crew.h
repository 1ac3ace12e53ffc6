// src/evaluation/stability/run_crew.h: many independent runs, side by side where threads and memory
// allow.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <vector>

#include "core/meters.h"
#include "quickselection/progress.h"

namespace quickselection {

/// How many runs go on at once, and the threads of each.
struct CrewSize {
  int at_once = 1, threads_each = 1;
};

/// `run_bytes` is what one run needs, `available` what may still be used: a part of it is left
/// alone, because an estimate is one.
CrewSize crew_size(std::size_t runs, int threads, std::size_t run_bytes, std::size_t available);

class RunCrew {
 public:
  /// body(run, context) must not depend on the number of threads in its context.
  using Body = std::function<void(std::size_t, const RunContext&)>;

  RunCrew(std::size_t runs, Body body, const RunContext& context);

  /// Makes all runs. The first is made alone, with all threads: it shows how much memory a run
  /// needs. Throws what a run throws, after the others have ended, and Interrupted when the caller
  /// asks to stop. Returns how many went on at once.
  int work();

 private:
  void run(std::size_t index, int threads, bool here);
  void run_side_by_side(const CrewSize& size);
  void report();
  bool stop_asked() const;

  const std::size_t runs_;
  const Body body_;
  const RunContext context_;
  Stopwatch watch_;
  std::vector<std::atomic<double>> share_;  // of each run: how far it has come
  std::atomic<std::size_t> finished_{0}, next_{0};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::condition_variable ended_;
  int working_ = 0;           // guarded by mutex_
  std::exception_ptr error_;  // guarded by mutex_
};

}  // namespace quickselection
