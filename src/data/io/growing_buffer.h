// src/data/io/growing_buffer.h: memory that grows without being copied.
//
// Readers of text do not know how many rows will come. A std::vector would hold up to three times
// the data while it grows; here the system moves pages instead of bytes.
#pragma once

#include <cstddef>

namespace quickselection {

class GrowingBuffer {
 public:
  GrowingBuffer() = default;
  ~GrowingBuffer();
  GrowingBuffer(const GrowingBuffer&) = delete;
  GrowingBuffer& operator=(const GrowingBuffer&) = delete;

  /// Makes room for at least `bytes`; what was there stays. Throws std::bad_alloc.
  void reserve(std::size_t bytes);
  std::byte* data() { return data_; }

  /// Gives the first `bytes` back to the system; they read as zeros afterwards.
  void discard_before(std::size_t bytes) noexcept;

 private:
  std::byte* data_ = nullptr;
  std::size_t capacity_ = 0;
};

}  // namespace quickselection
