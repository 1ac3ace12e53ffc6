// src/core/team.cpp: see team.h.
#include "core/team.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "quickselection/error.h"

namespace quickselection {
namespace {

// First spin: most waits are a few microseconds. Then yield, which costs nothing when this core is
// ours and lets a thread that shares it go on at once; staying runnable also lets the system see
// that two of us share a core while another one is idle. Only long waits sleep.
constexpr int kSpins = 2000, kYields = 2000;

void pause_cpu() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

}  // namespace

Range share(std::size_t n, int member, int parts, std::size_t grain) {
  const std::size_t blocks = (n + grain - 1) / grain;
  const std::size_t count = static_cast<std::size_t>(parts), r = static_cast<std::size_t>(member);
  const auto cut = [&](std::size_t part) { return std::min(n, blocks * part / count * grain); };
  return {cut(r), r + 1 == count ? n : cut(r + 1)};
}

std::vector<Range> split_by_cost(std::span<const std::uint64_t> prefix, int parts) {
  const std::size_t n = prefix.size() - 1;
  const std::uint64_t total = prefix[n];
  std::vector<Range> ranges(static_cast<std::size_t>(parts));
  std::size_t begin = 0;
  for (std::size_t p = 0; p < ranges.size(); ++p) {
    const std::uint64_t goal = total * (p + 1) / ranges.size();
    const auto cut = std::lower_bound(prefix.begin(), prefix.end(), goal) - prefix.begin();
    const std::size_t end =
        p + 1 == ranges.size() ? n : std::max(begin, static_cast<std::size_t>(cut));
    ranges[p] = {begin, end};
    begin = end;
  }
  return ranges;
}

int resolve_threads(int threads) {
  if (threads > kMostThreads)
    throw InvalidArgument(
        fmt::format("‹threads› is {}, but must be at most {}", threads, kMostThreads),
        "more than the cores of a machine gain nothing");
  if (threads > 0) return threads;
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) return std::max(1, CPU_COUNT(&cores));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

Team::Team(int threads) : size_(resolve_threads(threads)) {
  workers_.reserve(static_cast<std::size_t>(size_ - 1));
  try {
    for (int member = 1; member < size_; ++member)
      workers_.emplace_back([this, member] { work(member); });
  } catch (const std::exception&) {  // a limit on processes, or on memory for their stacks
    size_ = static_cast<int>(workers_.size()) + 1;
  }
  complete_.store(true, std::memory_order_release);
  complete_.notify_all();
}

Team::~Team() {
  quit_ = true;
  wait_at(start_);
  for (auto& worker : workers_) worker.join();
}

void Team::wait_at(Gate& gate) noexcept {
  const auto count = static_cast<std::uint32_t>(size());
  if (count == 1) return;
  const std::uint32_t generation = gate.generation.load(std::memory_order_acquire);
  if ((generation & kAbandoned) != 0) return;
  if (gate.arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == count) {
    gate.arrived.store(0, std::memory_order_relaxed);
    // In one order with notify_all's look for sleepers: a release store might come after it.
    // It undoes no kAbandoned: who would have set it is waiting here.
    gate.generation.store(generation + kGeneration);
    gate.generation.notify_all();
    return;
  }
  for (int spin = 0; spin < kSpins; ++spin) {
    if (gate.generation.load(std::memory_order_acquire) != generation) return;
    pause_cpu();
  }
  for (int turn = 0; turn < kYields; ++turn) {
    if (gate.generation.load(std::memory_order_acquire) != generation) return;
    std::this_thread::yield();
  }
  while (gate.generation.load(std::memory_order_acquire) == generation)
    gate.generation.wait(generation, std::memory_order_acquire);
}

void Team::call(int member) noexcept {
  try {
    (*body_)(member);
  } catch (const Abandoned&) {  // another member has told why
  } catch (...) {
    {
      const std::lock_guard lock(error_mutex_);
      if (!error_) error_ = std::current_exception();
    }
    inner_.generation.fetch_or(kAbandoned);
    inner_.generation.notify_all();
  }
}

void Team::leave() { throw Abandoned(); }

void Team::work(int member) {
  complete_.wait(false, std::memory_order_acquire);
  for (;;) {
    wait_at(start_);
    if (quit_) return;
    call(member);
    wait_at(finish_);
  }
}

void Team::run(const std::function<void(int)>& body) {
  body_ = &body;
  wait_at(start_);
  call(0);
  wait_at(finish_);
  body_ = nullptr;
  if (!error_) return;
  inner_.arrived.store(0, std::memory_order_relaxed);  // start_ shows it to the others
  inner_.generation.fetch_and(~kAbandoned, std::memory_order_relaxed);
  std::rethrow_exception(std::exchange(error_, nullptr));
}

void Team::for_each(std::size_t n, const std::function<void(std::size_t)>& body) {
  std::atomic<std::size_t> next{0};
  run([&](int) {
    for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < n;) body(i);
  });
}

}  // namespace quickselection
