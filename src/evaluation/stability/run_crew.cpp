// src/evaluation/stability/run_crew.cpp: see run_crew.h.
#include "evaluation/stability/run_crew.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "core/team.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

using namespace std::chrono_literals;

constexpr double kUsableShare = 0.7;  // of the memory that is available
constexpr double kUnits = 1000;       // of progress, for each run

}  // namespace

CrewSize crew_size(std::size_t runs, int threads, std::size_t run_bytes, std::size_t available) {
  const double usable = kUsableShare * static_cast<double>(available);
  const double fit = usable / static_cast<double>(std::max<std::size_t>(run_bytes, 1));
  const std::size_t most = std::min(runs, static_cast<std::size_t>(threads));
  const auto at_once = static_cast<int>(
      fit >= static_cast<double>(most) ? most
                                       : std::max<std::size_t>(1, static_cast<std::size_t>(fit)));
  return {at_once, std::max(1, threads / std::max(1, at_once))};
}

RunCrew::RunCrew(std::size_t runs, Body body, const RunContext& context)
    : runs_(runs), body_(std::move(body)), context_(context), share_(runs) {}

bool RunCrew::stop_asked() const {
  return context_.stop != nullptr && context_.stop->load(std::memory_order_relaxed);
}

void RunCrew::report() {
  if (!context_.progress) return;
  double done = 0;
  for (const auto& share : share_) done += share.load(std::memory_order_relaxed);
  const auto total = static_cast<double>(runs_);
  Progress progress;
  progress.task = fmt::format("{} of {} runs", finished_.load(), runs_);
  progress.done = static_cast<std::size_t>(kUnits * done);
  progress.total = static_cast<std::size_t>(kUnits * total);
  progress.seconds = watch_.seconds();
  progress.seconds_left = done > 0 ? progress.seconds * (total - done) / done : -1;
  context_.progress(progress);
}

void RunCrew::run(std::size_t index, int threads, bool here) {
  if (stop_.load(std::memory_order_relaxed) || stop_asked()) throw Interrupted("stopped");
  RunContext context;
  context.threads = threads;
  context.memory = context_.memory;
  context.stop = here ? context_.stop : &stop_;
  context.progress = [this, index, here](const Progress& progress) {
    if (progress.total > 0)
      share_[index].store(static_cast<double>(progress.done) / static_cast<double>(progress.total),
                          std::memory_order_relaxed);
    if (here) report();  // callbacks belong on the caller's thread
  };
  body_(index, context);
  share_[index].store(1, std::memory_order_relaxed);
  ++finished_;
  if (here) report();
}

void RunCrew::run_side_by_side(const CrewSize& size) {
  const auto work = [this, &size] {
    try {
      for (std::size_t index; (index = next_.fetch_add(1)) < runs_;)
        run(index, size.threads_each, false);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      stop_ = true;  // what the others still do would be thrown away
    }
    const std::lock_guard lock(mutex_);
    --working_;
    ended_.notify_one();
  };
  std::vector<std::jthread> threads;
  {
    std::unique_lock lock(mutex_);
    for (int i = 0; i < size.at_once; ++i) {
      threads.emplace_back(work);
      ++working_;
    }
    while (working_ > 0) {
      ended_.wait_for(lock, 100ms);
      lock.unlock();
      if (stop_asked()) stop_ = true;
      report();
      lock.lock();
    }
  }
  threads.clear();
  if (error_) std::rethrow_exception(error_);
}

int RunCrew::work() {
  const int threads = resolve_threads(context_.threads);
  const std::size_t before = resident_bytes();
  run(next_++, threads, true);
  // No more than this: the peak may be older than the run.
  const std::size_t run_bytes = std::max(peak_rss_bytes(), before) - before;
  // A bound on memory holds for all that is resident, so one run after the other keeps it best.
  const std::size_t available = context_.memory > 0 ? 0 : available_memory_bytes();
  const CrewSize size = crew_size(runs_ - 1, threads, run_bytes, available);
  if (size.at_once > 1)
    run_side_by_side(size);
  else
    while (next_ < runs_) run(next_++, threads, true);
  return std::max(1, size.at_once);
}

}  // namespace quickselection
