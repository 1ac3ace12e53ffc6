// src/core/processes/limits.h: how much memory a file can justify.
#pragma once

#include <cstddef>
#include <cstdint>

namespace quickselection {

/// The sanitizers' shadow memory is larger than any limit.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

/// No reader allocates more for what a file only declares: deflate makes nothing 1032 times
/// smaller, and small files may have many empty rows.
constexpr std::size_t justified_bytes(std::size_t file_bytes) {
  constexpr std::size_t kAlways = std::size_t{64} << 20, kMostRatio = 1100;
  return file_bytes > (SIZE_MAX - kAlways) / kMostRatio ? SIZE_MAX
                                                        : kAlways + kMostRatio * file_bytes;
}

}  // namespace quickselection
