// src/evaluation/streams.h: the sequences of random numbers that evaluations use.
#pragma once

#include <cstdint>

#include "kernels/random/random.h"

namespace quickselection {

enum class Stream : std::uint32_t {
  tree,
  bootstrap,
  kmeans,
  random_features,
  seed,
  bootstrap_rows,
  explained_rows,
  explained_draws
};

inline kernels::RandomStream stream_of(std::uint64_t seed, Stream purpose, std::uint32_t index) {
  return {seed, kernels::Purpose::evaluation, static_cast<std::uint32_t>(purpose), index};
}

}  // namespace quickselection
