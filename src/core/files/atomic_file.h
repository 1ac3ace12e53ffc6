// src/core/files/atomic_file.h: output files that are either whole or not there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quickselection {

/// Writes to a file without a name in the folder of the target; commit() flushes it to disk and
/// puts it in the target's place. Without commit() it vanishes and the target stays as it was.
///
/// Links are followed: what they lead to is replaced. The permissions and, where it is allowed, the
/// owner of a replaced file stay. A read-only file is refused. Pipes, devices, /dev/fd/N
/// and "-", which is standard output, are written as streams, at once.
///
/// Where it needs a name, it has one by which the next writer of the same target finds it and
/// removes it if its writer was killed: .quickselection-HASH.part
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view text) { write(text.data(), text.size()); }
  void write(const void* data, std::size_t bytes);
  /// Anywhere, for what is not written in order; not for streams, and not together with write().
  void write_at(std::uint64_t place, std::string_view bytes);
  void commit();

  /// For libraries that open files by themselves, and by their true names: gives what is written a
  /// name. Not for streams.
  std::string temporary();

  struct State;

 private:
  std::unique_ptr<State> state_;
};

/// While it lives, files that this thread commits are flushed to disk but not put in place yet.
/// commit() does that for all of them, one right after the other: all are old or all are new.
class OutputBatch {
 public:
  OutputBatch();
  ~OutputBatch();
  OutputBatch(const OutputBatch&) = delete;
  OutputBatch& operator=(const OutputBatch&) = delete;
  void commit();

 private:
  friend AtomicFile;
  std::vector<std::unique_ptr<AtomicFile::State>> prepared_;
};

/// For a process that ends where it stands, without destructors: takes the names of this
/// thread's unfinished files away. Asks for no memory.
void remove_unfinished() noexcept;

/// The whole of `text`, atomically.
void write_file(const std::filesystem::path& target, std::string_view text);

/// Makes the names in a folder last. Throws Error.
void flush_folder(const std::filesystem::path& folder);

/// The whole of a file; nothing when it cannot be read.
std::optional<std::string> read_file(const std::filesystem::path& path);

/// Throws Error now when `target` could not be written later. Called before long work.
void check_writable(const std::filesystem::path& target);

/// Whether AtomicFile would write a stream, in order.
bool is_stream_output(const std::filesystem::path& target);

/// Throws InvalidArgument when two outputs are the same file, or an output is one of the inputs, by
/// whatever names. Streams may be used several times. "" is none.
void check_distinct(std::span<const std::string> outputs, std::span<const std::string> inputs);

}  // namespace quickselection
