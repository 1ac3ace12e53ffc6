// src/core/processes/memory_bound.cpp: see memory_bound.h.
#include "core/processes/memory_bound.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <mutex>

#include "core/processes/limits.h"
#include "core/processes/meters.h"

namespace quickselection {
namespace {

constexpr std::size_t kForItself = std::size_t{16} << 20;

std::mutex guard;
int bounds = 0;                    // that live now
std::size_t bound_now = SIZE_MAX;  // bytes of the first of them
rlimit before{};                   // the limit of the system's, to be restored

/// Returns the limit that held before.
rlimit bound(std::size_t bytes) {
  rlimit old{RLIM_INFINITY, RLIM_INFINITY};
  const std::size_t taken = data_bytes() + kForItself;
  if (getrlimit(RLIMIT_DATA, &old) == 0 && !kSanitized && bytes < SIZE_MAX - taken) {
    const rlimit limit{std::min<rlim_t>(taken + bytes, old.rlim_cur), old.rlim_max};
    setrlimit(RLIMIT_DATA, &limit);
  }
  return old;
}

}  // namespace

void bound_memory_of_program() { bound(available_memory_bytes()); }

MemoryBound::MemoryBound(std::size_t bytes) {
  const std::lock_guard lock(guard);
  if (bounds++ == 0) {
    bound_now = bytes > 0 ? bytes : available_memory_bytes();
    before = bound(bound_now);
  }
  bytes_ = bound_now;
}

MemoryBound::~MemoryBound() {
  const std::lock_guard lock(guard);
  if (--bounds > 0) return;
  bound_now = SIZE_MAX;
  setrlimit(RLIMIT_DATA, &before);
}

std::size_t bounded_memory() {
  const std::lock_guard lock(guard);
  return bound_now;
}

}  // namespace quickselection
