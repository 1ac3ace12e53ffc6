// src/core/processes/shard_sum.h: rows in shards, and sums over the shards that are the same bits
// however many processes hold them.
//
// Shards are added as a binary tree: the left half is the largest power of two below their number.
// A process owns consecutive shards, adds up the largest parts of the tree that are its own, and
// sends those: usually one. Every process then adds up all parts of one stretch of the numbers, and
// hands the result to all others. So about twice the numbers are sent and received by each process,
// and the order of additions depends on the number of shards alone.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "core/aligned.h"
#include "core/team.h"

namespace quickselection {

/// The consecutive rows of a shard.
Range rows_of_shard(std::size_t rows, std::size_t shard, std::size_t shards);
/// The shards of this process.
Range own_shards(std::size_t shards);
/// All rows of this process.
Range own_rows(std::size_t rows, std::size_t shards);

class ShardSum {
 public:
  /// `floats` and `doubles` are where a shard's numbers are put and the sum is found; they must
  /// stay where they are.
  ShardSum(std::size_t shards, std::vector<std::span<float>> floats, std::span<double> doubles);

  /// The numbers of shard `own`, counted among those of this process from 0; in order. Called by
  /// every member of the team. A barrier must follow before a number is changed.
  void add(int member, const Team& team, std::size_t own);
  /// When all are added: the sum over the shards of all processes takes the place of the numbers.
  /// Called by every member, and has barriers; member 0 talks to other processes. They also tell
  /// each other whether to stop.
  void finish(int member, Team& team);

 private:
  struct Node {  // a part of the tree
    AlignedArray<float> floats;
    AlignedArray<double> doubles;
  };
  struct Push {
    std::size_t top = 0, merges = 0;  // nodes on the stack, those that the new one completes
  };
  struct Merge {
    std::size_t into = 0, from = 0;  // parts of all processes
  };
  struct Part {
    Range shards;
    int owner = 0;
  };
  void plan_own(Range shards, std::size_t& top);
  std::size_t plan_all(Range shards);
  void exchange();

  const std::vector<std::span<float>> floats_;
  const std::span<double> doubles_;
  std::size_t float_count_ = 0;
  std::vector<Push> pushes_;  // for each own shard
  std::vector<Node> nodes_;   // a stack; in the end the own parts
  // Among several processes:
  std::vector<Part> parts_;  // of all of them, in order
  std::vector<Merge> merges_;
  std::vector<Node> inbox_;  // parts of others, the own stretch of numbers
  std::vector<AlignedArray<double>>
      tail_;  // for each process: its stretch of doubles, and its vote
  Node result_;
};

}  // namespace quickselection
