// src/evaluation/forest/forest.cpp: see forest.h.
#include "evaluation/forest/forest.h"

#include <algorithm>
#include <array>

#include "core/pace.h"

namespace quickselection {
namespace {

constexpr std::size_t kBlock = 256;  // rows that walk down a tree while it is in the cache
constexpr std::size_t kAbreast = 8;  // rows that walk together, to hide the wait for memory

/// The leaves that `count` <= kAbreast rows come to.
void find_leaves(const Tree& tree, const float* rows, std::size_t stride, std::size_t count,
                 std::array<std::uint32_t, kAbreast>& leaves) {
  std::array<std::uint32_t, kAbreast> at{};
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t i = 0; i < count; ++i) {
      const TreeNode& node = tree.nodes[at[i]];
      const std::uint32_t next = node.left + (rows[i * stride + node.column] > node.threshold);
      moved |= next != at[i];
      at[i] = next;
    }
  }
  for (std::size_t i = 0; i < count; ++i) leaves[i] = tree.nodes[at[i]].leaf;
}

void add_votes(const Tree& tree, std::uint32_t leaf, double* votes) {
  if ((leaf & kPureLeaf) != 0) {
    votes[leaf & ~kPureLeaf] += 1;
    return;
  }
  for (std::size_t i = leaf;; ++i) {
    votes[tree.shares[i].label] += tree.shares[i].share;
    if (tree.shares[i].last) return;
  }
}

template <class Grower, class Data>
Forest grow_all(const Data& data, Classifier kind, int trees, std::uint64_t seed, Team& team,
                const std::atomic<bool>* stop) {
  Forest forest;
  forest.trees.resize(static_cast<std::size_t>(trees));
  std::atomic<std::size_t> next{0};
  team.run([&](int) {
    Grower grower(data, kind);
    for (std::size_t t; (t = next.fetch_add(1, std::memory_order_relaxed)) < forest.trees.size();) {
      check_stop(stop, "stopped while growing trees");
      forest.trees[t] = grower.grow(seed, static_cast<std::uint32_t>(t));
    }
  });
  return forest;
}

/// Calls visit(row, tree, leaf) for the rows [begin, end) and every tree, in order.
template <class Visit>
void walk(const Forest& forest, std::span<const float> rows, std::size_t stride, std::size_t begin,
          std::size_t end, const Visit& visit) {
  std::array<std::uint32_t, kAbreast> leaves{};
  for (const Tree& tree : forest.trees)
    for (std::size_t first = begin; first < end; first += kAbreast) {
      const std::size_t abreast = std::min(kAbreast, end - first);
      find_leaves(tree, rows.data() + first * stride, stride, abreast, leaves);
      for (std::size_t i = 0; i < abreast; ++i) visit(first + i, tree, leaves[i]);
    }
}

}  // namespace

Forest grow_forest(const TreeData& data, Classifier kind, int trees, std::uint64_t seed, Team& team,
                   const std::atomic<bool>* stop) {
  Forest forest = grow_all<TreeGrower>(data, kind, trees, seed, team, stop);
  forest.classes = data.classes;
  return forest;
}

Forest grow_forest(const NumberData& data, Classifier kind, int trees, std::uint64_t seed,
                   Team& team, const std::atomic<bool>* stop) {
  return grow_all<NumberTreeGrower>(data, kind, trees, seed, team, stop);
}

std::vector<double> predict_numbers(const Forest& forest, std::span<const float> rows,
                                    std::size_t stride, Team& team) {
  const std::size_t count = rows.size() / stride;
  std::vector<double> numbers(count);
  team.for_each((count + kBlock - 1) / kBlock, [&](std::size_t block) {
    const std::size_t begin = block * kBlock, end = std::min(count, begin + kBlock);
    walk(forest, rows, stride, begin, end,
         [&](std::size_t row, const Tree& tree, std::uint32_t leaf) {
           numbers[row] += tree.values[leaf];
         });
    for (std::size_t r = begin; r < end; ++r)
      numbers[r] /= static_cast<double>(forest.trees.size());
  });
  return numbers;
}

std::vector<std::uint16_t> predict(const Forest& forest, std::span<const float> rows,
                                   std::size_t stride, Team& team) {
  const std::size_t count = rows.size() / stride;
  std::vector<std::uint16_t> labels(count);
  team.for_each((count + kBlock - 1) / kBlock, [&](std::size_t block) {
    const std::size_t begin = block * kBlock, end = std::min(count, begin + kBlock);
    std::vector<double> votes((end - begin) * forest.classes);  // (rows, classes)
    walk(forest, rows, stride, begin, end,
         [&](std::size_t row, const Tree& tree, std::uint32_t leaf) {
           add_votes(tree, leaf, votes.data() + (row - begin) * forest.classes);
         });
    for (std::size_t r = begin; r < end; ++r) {
      const double* mine = votes.data() + (r - begin) * forest.classes;
      labels[r] = static_cast<std::uint16_t>(std::max_element(mine, mine + forest.classes) - mine);
    }
  });
  return labels;
}

}  // namespace quickselection
