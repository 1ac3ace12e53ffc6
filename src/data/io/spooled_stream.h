// src/data/io/spooled_stream.h: standard input, a pipe or a device as a file that can be mapped.
#pragma once

#include <string>

namespace quickselection {

/// True for "-" and for what can be read only once: pipes, devices, sockets.
bool is_stream(const std::string& path);

/// Copies a stream to its end into an unnamed temporary file. Throws Error when it cannot be read,
/// is empty, or there is no room.
class SpooledStream {
 public:
  explicit SpooledStream(const std::string& path);
  ~SpooledStream();
  SpooledStream(const SpooledStream&) = delete;
  SpooledStream& operator=(const SpooledStream&) = delete;

  /// Opens the copy, as long as this object lives.
  std::string path() const;

 private:
  int file_ = -1;
};

}  // namespace quickselection
