// src/network/layers/topology.h: sparse evolutionary training (SET): drop the weakest, grow at
// random.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "network/layers/sparse_layer.h"

namespace quickselection {

/// Decides which weights belong to the weakest share `zeta` of their sign. Exactly
/// floor(zeta * n) of the n positive weights go, and likewise of the negative ones; among equal
/// magnitudes the first ones go. A weight of exactly 0 counts as positive. Ask in order, once each.
class WeakestOfEachSign {
 public:
  WeakestOfEachSign(std::span<const float> weights, double zeta);
  bool drops(float weight);
  std::size_t count() const { return count_; }

 private:
  struct Side {
    float threshold = 0;   // magnitudes below go …
    std::size_t ties = 0;  // … and so many equal to it
  };
  Side positive_, negative_;
  std::size_t count_ = 0;
};

/// Drops the weakest connections of each sign and grows as many at uniformly random free places,
/// with new weights and no optimiser state. A dense layer is left alone.
void evolve(SparseLayer& layer, double zeta, std::uint64_t seed, std::uint32_t epoch,
            std::uint32_t index);

// The two halves of a change of topology, for other rules than that of SET. Between them a layer is
// not complete: row j's survivors are ends[j - 1] to ends[j] - 1 of its arrays.

/// Removes the weakest share of each sign, judged by `keys` (one for each connection).
std::vector<std::uint64_t> drop_weakest(SparseLayer& layer, std::span<const float> keys,
                                        double share);

/// Fills the gaps with connections at `places` (output x inputs + input, ascending and free), with
/// these weights and no optimiser state.
void grow(SparseLayer& layer, std::span<const std::uint64_t> ends,
          std::span<const std::uint64_t> places, std::span<const float> weights);

}  // namespace quickselection
