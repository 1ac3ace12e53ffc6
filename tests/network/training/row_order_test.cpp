// tests/network/training/row_order_test.cpp
#include "network/training/row_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "core/processes/shard_sum.h"
#include "support/sample_data.h"

namespace quickselection {
namespace {

std::vector<std::uint32_t> order_of(const Dataset& data, const Windows& windows, std::uint64_t seed,
                                    std::uint32_t epoch) {
  const RowOrder order(Range{0, data.rows()}, windows, seed, epoch);
  return {order.rows(), order.rows() + data.rows()};
}

void expect_permutation(std::vector<std::uint32_t> order) {
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i) ASSERT_EQ(order[i], i);
}

TEST(RowOrder, VisitsEveryRowOnce) {
  for (const std::size_t rows : {1u, 2u, 99u, 100u, 101u, 1000u}) {
    const Dataset data = whole_data<float>(rows, 2);
    expect_permutation(order_of(data, {}, 1, 0));
    for (const Windows& windows : {Windows{10, 8}, Windows{1, 8}, Windows{7, 3}, Windows{5000, 8}})
      expect_permutation(order_of(data, windows, 1, 0));
  }
}

TEST(RowOrder, AWindowHoldsWholeBlocksOnly) {
  const Dataset data = whole_data<float>(1000, 2);
  const auto order = order_of(data, {10, 8}, 1, 0);
  for (std::size_t window = 0; window < 1000; window += 80) {
    std::set<std::uint32_t> blocks;
    const std::size_t end = std::min<std::size_t>(1000, window + 80);
    for (std::size_t i = window; i < end; ++i) blocks.insert(order[i] / 10);
    EXPECT_EQ(blocks.size(), (end - window) / 10);
  }
}

TEST(RowOrder, RowsOfAWindowAreMixed) {
  const Dataset data = whole_data<float>(1000, 2);
  const auto order = order_of(data, {100, 10}, 1, 0);  // one window
  std::size_t neighbours = 0;
  for (std::size_t i = 1; i < order.size(); ++i) neighbours += order[i] == order[i - 1] + 1;
  EXPECT_LT(neighbours, 10u);
}

TEST(RowOrder, ChangesWithSeedAndEpochAndNothingElse) {
  const Dataset data = whole_data<float>(500, 2);
  const Windows windows{10, 8};
  EXPECT_EQ(order_of(data, windows, 1, 0), order_of(data, windows, 1, 0));
  EXPECT_NE(order_of(data, windows, 1, 0), order_of(data, windows, 1, 1));
  EXPECT_NE(order_of(data, windows, 1, 0), order_of(data, windows, 2, 0));
}

TEST(RowOrder, AShardMixesItsOwnRowsInItsOwnOrder) {
  for (const Windows& windows : {Windows{}, Windows{10, 8}}) {
    const RowOrder first(Range{0, 300}, windows, 1, 2, 0),
        second(Range{300, 600}, windows, 1, 2, 1);
    std::vector<std::uint32_t> a(first.rows(), first.rows() + 300),
        b(second.rows(), second.rows() + 300);
    EXPECT_TRUE(std::all_of(b.begin(), b.end(), [](auto row) { return row >= 300 && row < 600; }));
    EXPECT_EQ(std::set<std::uint32_t>(b.begin(), b.end()).size(), 300u);
    for (std::uint32_t& row : b) row -= 300;
    EXPECT_NE(a, b);
    EXPECT_EQ(std::set<std::uint32_t>(a.begin(), a.end()),
              std::set<std::uint32_t>(b.begin(), b.end()));
  }
}

TEST(ShardedBatches, TakeEqualPartsAndEveryRowOnce) {
  for (const std::size_t rows : {1u, 5u, 100u, 331u, 1200u})
    for (const std::size_t batch : {1u, 7u, 100u, 128u, 5000u})
      for (const std::size_t shards : {1u, 2u, 3u, 5u, 12u}) {
        if (shards > rows) continue;
        const ShardedBatches parts{rows, std::min(batch, rows), shards};
        std::vector<std::size_t> next(shards);
        for (std::size_t b = 0; b < parts.count(); ++b) {
          std::size_t taken = 0;
          for (std::size_t s = 0; s < shards; ++s) {
            const Range part = parts.part(b, s);
            ASSERT_EQ(part.begin, next[s]);
            ASSERT_LE(part.size(), parts.most());
            if (b + 1 < parts.count()) {
              ASSERT_GE(part.size() + 1, parts.batch / shards);
            }
            next[s] = part.end;
            taken += part.size();
          }
          if (rows % shards == 0 && b + 1 < parts.count()) {
            ASSERT_EQ(taken, parts.batch);
          }
        }
        for (std::size_t s = 0; s < shards; ++s)
          ASSERT_EQ(next[s], rows_of_shard(rows, s, shards).size());
      }
}

TEST(ShardedBatches, OneShardTakesTheRowsInOrder) {
  const ShardedBatches parts{330, 100, 1};
  EXPECT_EQ(parts.count(), 4u);
  EXPECT_EQ(parts.most(), 100u);
  for (std::size_t b = 0; b < 4; ++b) {
    EXPECT_EQ(parts.part(b, 0).begin, 100 * b);
    EXPECT_EQ(parts.part(b, 0).end, std::min<std::size_t>(330, 100 * (b + 1)));
  }
}

TEST(ShardedBatches, KeepToTheirPlacesInHugeData) {
  const ShardedBatches parts{4294967295, 1000000, 4096};
  EXPECT_EQ(parts.part(parts.count() - 1, 4095).end, rows_of_shard(4294967295, 4095, 4096).size());
}

TEST(Windows, KeepToTheirBytes) {
  const Dataset data = whole_data<float>(100000, 250);  // 1000 bytes a row
  for (const std::size_t bytes :
       {std::size_t{100000}, std::size_t{4} << 20, std::size_t{64} << 20}) {
    const Windows windows = windows_for(data, bytes);
    EXPECT_GE(windows.blocks, 8u);
    EXPECT_LE(windows.blocks * windows.block_rows * 1000, bytes);
    EXPECT_GE(windows.blocks * windows.block_rows * 1000, bytes / 2);
  }
}

TEST(Windows, ARowMayBeLargerThanItsShare) {
  const Dataset data = whole_data<float>(4, 100000);
  const Windows windows = windows_for(data, 1000);
  EXPECT_EQ(windows.block_rows, 1u);
}

}  // namespace
}  // namespace quickselection
