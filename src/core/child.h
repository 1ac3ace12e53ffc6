// src/core/child.h: what every process that is forked off for a piece of work has in common.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <string_view>

namespace quickselection {

/// A file descriptor that is closed with its owner.
class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() { reset(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return value_; }
  void reset() {
    if (value_ >= 0) close(value_);
    value_ = -1;
  }

 private:
  int value_;
};

/// For a child, right after the fork: it dies with its parent, has no signal handlers, leaves no
/// core and prints nothing.
void settle_child(pid_t parent);

/// From now on peak_rss_bytes() is the highest resident memory since this call; what went before is
/// forgotten. False where the system cannot do that.
bool restart_peak_rss();

/// Lowers a limit of the process (RLIMIT_...), never raises it.
void limit_resource(int resource, unsigned long value);

/// All of it, or nothing more when the other end is gone.
void send_all(int file, std::string_view text);

}  // namespace quickselection
