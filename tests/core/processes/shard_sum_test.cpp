// tests/core/processes/shard_sum_test.cpp
#include "core/processes/shard_sum.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

namespace quickselection {
namespace {

/// Numbers whose sums depend on the order of additions.
float number(std::size_t shard, std::size_t i) {
  return std::sin(static_cast<float>(1 + shard * 131 + i * 17)) *
         std::pow(10.0f, static_cast<float>((shard + i) % 7));
}

/// The sum as the header describes it.
template <class T>
T tree(std::size_t begin, std::size_t end, const auto& of) {
  if (end - begin == 1) return static_cast<T>(of(begin));
  std::size_t half = 1;
  while (2 * half < end - begin) half *= 2;
  return tree<T>(begin, begin + half, of) + tree<T>(begin + half, end, of);
}

TEST(ShardSum, AddsAsATreeForAnyNumberOfShardsAndThreads) {
  constexpr std::size_t kFirst = 37, kSecond = 1, kDoubles = 5;
  for (const int threads : {1, 3})
    for (std::size_t shards = 1; shards <= 20; ++shards) {
      Team team(threads);
      std::vector<float> first(kFirst), second(kSecond);
      std::vector<double> doubles(kDoubles);
      ShardSum sum(shards, {first, second}, doubles);
      for (int batch = 0; batch < 2; ++batch) {  // nothing stays of the one before
        for (std::size_t s = 0; s < shards; ++s) {
          for (std::size_t i = 0; i < kFirst; ++i) first[i] = number(s, i);
          second[0] = number(s, 99);
          for (std::size_t i = 0; i < kDoubles; ++i) doubles[i] = number(s, 200 + i);
          team.run([&](int member) { sum.add(member, team, s); });
        }
        team.run([&](int member) { sum.finish(member, team); });
        for (std::size_t i = 0; i < kFirst; ++i)
          ASSERT_EQ(first[i], tree<float>(0, shards, [&](std::size_t s) { return number(s, i); }));
        ASSERT_EQ(second[0], tree<float>(0, shards, [&](std::size_t s) { return number(s, 99); }));
        for (std::size_t i = 0; i < kDoubles; ++i)
          ASSERT_EQ(doubles[i],
                    tree<double>(0, shards, [&](std::size_t s) { return number(s, 200 + i); }));
      }
    }
}

TEST(ShardSum, TakesNoNumbersAtAll) {
  Team team(2);
  ShardSum sum(3, {}, {});
  for (std::size_t s = 0; s < 3; ++s) team.run([&](int member) { sum.add(member, team, s); });
  team.run([&](int member) { sum.finish(member, team); });
}

TEST(ShardRows, AreConsecutiveAndNearlyEqual) {
  for (const std::size_t rows : {7u, 12u, 1000u})
    for (std::size_t shards = 1; shards <= 7; ++shards) {
      std::size_t next = 0;
      for (std::size_t s = 0; s < shards; ++s) {
        const Range range = rows_of_shard(rows, s, shards);
        EXPECT_EQ(range.begin, next);
        EXPECT_GE(range.size(), rows / shards);
        EXPECT_LE(range.size(), rows / shards + 1);
        next = range.end;
      }
      EXPECT_EQ(next, rows);
      EXPECT_EQ(own_rows(rows, shards).size(), rows);  // of the only process
    }
}

}  // namespace
}  // namespace quickselection
