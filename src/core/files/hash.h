// src/core/files/hash.h: a fast 64-bit hash to notice changed or damaged data. Not cryptographic.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace quickselection {

/// Of all bytes that were added, however they were cut into pieces.
class Hash {
 public:
  void add(const void* data, std::size_t bytes) {
    if (bytes == 0) return;
    const auto* p = static_cast<const unsigned char*>(data);
    if (held_ > 0) {
      const std::size_t more = std::min(bytes, kWord - held_);
      std::memcpy(rest_ + held_, p, more);
      held_ += more;
      p += more;
      bytes -= more;
      if (held_ < kWord) return;
      state_ = mixed(load(rest_));
      held_ = 0;
    }
    for (; bytes >= kWord; p += kWord, bytes -= kWord) state_ = mixed(load(p));
    std::memcpy(rest_, p, bytes);
    held_ = bytes;
  }
  std::uint64_t value() const {
    std::uint64_t last = 0;
    std::memcpy(&last, rest_, held_);
    const std::uint64_t end = mixed(last ^ (static_cast<std::uint64_t>(held_) << 56));
    return end ^ (end >> 32);
  }

 private:
  static constexpr std::size_t kWord = sizeof(std::uint64_t);

  static std::uint64_t load(const unsigned char* from) {
    std::uint64_t word;
    std::memcpy(&word, from, kWord);
    return word;
  }
  std::uint64_t mixed(std::uint64_t word) const {
    const std::uint64_t state = (state_ ^ word) * 0x9E3779B97F4A7C15u;
    return state ^ (state >> 29);
  }

  std::uint64_t state_ = 0x51C5E1EC7104ull;
  unsigned char rest_[kWord] = {};  // of a word that the next piece may complete
  std::size_t held_ = 0;
};

}  // namespace quickselection
