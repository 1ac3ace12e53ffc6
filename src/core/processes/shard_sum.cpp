// src/core/processes/shard_sum.cpp: see shard_sum.h.
#include "core/processes/shard_sum.h"

#include <algorithm>
#include <bit>

#include "core/pace.h"
#include "core/processes/comm.h"

namespace quickselection {
namespace {

constexpr std::size_t kLine = 16;  // floats in a cache line

/// Where the tree over these shards is cut.
std::size_t cut(Range shards) { return shards.begin + std::bit_floor(shards.size() - 1); }

Range shards_of(std::size_t shards, int process) { return share(shards, process, comm::size()); }

bool within(Range inner, Range outer) {
  return outer.begin <= inner.begin && inner.end <= outer.end;
}

/// The largest parts of the tree over `tree` that lie within `own`: body(part).
void for_each_part(Range tree, Range own, const auto& body) {
  if (within(tree, own)) {
    body(tree);
    return;
  }
  if (tree.size() <= 1 || tree.end <= own.begin || own.end <= tree.begin) return;
  for_each_part({tree.begin, cut(tree)}, own, body);
  for_each_part({cut(tree), tree.end}, own, body);
}

template <class T>
void add_to(T* into, const T* from, Range range) {
  for (std::size_t i = range.begin; i < range.end; ++i) into[i] += from[i];
}

/// Puts `numbers` on the stack `row(0), row(1) …` at `top`, merging `merges` times.
template <class T>
void push(const T* numbers, Range range, std::size_t top, std::size_t merges, const auto& row) {
  if (merges == 0) {
    std::copy(numbers + range.begin, numbers + range.end, row(top) + range.begin);
    return;
  }
  add_to(row(top - 1), numbers, range);
  for (std::size_t m = 1; m < merges; ++m)
    add_to(row(top - m - 1), static_cast<const T*>(row(top - m)), range);
}

}  // namespace

Range rows_of_shard(std::size_t rows, std::size_t shard, std::size_t shards) {
  return share(rows, static_cast<int>(shard), static_cast<int>(shards));
}

Range own_shards(std::size_t shards) { return shards_of(shards, comm::rank()); }

Range own_rows(std::size_t rows, std::size_t shards) {
  const Range own = own_shards(shards);
  if (own.size() == 0) return {0, 0};
  return {rows_of_shard(rows, own.begin, shards).begin,
          rows_of_shard(rows, own.end - 1, shards).end};
}

ShardSum::ShardSum(std::size_t shards, std::vector<std::span<float>> floats,
                   std::span<double> doubles)
    : floats_(std::move(floats)), doubles_(doubles) {
  // Each array begins at a cache line.
  for (const auto& array : floats_) float_count_ += (array.size() + kLine - 1) / kLine * kLine;
  const Range all{0, shards}, own = own_shards(shards);
  std::size_t top = 0;
  for_each_part(all, own, [&](Range part) { plan_own(part, top); });
  std::size_t most = 0;
  for (const Push& push : pushes_) most = std::max(most, push.top + 1);
  for (std::size_t i = 0; i < most; ++i)
    nodes_.push_back({AlignedArray<float>(float_count_), AlignedArray<double>(doubles_.size())});
  if (comm::size() == 1) return;
  for (int p = 0; p < comm::size(); ++p)
    for_each_part(all, shards_of(shards, p), [&](Range part) { parts_.push_back({part, p}); });
  plan_all(all);
  const Range mine = share(float_count_, comm::rank(), comm::size(), kLine);
  const Range mine_doubles = share(doubles_.size(), comm::rank(), comm::size());
  for (const Part& part : parts_) {
    const bool other = part.owner != comm::rank();
    inbox_.push_back({AlignedArray<float>(other ? mine.size() : 0),
                      AlignedArray<double>(other ? mine_doubles.size() : 0)});
  }
  for (int p = 0; p < comm::size(); ++p)
    tail_.emplace_back(share(doubles_.size(), p, comm::size()).size() + 1);
  result_ = {AlignedArray<float>(float_count_), AlignedArray<double>(doubles_.size())};
}

/// Shards in order, each with the parts of the tree that it completes.
void ShardSum::plan_own(Range shards, std::size_t& top) {
  if (shards.size() == 1) {
    pushes_.push_back({top++, 0});
    return;
  }
  plan_own({shards.begin, cut(shards)}, top);
  plan_own({cut(shards), shards.end}, top);
  ++pushes_.back().merges;
  --top;
}

/// How the parts of all processes become the whole; returns the part that holds the sum.
std::size_t ShardSum::plan_all(Range shards) {
  for (std::size_t p = 0; p < parts_.size(); ++p)
    if (parts_[p].shards.begin == shards.begin && parts_[p].shards.end == shards.end) return p;
  const std::size_t left = plan_all({shards.begin, cut(shards)});
  const std::size_t right = plan_all({cut(shards), shards.end});
  merges_.push_back({left, right});
  return left;
}

void ShardSum::add(int member, const Team& team, std::size_t own) {
  const Push& now = pushes_[own];
  std::size_t offset = 0;
  for (const auto& array : floats_) {
    push(array.data(), share(array.size(), member, team.size(), kLine), now.top, now.merges,
         [&](std::size_t n) { return nodes_[n].floats.data() + offset; });
    offset += (array.size() + kLine - 1) / kLine * kLine;
  }
  push(doubles_.data(), share(doubles_.size(), member, team.size(), kLine), now.top, now.merges,
       [&](std::size_t n) { return nodes_[n].doubles.data(); });
}

void ShardSum::exchange() {
  const int me = comm::rank(), count = comm::size();
  const auto floats = [&](int p) { return share(float_count_, p, count, kLine); };
  const auto doubles = [&](int p) { return share(doubles_.size(), p, count); };
  std::vector<comm::Message> sends, receives;
  const auto say = [](std::vector<comm::Message>& list, int peer, auto* data, std::size_t n) {
    if (n > 0) list.push_back({peer, data, n * sizeof *data});
  };
  // Every part goes to the process that adds up its stretch.
  std::size_t own = 0;
  std::vector<std::pair<float*, double*>> at(parts_.size());  // of my stretch
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const int owner = parts_[i].owner;
    if (owner != me) {
      say(receives, owner, inbox_[i].floats.data(), floats(me).size());
      say(receives, owner, inbox_[i].doubles.data(), doubles(me).size());
      at[i] = {inbox_[i].floats.data(), inbox_[i].doubles.data()};
      continue;
    }
    Node& node = nodes_[own++];
    at[i] = {node.floats.data() + floats(me).begin, node.doubles.data() + doubles(me).begin};
    for (int p = 0; p < count; ++p) {
      if (p == me) continue;
      say(sends, p, node.floats.data() + floats(p).begin, floats(p).size());
      say(sends, p, node.doubles.data() + doubles(p).begin, doubles(p).size());
    }
  }
  comm::exchange(sends, receives);
  for (const Merge& merge : merges_) {
    add_to(at[merge.into].first, static_cast<const float*>(at[merge.from].first),
           {0, floats(me).size()});
    add_to(at[merge.into].second, static_cast<const double*>(at[merge.from].second),
           {0, doubles(me).size()});
  }
  // The sum of every stretch goes to all, with a vote.
  comm::Stop& stop = comm::stop();
  AlignedArray<double>& mine = tail_[static_cast<std::size_t>(me)];
  std::copy_n(at[0].first, floats(me).size(), result_.floats.data() + floats(me).begin);
  std::copy_n(at[0].second, doubles(me).size(), mine.data());
  mine[mine.size() - 1] = stopping(stop.asked) ? 1 : 0;
  sends.clear();
  receives.clear();
  for (int p = 0; p < count; ++p) {
    if (p == me) continue;
    say(sends, p, result_.floats.data() + floats(me).begin, floats(me).size());
    say(sends, p, mine.data(), mine.size());
    say(receives, p, result_.floats.data() + floats(p).begin, floats(p).size());
    AlignedArray<double>& theirs = tail_[static_cast<std::size_t>(p)];
    say(receives, p, theirs.data(), theirs.size());
  }
  comm::exchange(sends, receives);
  for (int p = 0; p < count; ++p) {
    const AlignedArray<double>& theirs = tail_[static_cast<std::size_t>(p)];
    std::copy_n(theirs.data(), theirs.size() - 1, result_.doubles.data() + doubles(p).begin);
    if (theirs[theirs.size() - 1] != 0) stop.agreed = true;
  }
}

void ShardSum::finish(int member, Team& team) {
  team.barrier();
  const bool several = comm::size() > 1;
  if (several) {
    if (member == 0) exchange();
    team.barrier();
  }
  const Node& sum = several ? result_ : nodes_[0];
  std::size_t offset = 0;
  for (const auto& array : floats_) {
    const Range range = share(array.size(), member, team.size(), kLine);
    const float* const from = sum.floats.data() + offset;
    std::copy(from + range.begin, from + range.end, array.data() + range.begin);
    offset += (array.size() + kLine - 1) / kLine * kLine;
  }
  const Range range = share(doubles_.size(), member, team.size(), kLine);
  std::copy(sum.doubles.data() + range.begin, sum.doubles.data() + range.end,
            doubles_.data() + range.begin);
  team.barrier();
}

}  // namespace quickselection
