// src/data/random_stream.h: random numbers that are a pure function of (seed, purpose, index).
#pragma once

#include <Random123/philox.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

namespace quickselection {

/// The numbers of one (seed, purpose, index), in order. Streams are independent, so that rows can
/// be drawn in any order and a longer data set begins with the rows of a shorter one.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::uint32_t purpose, std::uint64_t index = 0)
      : key_{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}},
        counter_{{0, purpose, static_cast<std::uint32_t>(index),
                  static_cast<std::uint32_t>(index >> 32)}} {}

  std::uint32_t bits() {
    if (used_ == 4) {
      block_ = r123::Philox4x32()(counter_, key_);
      ++counter_[0];
      used_ = 0;
    }
    return block_[used_++];
  }
  /// In [0, 1), a multiple of 2^-53.
  double uniform() {
    const std::uint64_t high = bits(), low = bits();
    return static_cast<double>((high << 21) ^ (low >> 11)) * 0x1p-53;
  }
  /// Standard normal, by Box and Muller.
  double normal() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    const double angle = 2 * std::numbers::pi * uniform();
    spare_ = radius * std::sin(angle);
    has_spare_ = true;
    return radius * std::cos(angle);
  }
  /// In [0, n).
  std::size_t below(std::size_t n) {
    return static_cast<std::size_t>(uniform() * static_cast<double>(n));
  }

 private:
  r123::Philox4x32::key_type key_;
  r123::Philox4x32::ctr_type counter_, block_{};
  std::uint32_t used_ = 4;
  double spare_ = 0;
  bool has_spare_ = false;
};

/// 0 to n-1 in random order.
inline std::vector<std::size_t> random_order(std::size_t n, RandomStream stream) {
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t j = stream.below(i + 1);
    order[i] = order[j];
    order[j] = i;
  }
  return order;
}

}  // namespace quickselection
