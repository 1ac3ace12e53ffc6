// src/core/processes/isolated.h: runs code of others in a process of its own.
//
// HDF5 may crash, hang or ask for any amount of memory when a file is damaged. In a child process
// that costs a message: the parent reads what the child handed over, or learns that it died.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace quickselection {

/// Memory that a child fills and the parent keeps, without a copy in between.
class SharedMemory {
 public:
  explicit SharedMemory(std::size_t most_bytes);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  struct Block {
    std::uint64_t offset = 0, bytes = 0;
  };
  /// For the child: zeros. Throws Error (naming `what`) when it is more than `most_bytes` in all.
  Block allocate(std::size_t bytes, const std::string& what);
  std::byte* data(const Block& block) const;

  /// For the parent, when the child has ended: everything, read-only.
  struct Mapping {
    std::shared_ptr<const std::byte> data;
    std::size_t bytes = 0;
    /// Null when the block is not within.
    const std::byte* at(const Block& block) const;
  };
  Mapping map() const;

 private:
  int file_ = -1;
  std::size_t used_ = 0, most_bytes_;
};

struct Isolation {
  std::string path;            ///< of the file, for messages
  std::string failure;         ///< what to say when the child crashes
  std::size_t file_bytes = 0;  ///< bounds memory and time; 0 = no bounds
};

/// For a body that has opened the files it needs: from now on it can open no other, where the
/// system (Linux 5.13, Landlock) sees to that.
void open_no_more_files();

/// Runs `body` in a child process and returns the text that it returned. What it throws is thrown
/// here: Error and InvalidArgument as they are. Throws Error when the child crashed or took too
/// long, Interrupted when it was asked to stop. Other threads may run meanwhile. Within a body, it
/// runs at once, without the bounds.
std::string run_isolated(const Isolation& isolation, const std::function<std::string()>& body);

}  // namespace quickselection
