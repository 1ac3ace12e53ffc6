// src/core/processes/memory_bound.h: a bound on the memory that this process takes for itself.
//
// A small file can ask for a lot of memory: gzip makes a long line of few bytes, a column's number
// many columns. Without a bound the system would suffer first, and then end some process.
#pragma once

#include <cstddef>

namespace quickselection {

/// While one lives, the process may take so many bytes more than it had (heap and anonymous
/// mappings; mapped files do not count), and a little to say so: then allocations throw
/// std::bad_alloc. Of several at a
/// time, within one another or on several threads, the first one counts.
class MemoryBound {
 public:
  /// 0 = what the machine has available now.
  explicit MemoryBound(std::size_t bytes);
  ~MemoryBound();
  MemoryBound(const MemoryBound&) = delete;
  MemoryBound& operator=(const MemoryBound&) = delete;

  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_;
};

/// For a program: the same for the rest of its life, with what the machine has available now.
void bound_memory_of_program();

/// The bound that holds now; SIZE_MAX when there is none.
std::size_t bounded_memory();

}  // namespace quickselection
