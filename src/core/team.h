// src/core/team.h: a fixed set of threads that work in lockstep, and parallel loops on them.
//
// A training step is a few short phases with a barrier between them, thousands of times a second,
// so the barrier spins before it sleeps. Threads belong to the object: nothing global stays behind,
// so a process that forks (joblib) is safe, and the thread sanitizer understands all of it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace quickselection {

struct Range {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
};

/// Part `member` of `parts` nearly equal parts of [0, n), cut at multiples of `grain`.
Range share(std::size_t n, int member, int parts, std::size_t grain = 1);

/// Cuts [0, n) into `parts` ranges of nearly equal cost; prefix has n + 1 entries, prefix[i] being
/// the cost of everything before i.
std::vector<Range> split_by_cost(std::span<const std::uint64_t> prefix, int parts);

constexpr int kMostThreads = 4096;

/// `threads` itself, or the number of cores available to this process when it is 0 or less. Throws
/// InvalidArgument when they are more than kMostThreads: each takes memory of the system.
int resolve_threads(int threads);

/// Where the system does not allow as many threads as asked for, those that it allows; results do
/// not depend on their number.
class Team {
 public:
  explicit Team(int threads = 0);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int size() const { return size_; }

  /// Runs body(member) once on every member; the caller is member 0. Returns when all have finished
  /// and rethrows the first exception. Where a member throws, nobody waits for it at a barrier.
  void run(const std::function<void(int)>& body);

  /// Inside run: waits until every member is here. Throws Abandoned, which ends the body, where one
  /// will not come because it has thrown.
  void barrier() {
    wait_at(inner_);
    if ((inner_.generation.load(std::memory_order_acquire) & kAbandoned) != 0) leave();
  }

  /// Calls body(i) for every i in [0, n), handed out one at a time. For coarse work.
  void for_each(std::size_t n, const std::function<void(std::size_t)>& body);

 private:
  struct Gate {
    alignas(64) std::atomic<std::uint32_t> arrived{0};
    alignas(64) std::atomic<std::uint32_t> generation{0};  // counts in steps of kGeneration
  };
  static constexpr std::uint32_t kAbandoned = 1, kGeneration = 2;
  struct Abandoned {};
  [[noreturn]] static void leave();
  void wait_at(Gate& gate) noexcept;
  void call(int member) noexcept;
  void work(int member);

  int size_;
  std::atomic<bool> complete_{false};  // no more threads will start
  Gate start_, inner_, finish_;
  const std::function<void(int)>* body_ = nullptr;
  bool quit_ = false;
  std::mutex error_mutex_;
  std::exception_ptr error_;
  std::vector<std::thread> workers_;
};

}  // namespace quickselection
