// src/evaluation/forest/forest.h: trees and how they are grown: extremely randomised trees and
// random forests, for classes and for numbers.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/aligned.h"
#include "core/team.h"
#include "evaluation/forest/coded_columns.h"
#include "kernels/random/random.h"
#include "quickselection/evaluation.h"

namespace quickselection {

/// A leaf is its own left child and its threshold is infinite, so that walking on stays there.
struct TreeNode {
  float threshold = 0;       ///< values up to it go left
  std::uint32_t column = 0;  ///< of the coded table
  std::uint32_t left = 0;    ///< the right child stands behind the left one
  std::uint32_t leaf = 0;  ///< in leaves: kPureLeaf | class, the first of its shares, or its value
};

inline constexpr std::uint32_t kPureLeaf = 0x80000000u;

/// The share of one class in a leaf that holds several.
struct ClassShare {
  std::uint16_t label = 0;
  bool last = false;  ///< of this leaf
  double share = 0;
};

struct Tree {
  std::vector<TreeNode> nodes;
  std::vector<ClassShare> shares;
  std::vector<double> values;  ///< of trees that predict numbers: the mean of a leaf's rows
};

/// A row in a tree: its weight is how often the bootstrap drew it (1 without).
struct Sample {
  std::uint32_t row = 0;
  std::uint16_t label = 0, weight = 1;
};

/// What trees grow from. `labels` has one class per row of the table, below `classes`.
struct TreeData {
  const CodedColumns* table = nullptr;
  std::span<const std::uint32_t> columns;  ///< those of the table that the tree may use
  std::span<const std::uint16_t> labels;
  std::size_t classes = 0;
};

/// Grows trees one after the other in the same memory. Each is grown until its leaves hold one
/// class or rows that no column tells apart; a split minimises the Gini impurity over
/// max(1, floor(sqrt(columns))) columns drawn at random (more while those drawn are constant).
/// Extra trees draw one threshold per column, uniform between the node's extremes; the random
/// forest tries all, on rows drawn with replacement.
class TreeGrower {
 public:
  TreeGrower(const TreeData& data, Classifier kind);

  Tree grow(std::uint64_t seed, std::uint32_t tree);

 private:
  /// Consecutive samples of one class: samples stay sorted by class in every node.
  struct Run {
    std::uint16_t label;
    std::uint32_t end;  // relative to the node
    std::uint64_t weight;
  };
  struct Split {
    double score = -1;  // sum over both sides of (sum of squared class weights) / weight
    std::uint32_t column = 0, code = 0;  // codes up to it go left
    float threshold = 0;
  };
  struct Pending {
    std::uint32_t node, begin, end, constants;
  };

  void draw_samples(std::uint64_t seed, std::uint32_t tree);
  void find_runs(std::span<const Sample> node);
  bool find_split(std::span<const Sample> node, std::uint32_t& constants,
                  kernels::RandomStream& random, Split& best);
  /// The node's codes, and their extremes.
  template <class Code>
  const Code* gather_codes(const Code* codes, std::span<const Sample> node, Code& least,
                           Code& most);
  /// Both return false when the column is constant in the node, and improve `best` otherwise.
  template <class Code>
  bool try_random_threshold(const Code* codes, std::uint32_t column, std::span<const Sample> node,
                            kernels::RandomStream& random, Split& best);
  template <class Code>
  bool try_all_thresholds(const Code* codes, std::uint32_t column, std::span<const Sample> node,
                          Split& best);
  std::size_t partition(std::span<Sample> node, const Split& split);
  void make_leaf(Tree& tree, std::uint32_t node);

  TreeData data_;
  Classifier kind_;
  std::size_t max_columns_;
  std::vector<Sample> by_class_;  // all rows, sorted by class
  std::vector<Sample> samples_, spare_;
  std::vector<std::uint16_t> drawn_;             // by the bootstrap, per row
  std::vector<std::uint32_t> order_, constant_;  // columns; see find_split
  std::vector<Run> runs_;                        // of the node at hand
  std::uint64_t weight_ = 0, squares_ = 0;       // of the node at hand
  std::vector<std::uint64_t> total_, right_;     // per class; all zero between nodes
  AlignedArray<std::uint32_t> codes_;            // of the node at hand
  AlignedArray<std::uint64_t> keys_, sorted_;    // code << 32 | label << 16 | weight
};

/// What trees that predict numbers grow from: one number for each row of the table.
struct NumberData {
  const CodedColumns* table = nullptr;
  std::span<const std::uint32_t> columns;
  std::span<const double> targets;
};

/// The same for numbers: until a leaf's rows have one target, or no column tells them apart. A
/// split minimises the squared error over all columns, as scikit-learn's regressors do unless told
/// otherwise; they come in random order, so that no column is preferred among equals.
class NumberTreeGrower {
 public:
  NumberTreeGrower(const NumberData& data, Classifier kind);

  Tree grow(std::uint64_t seed, std::uint32_t tree);

 private:
  struct Drawn {
    std::uint32_t row = 0;
    std::uint32_t weight = 1;
  };
  struct Split {
    double score;                        // sum over both sides of (sum of targets)^2 / weight
    std::uint32_t column = 0, code = 0;  // codes up to it go left
    float threshold = 0;
  };
  struct Pending {
    std::uint32_t node, begin, end, constants;
  };

  bool find_split(std::span<const Drawn> node, std::uint32_t& constants,
                  kernels::RandomStream& random, Split& best);
  template <class Code>
  bool try_column(const Code* codes, std::uint32_t column, std::span<const Drawn> node,
                  kernels::RandomStream& random, Split& best);

  NumberData data_;
  Classifier kind_;
  std::vector<Drawn> rows_, spare_;
  std::vector<std::uint32_t> order_;          // columns: first those that are constant in the node
  double weight_ = 0, sum_ = 0;               // of the node at hand
  std::vector<std::uint64_t> keys_, sorted_;  // code << 32 | place in the node
};

struct Forest {
  std::vector<Tree> trees;
  std::size_t classes = 0;
};

/// Grows `trees` trees, one per thread at a time. The result depends on the seed, not on the team.
/// Throws Interrupted when `stop` becomes true.
Forest grow_forest(const TreeData& data, Classifier kind, int trees, std::uint64_t seed, Team& team,
                   const std::atomic<bool>* stop = nullptr);

Forest grow_forest(const NumberData& data, Classifier kind, int trees, std::uint64_t seed,
                   Team& team, const std::atomic<bool>* stop = nullptr);

/// The mean over the trees of what their leaves say, for each row; otherwise as predict().
std::vector<double> predict_numbers(const Forest& forest, std::span<const float> rows,
                                    std::size_t stride, Team& team);

/// The most probable class of each row: the mean over the trees of their leaves' class shares,
/// the lower class where two are equal. `rows` is row-major (n, stride), its columns those of the
/// table that the forest grew from.
std::vector<std::uint16_t> predict(const Forest& forest, std::span<const float> rows,
                                   std::size_t stride, Team& team);

}  // namespace quickselection
