// src/data/io/growing_buffer.cpp: see growing_buffer.h.
#include "data/io/growing_buffer.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <new>

namespace quickselection {

namespace {
constexpr std::size_t kStep = std::size_t{1} << 20;
}

GrowingBuffer::~GrowingBuffer() {
  if (data_ != nullptr) munmap(data_, capacity_);
}

void GrowingBuffer::reserve(std::size_t bytes) {
  if (bytes <= capacity_) return;
  // Untouched pages cost nothing, so growing by half is only address space. Where that is bounded,
  // what is needed must do.
  std::size_t wanted = 0;
  void* moved = MAP_FAILED;
  for (const std::size_t size : {std::max(bytes, capacity_ + capacity_ / 2), bytes}) {
    wanted = (size + kStep - 1) / kStep * kStep;
    moved = data_ == nullptr ? mmap(nullptr, wanted, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                             : mremap(data_, capacity_, wanted, MREMAP_MAYMOVE);
    if (moved != MAP_FAILED) break;
  }
  if (moved == MAP_FAILED) throw std::bad_alloc();
  data_ = static_cast<std::byte*>(moved);
  capacity_ = wanted;
}

void GrowingBuffer::discard_before(std::size_t bytes) noexcept {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t whole = std::min(bytes, capacity_) / page * page;
  if (whole > 0) madvise(data_, whole, MADV_DONTNEED);
}

}  // namespace quickselection
