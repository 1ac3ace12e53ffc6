// src/kernels/random/random.cpp: the scalar side of random.h; lanes are in random-inl.h.
#include "kernels/random/random.h"

#include <Random123/philox.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace quickselection::kernels {

std::array<std::uint32_t, 4> random_block(std::uint64_t seed, Purpose purpose, std::uint32_t a,
                                          std::uint32_t b, std::uint32_t c) {
  using Philox = r123::Philox4x32_R<7>;
  const Philox::ctr_type counter = {{a, b, c, static_cast<std::uint32_t>(purpose)}};
  const Philox::key_type key = {
      {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
  const Philox::ctr_type bits = Philox()(counter, key);
  return {bits[0], bits[1], bits[2], bits[3]};
}

std::uint32_t RandomStream::next_u32() {
  if (used_ == 4) {
    block_ = random_block(seed_, purpose_, block_index_++, b_, c_);
    used_ = 0;
  }
  return block_[static_cast<std::size_t>(used_++)];
}

std::uint64_t RandomStream::next_u64() {
  const std::uint64_t high = next_u32();
  return high << 32 | next_u32();
}

std::uint64_t RandomStream::below(std::uint64_t n) {
  // Lemire's method: the high half of a product, redrawn where the low half would favour some.
  __extension__ using Wide = unsigned __int128;
  Wide product = static_cast<Wide>(next_u64()) * n;
  if (static_cast<std::uint64_t>(product) < n) {
    const std::uint64_t floor = (0 - n) % n;
    while (static_cast<std::uint64_t>(product) < floor) product = static_cast<Wide>(next_u64()) * n;
  }
  return static_cast<std::uint64_t>(product >> 64);
}

double RandomStream::uniform() { return static_cast<double>(next_u64() >> 11) * 0x1p-53; }

double RandomStream::normal() {
  const double radius = std::sqrt(-2.0 * std::log1p(-uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

std::vector<std::uint32_t> random_permutation(std::size_t n, RandomStream stream) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[stream.below(i)]);
  return order;
}

namespace {

/// `count` numbers of [0, population), ascending; they may repeat. Each is put into its stretch,
/// where only a few others are. All are drawn twice, which is quicker than to keep a copy.
std::vector<std::uint64_t> draw_sorted(std::uint64_t population, std::uint64_t count,
                                       RandomStream& stream) {
  constexpr std::size_t kInAStretch = 32;
  const std::size_t stretches = count / kInAStretch + 1;
  const double scale = static_cast<double>(stretches) / static_cast<double>(population);
  const auto stretch_of = [&](std::uint64_t number) {  // never falls when the number grows
    return std::min(stretches - 1, static_cast<std::size_t>(static_cast<double>(number) * scale));
  };
  std::vector<std::size_t> ends(stretches + 1);  // at first where each begins
  RandomStream ahead = stream;
  for (std::uint64_t i = 0; i < count; ++i) ++ends[stretch_of(ahead.below(population)) + 1];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<std::uint64_t> numbers(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t number = stream.below(population);
    numbers[ends[stretch_of(number)]++] = number;
  }
  auto begin = numbers.begin();
  for (std::size_t s = 0; s < stretches; ++s) {
    const auto end = numbers.begin() + static_cast<std::ptrdiff_t>(ends[s]);
    std::sort(begin, end);
    begin = end;
  }
  return numbers;
}

}  // namespace

std::vector<std::uint64_t> sample_distinct(std::uint64_t population, std::uint64_t count,
                                           RandomStream stream) {
  if (count > population / 2) {
    // More than half: choose what to leave out instead, so that redraws stay rare.
    const auto left_out = sample_distinct(population, population - count, stream);
    std::vector<std::uint64_t> chosen;
    chosen.reserve(count);
    auto next = left_out.begin();
    for (std::uint64_t i = 0; i < population; ++i) {
      if (next != left_out.end() && *next == i)
        ++next;
      else
        chosen.push_back(i);
    }
    return chosen;
  }
  std::vector<std::uint64_t> chosen = draw_sorted(population, count, stream);
  for (;;) {
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    if (chosen.size() == count) return chosen;
    const auto sorted = static_cast<std::ptrdiff_t>(chosen.size());
    while (chosen.size() < count) chosen.push_back(stream.below(population));
    std::sort(chosen.begin() + sorted, chosen.end());
    std::inplace_merge(chosen.begin(), chosen.begin() + sorted, chosen.end());
  }
}

}  // namespace quickselection::kernels
