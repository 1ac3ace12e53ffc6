// src/core/random_stream.h: a sequence of random numbers for work that is sequential by nature.
//
// Like everything random here it is a pure function of (seed, purpose, a, b): a tree's stream does
// not depend on which thread grows the tree, nor on how many trees were grown before it.
#pragma once

#include <Random123/philox.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace quickselection {

/// What a stream is for; two purposes never share numbers.
enum class StreamPurpose : std::uint32_t {
  tree = 1,
  bootstrap,
  kmeans,
  random_features,
  split,
};

class RandomStream {
 public:
  RandomStream(std::uint64_t seed, StreamPurpose purpose, std::uint32_t a = 0, std::uint32_t b = 0)
      : key_{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}},
        counter_{{0, static_cast<std::uint32_t>(purpose), a, b}} {}

  std::uint32_t next() {
    if (used_ == 4) {
      block_ = r123::Philox4x32()(counter_, key_);
      ++counter_[0];
      used_ = 0;
    }
    return block_[used_++];
  }

  /// Uniform in [0, 1), 53 bits.
  double uniform() {
    const std::uint64_t high = next() >> 5, low = next() >> 6;
    return static_cast<double>(high << 26 | low) * 0x1p-53;
  }

  /// Uniform in [0, n) without bias (Lemire's rejection); n must not be 0.
  std::uint32_t below(std::uint32_t n) {
    std::uint64_t product = std::uint64_t{next()} * n;
    if (static_cast<std::uint32_t>(product) < n) {
      const std::uint32_t reject = (0u - n) % n;
      while (static_cast<std::uint32_t>(product) < reject) product = std::uint64_t{next()} * n;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i)
      std::swap(items[i - 1], items[below(static_cast<std::uint32_t>(i))]);
  }

 private:
  r123::Philox4x32::key_type key_;
  r123::Philox4x32::ctr_type counter_, block_{};
  std::size_t used_ = 4;
};

}  // namespace quickselection
