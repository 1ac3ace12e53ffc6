// src/kernels/flush.h: numbers too small for a full mantissa become 0 while such an object lives.
#pragma once

#include <cstdint>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace quickselection::kernels {

/// Saturated and dropped units have activations near 0, and arithmetic with numbers below the
/// smallest normal one is a hundred times slower. None of them changes a sum. For this thread only.
class FlushTinyNumbers {
 public:
#if defined(__SSE__)
  FlushTinyNumbers() { _mm_setcsr(before_ | kFlush); }
  ~FlushTinyNumbers() { _mm_setcsr(before_); }
#elif defined(__aarch64__)
  FlushTinyNumbers() {
    asm volatile("mrs %0, fpcr" : "=r"(before_));
    asm volatile("msr fpcr, %0" ::"r"(before_ | kFlush));
  }
  ~FlushTinyNumbers() { asm volatile("msr fpcr, %0" ::"r"(before_)); }
#endif
  FlushTinyNumbers(const FlushTinyNumbers&) = delete;
  FlushTinyNumbers& operator=(const FlushTinyNumbers&) = delete;

 private:
#if defined(__SSE__)
  static constexpr unsigned kFlush = 0x8040;  // results and operands
  const unsigned before_ = _mm_getcsr();
#elif defined(__aarch64__)
  static constexpr std::uint64_t kFlush = std::uint64_t{1} << 24;
  std::uint64_t before_ = 0;
#endif
};

}  // namespace quickselection::kernels
