// src/core/atomic_file.h: output files that are either whole or not there.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace quickselection {

/// Writes to a temporary file in the same folder; commit() flushes it to disk and renames it over
/// the target. Without commit() the destructor removes it and the target stays as it was.
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view text) { write(text.data(), text.size()); }
  void write(const void* data, std::size_t bytes);
  void commit();

  /// The temporary file, for libraries that open files by themselves.
  const std::filesystem::path& temporary() const { return temporary_; }

 private:
  void flush();
  [[noreturn]] void fail(const char* doing);

  std::filesystem::path target_, temporary_;
  int descriptor_ = -1;
  std::string buffer_;
};

/// The whole of `text`, atomically.
void write_file(const std::filesystem::path& target, std::string_view text);

/// The whole of a file; nothing when it cannot be read.
std::optional<std::string> read_file(const std::filesystem::path& path);

/// Throws Error now when `target` could not be written later: its folder must exist and be
/// writable, and it must not be a folder itself. Called before long work.
void check_writable(const std::filesystem::path& target);

}  // namespace quickselection
