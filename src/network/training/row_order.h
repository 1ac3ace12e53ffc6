// src/network/training/row_order.h: the order in which an epoch visits the rows.
//
// Usually any order is equally likely. Data that is larger than the memory it may use is read in
// windows: blocks of neighbouring rows are drawn at random, a window holds many of them, and the
// rows of a window are mixed. Only the windows in use are in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/team.h"
#include "quickselection/dataset.h"

namespace quickselection {

/// How rows are grouped; no blocks = all rows are mixed.
struct Windows {
  std::size_t block_rows = 0;
  std::size_t blocks = 0;  ///< in a window

  bool used() const { return block_rows != 0; }
};

/// No windows when the data takes at most half of `memory` (bytes, 0 = no bound). Throws Error when
/// it takes more and does not lie in a file that can be read in parts. All shards have windows of
/// their own, and share the memory.
Windows plan_windows(const Dataset& data, std::size_t memory, std::size_t shards = 1);

/// Throws Error when windows are used and the memory that is resident now leaves no room for them.
void check_memory(const Dataset& data, const Windows& windows, std::size_t memory);
/// The same when already the network asked for more than `memory`.
[[noreturn]] void refuse_network(const Dataset& data, std::size_t memory);

/// What a batch takes of the shards of `rows` rows: positions in the order of each.
struct ShardedBatches {
  std::size_t rows = 0, batch = 1, shards = 1;

  std::size_t count() const { return (rows + batch - 1) / batch; }
  /// Equal parts of every batch, give or take a row; all rows once. One shard has them in order.
  Range part(std::size_t number, std::size_t shard) const;
  /// The largest of all parts is not larger than this.
  std::size_t most() const;
};

/// Windows for data of which at most `window_bytes` should be in memory at a time.
Windows windows_for(const Dataset& data, std::size_t window_bytes);

class RowOrder {
 public:
  RowOrder() = default;
  /// The rows of a shard.
  RowOrder(Range shard_rows, const Windows& windows, std::uint64_t seed, std::uint32_t epoch,
           std::uint32_t shard = 0);
  /// Only these rows, in any order.
  RowOrder(std::span<const std::uint32_t> rows, std::uint64_t seed, std::uint32_t epoch,
           std::uint32_t shard = 0);

  const std::uint32_t* rows() const { return rows_.data(); }

  /// Rows before `position` of the order are done: gives back windows that are finished and asks
  /// for the next one. Nothing to do without windows.
  void advance(const Dataset& data, std::size_t position);

 private:
  void for_each_block(std::size_t window,
                      void (*what)(const Dataset&, std::size_t, std::size_t) noexcept,
                      const Dataset& data) const;

  Windows windows_;
  Range shard_;
  std::vector<std::uint32_t> rows_;        // in the order of their visits
  std::vector<std::uint32_t> blocks_;      // in the order of their visits
  std::vector<std::size_t> ends_;          // position after the last row of each window
  std::size_t released_ = 0, wanted_ = 0;  // windows
};

}  // namespace quickselection
