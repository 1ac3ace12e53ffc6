// src/core/hash.h: a fast 64-bit hash to notice changed or damaged data. Not cryptographic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace quickselection {

class Hash {
 public:
  void add(const void* data, std::size_t bytes) {
    const auto* p = static_cast<const unsigned char*>(data);
    for (; bytes >= 8; p += 8, bytes -= 8) {
      std::uint64_t word;
      std::memcpy(&word, p, 8);
      mix(word);
    }
    std::uint64_t rest = 0;
    if (bytes > 0) std::memcpy(&rest, p, bytes);
    mix(rest ^ (static_cast<std::uint64_t>(bytes) << 56));
  }
  std::uint64_t value() const { return state_ ^ (state_ >> 32); }

 private:
  void mix(std::uint64_t word) {
    state_ = (state_ ^ word) * 0x9E3779B97F4A7C15u;
    state_ ^= state_ >> 29;
  }
  std::uint64_t state_ = 0x51C5E1EC7104ull;
};

}  // namespace quickselection
