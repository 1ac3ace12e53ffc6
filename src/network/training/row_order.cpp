// src/network/training/row_order.cpp: see row_order.h.
#include "network/training/row_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/processes/meters.h"
#include "core/processes/shard_sum.h"
#include "data/io/pages.h"
#include "kernels/random/random.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

/// Long enough to be read at full speed, short enough that a window mixes many of them.
constexpr std::size_t kBlockBytes = std::size_t{1} << 20;
constexpr std::size_t kLeastBlocks = 8;

/// Windows are at most this large, so that the order of the rows, and with it the result, does not
/// depend on a generous --memory.
constexpr std::size_t kMostWindow = std::size_t{64} << 20;
constexpr const char* kSmaller =
    "allow more memory, or make the network smaller with ‹hidden› or ‹epsilon›";

/// Windows that are resident at a time: one in use, one being read, and the page table's slack.
constexpr std::size_t kWindowsAtOnce = 3;

}  // namespace

Windows windows_for(const Dataset& data, std::size_t window_bytes) {
  const std::size_t row_bytes = std::max<std::size_t>(1, data.values().row_bytes);
  const std::size_t block_bytes = std::min(kBlockBytes, window_bytes / kLeastBlocks);
  const std::size_t block_rows = std::max<std::size_t>(1, block_bytes / row_bytes);
  return {block_rows, std::max(kLeastBlocks, window_bytes / (block_rows * row_bytes))};
}

Windows plan_windows(const Dataset& data, std::size_t memory, std::size_t shards) {
  if (memory == 0 || data.value_bytes() <= memory / 2) return {};
  if (data.backing() != Backing::file)
    throw Error(fmt::format("{} takes {} MB in memory, more than half of ‹memory› ({} MB)",
                            data.source.empty() ? "the data" : data.source,
                            data.value_bytes() >> 20, memory >> 20),
                "only .npy and IDX files can be read in parts: `quickselection convert DATA "
                "data.npy` makes one");
  return windows_for(data, std::min(kMostWindow, memory / 8) / shards);
}

void check_memory(const Dataset& data, const Windows& windows, std::size_t memory) {
  if (memory == 0) return;
  const std::size_t window = windows.used() ? std::min(kMostWindow, memory / 8) : 0;
  const std::size_t needed = resident_bytes() + kWindowsAtOnce * window;
  if (needed <= memory) return;
  throw Error(fmt::format("training on {} needs about {} MB, but ‹memory› is {} MB", data.source,
                          needed >> 20, memory >> 20),
              kSmaller);
}

void refuse_network(const Dataset& data, std::size_t memory) {
  throw Error(
      fmt::format("training on {} needs more than ‹memory›, {} MB", data.source, memory >> 20),
      kSmaller);
}

namespace {

/// Word 2 of the counter: the window, 0 without one, and above it the shard.
constexpr std::uint32_t kShardBits = 20;

kernels::RandomStream shuffle(std::uint64_t seed, std::uint32_t epoch, std::uint32_t shard,
                              std::uint32_t window = 0) {
  return {seed, kernels::Purpose::shuffle, epoch, (shard << kShardBits) + window};
}

}  // namespace

Range ShardedBatches::part(std::size_t number, std::size_t shard) const {
  const std::uint64_t own = rows_of_shard(rows, shard, shards).size();
  // Shards begin at different phases, so that batches of equal shards are equal too.
  const auto place = [&](std::uint64_t boundary) {
    return std::min<std::uint64_t>(boundary, rows) * own + std::uint64_t{rows} * shard / shards;
  };
  return {place(number * batch) / rows, place((number + 1) * batch) / rows};
}

std::size_t ShardedBatches::most() const {
  const std::size_t taken = std::min(batch, rows), largest = (rows + shards - 1) / shards;
  return (taken * largest + rows - 1) / rows;
}

RowOrder::RowOrder(Range shard_rows, const Windows& windows, std::uint64_t seed,
                   std::uint32_t epoch, std::uint32_t shard)
    : windows_(windows), shard_(shard_rows) {
  const std::size_t first_row = shard_.begin, rows = shard_.size(), size = windows.block_rows;
  if (!windows.used()) {
    rows_ = kernels::random_permutation(rows, shuffle(seed, epoch, shard));
    for (std::uint32_t& row : rows_) row += static_cast<std::uint32_t>(first_row);
    return;
  }
  blocks_ = kernels::random_permutation((rows + size - 1) / size, shuffle(seed, epoch, shard));
  rows_.reserve(rows);
  for (std::size_t first = 0; first < blocks_.size(); first += windows.blocks) {
    const std::size_t begin = rows_.size();
    const std::size_t last = std::min(blocks_.size(), first + windows.blocks);
    for (std::size_t b = first; b < last; ++b)
      for (std::size_t r = blocks_[b] * size; r < std::min(rows, (blocks_[b] + 1) * size); ++r)
        rows_.push_back(static_cast<std::uint32_t>(first_row + r));
    // Fisher and Yates, within the window.
    auto random = shuffle(seed, epoch, shard, static_cast<std::uint32_t>(ends_.size() + 1));
    for (std::size_t i = rows_.size(); i > begin + 1; --i)
      std::swap(rows_[i - 1], rows_[begin + random.below(i - begin)]);
    ends_.push_back(rows_.size());
  }
}

RowOrder::RowOrder(std::span<const std::uint32_t> rows, std::uint64_t seed, std::uint32_t epoch,
                   std::uint32_t shard)
    : rows_(kernels::random_permutation(rows.size(), shuffle(seed, epoch, shard))) {
  for (std::uint32_t& row : rows_) row = rows[row];
}

void RowOrder::for_each_block(std::size_t window,
                              void (*what)(const Dataset&, std::size_t, std::size_t) noexcept,
                              const Dataset& data) const {
  const std::size_t first = window * windows_.blocks, size = windows_.block_rows;
  const std::size_t last = std::min(blocks_.size(), first + windows_.blocks);
  for (std::size_t b = first; b < last; ++b)
    what(data, shard_.begin + blocks_[b] * size,
         std::min(shard_.end, shard_.begin + (blocks_[b] + 1) * size));
}

void RowOrder::advance(const Dataset& data, std::size_t position) {
  while (released_ < ends_.size() && ends_[released_] <= position)
    for_each_block(released_++, release_rows, data);
  // One window ahead of the one in use.
  while (wanted_ < ends_.size() && wanted_ <= released_ + 1) {
    if (wanted_ >= released_) for_each_block(wanted_, want_rows, data);
    ++wanted_;
  }
}

}  // namespace quickselection
