// src/kernels/random/random.h: random numbers as pure functions of (seed, purpose, place).
//
// Philox4x32 with 7 rounds (Salmon et al. 2011): the fewest with which it passes BigCrush. Nothing
// is stored and nothing depends on the order of work, so threads, batches and resumed runs agree.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace quickselection::kernels {

/// What a number is for: equal places with different purposes give independent numbers.
enum class Purpose : std::uint32_t {
  noise = 1,
  dropout,
  shuffle,
  topology,
  weights,
  generator,
  split,
  evaluation,
  selection,
  gumbel,
};

/// 128 random bits for the counter (a, b, c, purpose).
std::array<std::uint32_t, 4> random_block(std::uint64_t seed, Purpose purpose, std::uint32_t a,
                                          std::uint32_t b, std::uint32_t c);

/// A sequence of numbers for one purpose; (b, c) separate sequences of the same purpose.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, Purpose purpose, std::uint32_t b = 0, std::uint32_t c = 0)
      : seed_(seed), purpose_(purpose), b_(b), c_(c) {}

  std::uint32_t next_u32();
  std::uint64_t next_u64();
  /// Uniform in [0, n), without bias. n must not be 0.
  std::uint64_t below(std::uint64_t n);
  /// Uniform in [0, 1).
  double uniform();
  double normal();

 private:
  std::uint64_t seed_;
  Purpose purpose_;
  std::uint32_t b_, c_;
  std::uint32_t block_index_ = 0;
  std::array<std::uint32_t, 4> block_{};
  int used_ = 4;
};

/// A random order of 0 … n-1.
std::vector<std::uint32_t> random_permutation(std::size_t n, RandomStream stream);

/// `count` distinct numbers of [0, population), ascending, every subset being equally likely.
std::vector<std::uint64_t> sample_distinct(std::uint64_t population, std::uint64_t count,
                                           RandomStream stream);

/// out[i] = scale * N(0, 1), a pure function of (seed, purpose, b, c, i). Vectorised.
void fill_normal(float* out, std::size_t n, float scale, std::uint64_t seed, Purpose purpose,
                 std::uint32_t b, std::uint32_t c) noexcept;

}  // namespace quickselection::kernels
