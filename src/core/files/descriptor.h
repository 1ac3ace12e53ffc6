// src/core/files/descriptor.h: a file descriptor that is closed with its object, and whole writes.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <utility>

#include "core/files/waiting.h"

namespace quickselection {

class Descriptor {
 public:
  explicit Descriptor(int value = -1) : value_(value) {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) reset(std::exchange(other.value_, -1));
    return *this;
  }

  operator int() const { return value_; }
  void reset(int value = -1) {
    if (value_ >= 0) close(value_);
    value_ = value;
  }

 private:
  int value_;
};

/// The same file, but not as one of the standard streams: those are others' where they are closed,
/// and child processes get new ones.
inline int above_streams(int file) {
  if (file < 0 || file > STDERR_FILENO) return file;
  const Descriptor low(file);
  return fcntl(low, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

/// False, with errno, when not all of it could be written.
inline bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = write(file, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) {
      while_waiting();
      continue;
    }
    if (done == 0) errno = EIO;
    if (done <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return true;
}

}  // namespace quickselection
