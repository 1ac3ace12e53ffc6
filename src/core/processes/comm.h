// src/core/processes/comm.h: the processes that a launcher (mpirun, srun) started together.
//
// Without a launcher there is one process, and nothing here costs anything. Only the command line
// calls start(); a program that uses the library, or Python, is one process whatever started it.
// All functions but rank() and size() are called by every process, in the same order, on the thread
// that called start().
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/processes/mpi_calls.h"

namespace quickselection::comm {

/// Starts MPI when a launcher started this process. Throws Error when there are several processes
/// and MPI is not there.
void start();

/// Which of the processes that share this work this is, and how many they are.
int rank();
int size();
/// How many were started, also while they work alone.
int started();
/// Whether this is the process that prints and writes files, also while it works alone.
bool speaks();
/// While one lives, this process works for itself: size() is 1. Threads may run in between.
class Alone {
 public:
  Alone();
  ~Alone();
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;
};

void exchange(std::span<const Message> sends, std::span<const Message> receives);
/// What process 0 has.
void broadcast(std::span<std::byte> data);
std::string broadcast(std::string text);
/// Sums of whole numbers, least and largest values: no order changes them.
void add_up(std::span<std::uint64_t> values);
void least(std::span<double> values);
void most(std::span<double> values);

/// Pieces of work for all processes, as they become free. In a single process it makes them one
/// after the other.
struct HandOut {
  /// Process 0: a piece that nobody has yet.
  std::function<std::optional<std::uint64_t>()> next;
  /// Any process: does it and returns what process 0 shall know. Calls listen() a few times in a
  /// second, and throws Interrupted when stop().agreed is set.
  std::function<std::string(std::uint64_t piece)> make;
  /// Process 0, in the order in which they are finished.
  std::function<void(std::uint64_t piece, const std::string& made)> take;
};
/// All processes call it, also while they work alone. `asked` is the wish to stop: then all throw
/// Interrupted.
void hand_out(const HandOut& work, const std::atomic<bool>* asked);
/// While a piece is made: process 0 answers the others, and all hear when one wants to stop.
void listen();

/// Runs `body` everywhere. Where it throws, all throw the same: what the first of them threw.
void together(const std::function<void()>& body);

/// A wish to stop at one process becomes the decision of all: each tells the others what `asked`
/// says (see ShardSum), and `agreed` is set by all at the same place.
struct Stop {
  const std::atomic<bool>* asked = nullptr;
  std::atomic<bool> agreed{false};
};
Stop& stop();

/// Bytes that this process has sent by exchange(), and those of the last step of a training.
std::uint64_t bytes_sent();
std::uint64_t& bytes_of_last_step();

/// How a command ended: an exit code (kStopped where another process knows it), and what is to be
/// said about it.
inline constexpr int kStopped = -1;
struct Outcome {
  int code = 0;
  std::vector<std::string> lines;
};
/// The end of the program: waits for the others and returns the exit code of all, that of the first
/// process that failed. Process 0 alone says it, before any of them ends. Where others do not come
/// because they wait for this process, which failed, this one says it and all are ended.
int finish(const Outcome& own, const std::function<void(const Outcome&)>& say_it);

}  // namespace quickselection::comm
