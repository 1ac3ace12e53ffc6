// src/core/files/waiting.cpp: see waiting.h.
#include "core/files/waiting.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace quickselection {
namespace {

constexpr int kMilliseconds = 100;

std::function<void()>& to_call() {
  static std::function<void()> call;
  return call;
}

}  // namespace

void set_while_waiting(std::function<void()> call) { to_call() = std::move(call); }

void while_waiting() {
  if (to_call()) to_call()();
}

int open_to_read(const std::string& path) {
  return open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

int open_to_write(const std::string& path) {
  constexpr int kFlags = O_WRONLY | O_CLOEXEC | O_NOCTTY;
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || !S_ISFIFO(status.st_mode))
    return open(path.c_str(), kFlags);
  for (;;) {
    const int file = open(path.c_str(), kFlags | O_NONBLOCK);
    if (file >= 0) fcntl(file, F_SETFL, O_WRONLY);
    if (file >= 0 || errno != ENXIO) return file;
    poll(nullptr, 0, kMilliseconds);
    while_waiting();
  }
}

ssize_t read_waiting(int file, void* to, std::size_t bytes) {
  for (;;) {
    pollfd ready{file, POLLIN, 0};
    const int came = poll(&ready, 1, kMilliseconds);
    if (came > 0) {
      const ssize_t got = read(file, to, bytes);
      if (got >= 0 || (errno != EINTR && errno != EAGAIN)) return got;
    } else if (came < 0 && errno != EINTR) {
      return -1;
    }
    while_waiting();
  }
}

}  // namespace quickselection
