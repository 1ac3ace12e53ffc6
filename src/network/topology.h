// src/network/topology.h: sparse evolutionary training (SET): drop the weakest, grow at random.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "network/sparse_layer.h"

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

}  // namespace quickselection
