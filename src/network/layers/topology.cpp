// src/network/layers/topology.cpp: see topology.h.
#include "network/layers/topology.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/random/random.h"

namespace quickselection {

WeakestOfEachSign::WeakestOfEachSign(std::span<const float> weights, double zeta) {
  // Magnitudes have the order of their bits. Counted by the upper half of them, all but a few are
  // seen to stand before or behind the threshold.
  constexpr std::size_t kUppers = std::size_t{1} << 15;
  const auto upper_of = [](float w) { return std::bit_cast<std::uint32_t>(std::fabs(w)) >> 16; };
  struct Count {
    std::vector<std::uint32_t> by_upper = std::vector<std::uint32_t>(kUppers);
    std::size_t all = 0, goal = 0, before = 0, upper = kUppers;  // `upper` is that of the threshold
    std::vector<float> candidates;
  } counts[2];
  for (const float w : weights) ++counts[w >= 0].by_upper[upper_of(w)];
  for (Count& of : counts) {
    for (const std::uint32_t n : of.by_upper) of.all += n;
    of.goal = static_cast<std::size_t>(zeta * static_cast<double>(of.all));
    count_ += of.goal;
    if (of.goal == 0) continue;
    for (of.upper = 0; of.before + of.by_upper[of.upper] < of.goal; ++of.upper)
      of.before += of.by_upper[of.upper];
  }
  for (const float w : weights)
    if (Count& of = counts[w >= 0]; upper_of(w) == of.upper) of.candidates.push_back(std::fabs(w));
  const auto side = [](Count& of) -> Side {
    if (of.goal == 0) return {0, 0};
    const std::size_t goal = of.goal - of.before;
    const auto last = of.candidates.begin() + static_cast<std::ptrdiff_t>(goal - 1);
    std::nth_element(of.candidates.begin(), last, of.candidates.end());
    const auto below =
        std::count_if(of.candidates.begin(), last, [&](float m) { return m < *last; });
    return {*last, goal - static_cast<std::size_t>(below)};
  };
  positive_ = side(counts[1]);
  negative_ = side(counts[0]);
}

bool WeakestOfEachSign::drops(float weight) {
  Side& side = weight >= 0 ? positive_ : negative_;
  const float magnitude = std::fabs(weight);
  if (magnitude < side.threshold) return true;
  if (magnitude > side.threshold || side.ties == 0) return false;
  --side.ties;
  return true;
}

std::vector<std::uint64_t> drop_weakest(SparseLayer& layer, std::span<const float> keys,
                                        double share) {
  WeakestOfEachSign weakest(keys, share);
  std::vector<std::uint64_t> ends(layer.outputs());
  const bool second = !layer.state2.empty();
  std::uint64_t kept = 0;
  for (std::size_t j = 0; j < layer.outputs(); ++j) {
    for (std::uint64_t k = layer.offsets[j]; k < layer.offsets[j + 1]; ++k) {
      // The keys may be the weights themselves: never overwritten before they are read.
      if (weakest.drops(keys[k])) continue;
      layer.columns[kept] = layer.columns[k];
      layer.weights[kept] = layer.weights[k];
      layer.state1[kept] = layer.state1[k];
      if (second) layer.state2[kept] = layer.state2[k];
      ++kept;
    }
    ends[j] = kept;
  }
  return ends;
}

namespace {

/// Turns ranks among the free places (ascending) into places: place = rank + survivors before it.
void ranks_to_places(const SparseLayer& layer, const std::vector<std::uint64_t>& ends,
                     std::vector<std::uint64_t>& ranks) {
  const std::uint64_t survivors = ends.back();
  std::uint64_t k = 0;
  std::size_t row = 0;
  const auto place_of_survivor = [&] {
    while (ends[row] <= k) ++row;
    return row * layer.inputs() + layer.columns[k];
  };
  for (std::uint64_t& rank : ranks) {
    while (k < survivors && place_of_survivor() <= rank + k) ++k;
    rank += k;
  }
}

}  // namespace

void grow(SparseLayer& layer, std::span<const std::uint64_t> ends,
          std::span<const std::uint64_t> places, std::span<const float> new_weights) {
  // Merged into the survivors from the back, so that no copy is needed.
  const bool second = !layer.state2.empty();
  std::uint64_t to = layer.connections();
  std::size_t grown = places.size();
  for (std::size_t j = layer.outputs(); j-- > 0;) {
    layer.offsets[j + 1] = to;
    const std::uint64_t first = j == 0 ? 0 : ends[j - 1];
    const std::uint64_t row_start = j * layer.inputs();
    std::uint64_t k = ends[j];
    for (;;) {
      const bool has_new = grown > 0 && places[grown - 1] >= row_start;
      if (!has_new && k == first) break;
      const bool take_new =
          has_new && (k == first || places[grown - 1] - row_start > layer.columns[k - 1]);
      --to;
      if (take_new) {
        --grown;
        layer.columns[to] = static_cast<std::uint32_t>(places[grown] - row_start);
        layer.weights[to] = new_weights[grown];
        layer.state1[to] = 0;
        if (second) layer.state2[to] = 0;
      } else {
        --k;
        layer.columns[to] = layer.columns[k];
        layer.weights[to] = layer.weights[k];
        layer.state1[to] = layer.state1[k];
        if (second) layer.state2[to] = layer.state2[k];
      }
    }
  }
  layer.rebuild_transposed();
}

void evolve(SparseLayer& layer, double zeta, std::uint64_t seed, std::uint32_t epoch,
            std::uint32_t index) {
  if (layer.is_dense()) return;
  const auto ends = drop_weakest(layer, {layer.weights.data(), layer.weights.size()}, zeta);
  const std::size_t count = layer.connections() - ends.back();
  if (count == 0) return;
  const std::uint64_t free_places =
      static_cast<std::uint64_t>(layer.inputs()) * layer.outputs() - ends.back();
  using kernels::Purpose;
  auto places = kernels::sample_distinct(
      free_places, count, kernels::RandomStream(seed, Purpose::topology, epoch, index));
  ranks_to_places(layer, ends, places);
  std::vector<float> new_weights(count);
  kernels::fill_normal(new_weights.data(), count, kInitialWeightScale, seed, Purpose::weights,
                       epoch, index);
  grow(layer, ends, places, new_weights);
}

}  // namespace quickselection
