// src/core/aligned.h: arrays for the kernels: aligned to a cache line, on huge pages when large.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include <sys/mman.h>

namespace quickselection {

/// A fixed-size array of zeros. Unlike std::vector it never copies by accident and does not touch
/// its pages before they are used (they come zeroed from the system when large).
template <class T>
class AlignedArray {
 public:
  AlignedArray() = default;
  explicit AlignedArray(std::size_t size) : size_(size) {
    if (size == 0) return;
    const std::size_t align = bytes() >= kHuge ? kHuge : 64;
    data_ = static_cast<T*>(std::aligned_alloc(align, (bytes() + align - 1) / align * align));
    if (data_ == nullptr) throw std::bad_alloc();
    if (bytes() >= kHuge) madvise(data_, bytes(), MADV_HUGEPAGE);
    std::memset(static_cast<void*>(data_), 0, bytes());
  }
  AlignedArray(AlignedArray&& other) noexcept { swap(other); }
  AlignedArray& operator=(AlignedArray&& other) noexcept {
    AlignedArray moved(std::move(other));
    swap(moved);
    return *this;
  }
  ~AlignedArray() { std::free(data_); }

  void swap(AlignedArray& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }
  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

 private:
  static constexpr std::size_t kHuge = std::size_t{1} << 21;
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace quickselection
