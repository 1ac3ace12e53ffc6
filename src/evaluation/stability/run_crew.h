// src/evaluation/stability/run_crew.h: many independent runs, side by side where threads and memory
// allow.
#pragma once

#include <cstddef>
#include <functional>

#include "quickselection/progress.h"

namespace quickselection {

/// How many runs go on at once, and the threads of each.
struct CrewSize {
  int at_once = 1, threads_each = 1;
};

/// `run_bytes` is what one run needs, `available` what may still be used: a part of it is left
/// alone, because an estimate is one.
CrewSize crew_size(std::size_t runs, int threads, std::size_t run_bytes, std::size_t available);

/// Calls body(run, context) for every run; it must not depend on the number of threads in its
/// context. The first run is made alone, with all threads: it shows how much memory a run needs.
/// Throws what a run throws, when those that have begun have ended, and Interrupted when the caller
/// asks to stop. Returns how many went on at once.
int run_crew(std::size_t runs, const std::function<void(std::size_t, const RunContext&)>& body,
             const RunContext& context);

}  // namespace quickselection
