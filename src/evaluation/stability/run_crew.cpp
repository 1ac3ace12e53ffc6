// src/evaluation/stability/run_crew.cpp: see run_crew.h.
#include "evaluation/stability/run_crew.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "core/pace.h"
#include "core/processes/meters.h"
#include "core/team.h"

namespace quickselection {
namespace {

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

int run_crew(std::size_t runs, const std::function<void(std::size_t, const RunContext&)>& body,
             const RunContext& context) {
  Pace pace("", kUnits * static_cast<double>(runs), context);
  std::vector<std::atomic<double>> shares(runs);  // of each run: how far it has come
  std::atomic<std::size_t> finished{0};
  std::atomic<bool> failed{false};
  const std::thread::id caller = std::this_thread::get_id();
  const auto report = [&] {
    if (std::this_thread::get_id() != caller) return;  // callbacks belong on the caller's thread
    double done = 0;
    for (const auto& share : shares) done += share.load(std::memory_order_relaxed);
    Progress now;
    now.task = fmt::format("{} of {} runs", finished.load(), runs);
    pace.reach(kUnits * done, std::move(now));
  };
  const auto make = [&](std::size_t run, int threads) {
    if (failed) return;  // it would be thrown away
    pace.check_stop();
    RunContext own;
    own.threads = threads;
    own.memory = context.memory;
    own.stop = context.stop;
    own.progress = [&, run](const Progress& progress) {
      if (progress.total > 0)
        shares[run] = static_cast<double>(progress.done) / static_cast<double>(progress.total);
      report();
    };
    try {
      body(run, own);
    } catch (...) {
      failed = true;
      throw;
    }
    shares[run] = 1;
    ++finished;
    report();
  };

  const int threads = resolve_threads(context.threads);
  const std::size_t before = resident_bytes();
  make(0, threads);
  // No more than this: the peak may be older than the run.
  const std::size_t run_bytes = std::max(peak_rss_bytes(), before) - before;
  // A bound on memory holds for all that is resident, so one run after the other keeps it best.
  const std::size_t available = context.memory > 0 ? 0 : available_memory_bytes();
  const CrewSize size = crew_size(runs - 1, threads, run_bytes, available);
  const int at_once = std::max(1, size.at_once);
  Team(at_once).for_each(runs - 1, [&](std::size_t i) { make(i + 1, size.threads_each); });
  report();
  return at_once;
}

}  // namespace quickselection
