// src/network/training/row_order.cpp: see row_order.h.
#include "network/training/row_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/processes/meters.h"
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
/// Windows that are resident at a time: one in use, one being read, and the page table's slack.
constexpr std::size_t kWindowsAtOnce = 3;

}  // namespace

Windows windows_for(const Dataset& data, std::size_t window_bytes) {
  const std::size_t row_bytes = std::max<std::size_t>(1, data.values().row_bytes);
  const std::size_t block_bytes = std::min(kBlockBytes, window_bytes / kLeastBlocks);
  const std::size_t block_rows = std::max<std::size_t>(1, block_bytes / row_bytes);
  return {block_rows, std::max(kLeastBlocks, window_bytes / (block_rows * row_bytes))};
}

Windows plan_windows(const Dataset& data, std::size_t memory) {
  if (memory == 0 || data.value_bytes() <= memory / 2) return {};
  if (data.backing() != Backing::file)
    throw Error(fmt::format("{} takes {} MB in memory, more than half of ‹memory› ({} MB)",
                            data.source.empty() ? "the data" : data.source,
                            data.value_bytes() >> 20, memory >> 20),
                "only .npy and IDX files can be read in parts: `quickselection convert DATA "
                "data.npy` makes one");
  return windows_for(data, std::min(kMostWindow, memory / 8));
}

void check_memory(const Dataset& data, const Windows& windows, std::size_t memory) {
  if (memory == 0) return;
  const std::size_t window = windows.used() ? std::min(kMostWindow, memory / 8) : 0;
  const std::size_t needed = resident_bytes() + kWindowsAtOnce * window;
  if (needed <= memory) return;
  throw Error(fmt::format("training on {} needs about {} MB, but ‹memory› is {} MB", data.source,
                          needed >> 20, memory >> 20),
              "allow more memory, or make the network smaller with ‹hidden› or ‹epsilon›");
}

RowOrder::RowOrder(const Dataset& data, const Windows& windows, std::uint64_t seed,
                   std::uint32_t epoch)
    : windows_(windows) {
  using kernels::Purpose;
  using kernels::RandomStream;
  if (!windows.used()) {
    rows_ = kernels::random_permutation(data.rows(), RandomStream(seed, Purpose::shuffle, epoch));
    return;
  }
  const std::size_t rows = data.rows(), size = windows.block_rows;
  blocks_ = kernels::random_permutation((rows + size - 1) / size,
                                        RandomStream(seed, Purpose::shuffle, epoch));
  rows_.reserve(rows);
  for (std::size_t first = 0; first < blocks_.size(); first += windows.blocks) {
    const std::size_t begin = rows_.size();
    const std::size_t last = std::min(blocks_.size(), first + windows.blocks);
    for (std::size_t b = first; b < last; ++b)
      for (std::size_t r = blocks_[b] * size; r < std::min(rows, (blocks_[b] + 1) * size); ++r)
        rows_.push_back(static_cast<std::uint32_t>(r));
    // Fisher and Yates, within the window.
    RandomStream random(seed, Purpose::shuffle, epoch,
                        static_cast<std::uint32_t>(ends_.size() + 1));
    for (std::size_t i = rows_.size(); i > begin + 1; --i)
      std::swap(rows_[i - 1], rows_[begin + random.below(i - begin)]);
    ends_.push_back(rows_.size());
  }
}

RowOrder::RowOrder(std::span<const std::uint32_t> rows, std::uint64_t seed, std::uint32_t epoch)
    : rows_(kernels::random_permutation(
          rows.size(), kernels::RandomStream(seed, kernels::Purpose::shuffle, epoch))) {
  for (std::uint32_t& row : rows_) row = rows[row];
}

void RowOrder::for_each_block(std::size_t window, std::size_t rows,
                              void (*what)(const Dataset&, std::size_t, std::size_t) noexcept,
                              const Dataset& data) const {
  const std::size_t first = window * windows_.blocks, size = windows_.block_rows;
  const std::size_t last = std::min(blocks_.size(), first + windows_.blocks);
  for (std::size_t b = first; b < last; ++b)
    what(data, blocks_[b] * size, std::min(rows, (blocks_[b] + 1) * size));
}

void RowOrder::advance(const Dataset& data, std::size_t position) {
  while (released_ < ends_.size() && ends_[released_] <= position)
    for_each_block(released_++, data.rows(), release_rows, data);
  // One window ahead of the one in use.
  while (wanted_ < ends_.size() && wanted_ <= released_ + 1) {
    if (wanted_ >= released_) for_each_block(wanted_, data.rows(), want_rows, data);
    ++wanted_;
  }
}

}  // namespace quickselection
