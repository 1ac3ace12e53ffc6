// src/core/processes/child.h: a piece of work in a process of its own, watched by its parent.
//
// A child dies with its parent, prints nothing and leaves no core. Through a pipe it sends progress
// and, at its end, an answer or what it threw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "quickselection/progress.h"

namespace quickselection {

/// What a child may use; 0 is no bound.
struct ChildLimits {
  double seconds = 0;                  ///< of the clock
  std::size_t resident_bytes = 0;      ///< looked at every 10 ms
  std::size_t cpu_seconds = 0;         ///< at which the system ends it with SIGXCPU
  std::size_t more_address_space = 0;  ///< bytes beyond that of its parent: then bad_alloc
};

enum class ChildEnd : std::uint8_t {
  answered,
  error,             ///< it threw Error, or another exception that says what happened
  invalid_argument,  ///< it threw InvalidArgument
  out_of_memory,     ///< it threw bad_alloc
  crashed,
  time_limit,
  memory_limit,
};

struct ChildOutcome {
  ChildEnd end = ChildEnd::crashed;
  std::string text = {};  ///< the answer, or what went wrong
  std::string hint = {};  ///< of an Error or an InvalidArgument
  int signal = 0;         ///< that ended it, when it crashed
  double seconds = 0;
};

/// The child's way to speak to its parent while it works.
class ParentLine {
 public:
  explicit ParentLine(int file) : file_(file) {}
  void progress(const Progress& progress) const;
  /// From now on the limits on seconds and resident_bytes do not count.
  void lift_limits() const;

 private:
  int file_;
};

/// Runs `body` in a child process. context.progress hears what the child says. When context.stop is
/// set, the child is ended and Interrupted is thrown; without context.stop, Ctrl-C ends the child.
/// `while_waiting` is called a few times in a second. Other threads may run meanwhile.
ChildOutcome run_child(const std::function<std::string(const ParentLine&)>& body,
                       const ChildLimits& limits, const RunContext& context,
                       const std::function<void()>& while_waiting = {});

}  // namespace quickselection
