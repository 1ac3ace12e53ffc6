// src/evaluation/forest/forest.h: extremely randomised trees and random forests.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/team.h"
#include "evaluation/forest/tree.h"

namespace quickselection {

struct Forest {
  std::vector<Tree> trees;
  std::size_t classes = 0;
};

/// Grows `trees` trees, one per thread at a time. The result depends on the seed, not on the team.
/// Throws Interrupted when `stop` becomes true.
Forest grow_forest(const TreeData& data, Classifier kind, int trees, std::uint64_t seed, Team& team,
                   const std::atomic<bool>* stop = nullptr);

/// The most probable class of each row: the mean over the trees of their leaves' class shares,
/// the lower class where two are equal. `rows` is row-major (n, stride), its columns those of the
/// table that the forest grew from.
std::vector<std::uint16_t> predict(const Forest& forest, std::span<const float> rows,
                                   std::size_t stride, Team& team);

}  // namespace quickselection
