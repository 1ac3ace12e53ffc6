// src/data/io/mapped_file.h: a file seen as memory, read-only.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace quickselection {

/// Maps a whole file. Throws Error when it is missing, a folder, not readable or empty.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::byte* data() const { return static_cast<const std::byte*>(data_); }
  std::size_t size() const { return size_; }
  std::string_view text() const { return {static_cast<const char*>(data_), size_}; }
  const std::string& path() const { return path_; }

  /// Says that the first `bytes` will not be needed soon: they stop counting as resident memory.
  void release_before(std::size_t bytes) const noexcept;

 private:
  friend const char* mapped_at(const void* address) noexcept;

  std::string path_, shown_;
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

/// The path of the file that is mapped where `address` is; nullptr when none is. For signal
/// handlers: who reads a mapped file that has become shorter gets SIGBUS.
const char* mapped_at(const void* address) noexcept;

}  // namespace quickselection
