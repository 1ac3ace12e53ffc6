// tests/kernels/random/random_test.cpp
#include "kernels/random/random.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "support/levels.h"
#include "support/reference.h"
#include "support/statistics.h"

namespace quickselection::kernels {
namespace {

using ::testing::ElementsAre;

RandomStream stream(std::uint32_t b = 0) { return RandomStream(7, Purpose::evaluation, b); }

TEST(RandomBlock, StaysTheSameForEver) {
  // Published seeds must keep their meaning. Philox4x32 with 7 rounds, from its definition:
  // computed with whole-number arithmetic outside of this program.
  EXPECT_THAT(random_block(0, Purpose::noise, 0, 0, 0),
              ElementsAre(0x2FAFE778u, 0xFEAFE6EDu, 0xA9CFA4A0u, 0xC91C304Bu));
  EXPECT_THAT(random_block(0x123456789ABCDEF0u, Purpose::shuffle, 11, 22, 33),
              ElementsAre(0xD9EA4CE6u, 0x93E29D91u, 0x55218DA2u, 0xF272D47Bu));
}

TEST(RandomBlock, DependsOnEveryArgument) {
  std::set<std::array<std::uint32_t, 4>> blocks{
      random_block(1, Purpose::noise, 1, 1, 1),
      random_block(2, Purpose::noise, 1, 1, 1),
      random_block(1 + (std::uint64_t{1} << 32), Purpose::noise, 1, 1, 1),
      random_block(1, Purpose::dropout, 1, 1, 1),
      random_block(1, Purpose::noise, 2, 1, 1),
      random_block(1, Purpose::noise, 1, 2, 1),
      random_block(1, Purpose::noise, 1, 1, 2),
  };
  EXPECT_EQ(blocks.size(), 7u);
}

TEST(RandomStream, GivesTheWordsOfItsBlocksInOrder) {
  RandomStream numbers(5, Purpose::shuffle, 3, 4);
  for (std::uint32_t block = 0; block < 3; ++block)
    for (const std::uint32_t word : random_block(5, Purpose::shuffle, block, 3, 4))
      EXPECT_EQ(numbers.next_u32(), word);
}

TEST(RandomStream, BelowIsUniform) {
  for (const std::uint64_t n : {1u, 2u, 3u, 10u, 37u}) {
    std::vector<std::size_t> counts(n);
    RandomStream numbers = stream();
    for (int i = 0; i < 100'000; ++i) {
      const std::uint64_t x = numbers.below(n);
      ASSERT_LT(x, n);
      ++counts[x];
    }
    EXPECT_TRUE(looks_uniform(counts)) << n;
  }
}

TEST(RandomStream, BelowHasNoBiasForHugeRanges) {
  // 3/4 of all 64-bit numbers: without redraws every third result would come twice as often.
  const std::uint64_t n = std::uint64_t{3} << 62;
  std::vector<std::size_t> remainders(3), thirds(3);
  RandomStream numbers = stream();
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t x = numbers.below(n);
    ASSERT_LT(x, n);
    ++remainders[x % 3];
    ++thirds[x / (n / 3)];
  }
  EXPECT_TRUE(looks_uniform(remainders));
  EXPECT_TRUE(looks_uniform(thirds));
}

TEST(RandomStream, UniformFillsTheUnitInterval) {
  std::vector<std::size_t> bins(64);
  RandomStream numbers = stream();
  for (int i = 0; i < 100'000; ++i) {
    const double x = numbers.uniform();
    ASSERT_GE(x, 0);
    ASSERT_LT(x, 1);
    ++bins[static_cast<std::size_t>(64 * x)];
  }
  EXPECT_TRUE(looks_uniform(bins));
}

TEST(RandomStream, NormalIsNormal) {
  RandomStream numbers = stream();
  std::vector<double> values(200'000);
  for (double& x : values) x = numbers.normal();
  EXPECT_TRUE(looks_normal(values));
}

TEST(RandomPermutation, HoldsEveryNumberOnce) {
  for (const std::size_t n : {0u, 1u, 2u, 3u, 1000u}) {
    auto order = random_permutation(n, stream());
    ASSERT_EQ(order.size(), n);
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(order[i], i);
  }
}

TEST(RandomPermutation, GivesEveryOrderEquallyOften) {
  std::map<std::vector<std::uint32_t>, std::size_t> orders;
  for (std::uint32_t i = 0; i < 24'000; ++i) ++orders[random_permutation(4, stream(i))];
  std::vector<std::size_t> counts;
  for (const auto& [order, count] : orders) counts.push_back(count);
  EXPECT_EQ(counts.size(), 24u);
  EXPECT_TRUE(looks_uniform(counts));
}

TEST(SampleDistinct, IsAscendingDistinctAndCompleteAtEveryDensity) {
  for (const std::uint64_t population : {0u, 1u, 2u, 3u, 8u, 101u})
    for (std::uint64_t count = 0; count <= population; ++count) {
      const auto sample = sample_distinct(population, count, stream());
      ASSERT_EQ(sample.size(), count);
      EXPECT_TRUE(std::is_sorted(sample.begin(), sample.end()));
      EXPECT_EQ(std::adjacent_find(sample.begin(), sample.end()), sample.end());
      for (const std::uint64_t x : sample) EXPECT_LT(x, population);
    }
}

TEST(SampleDistinct, GivesEverySubsetEquallyOften) {
  for (const std::uint64_t count : {1u, 2u, 3u, 4u, 5u}) {
    std::map<std::vector<std::uint64_t>, std::size_t> subsets;
    for (std::uint32_t i = 0; i < 20'000; ++i) ++subsets[sample_distinct(6, count, stream(i))];
    std::vector<std::size_t> counts;
    for (const auto& [subset, times] : subsets) counts.push_back(times);
    const std::size_t expected[] = {1, 6, 15, 20, 15, 6};
    EXPECT_EQ(counts.size(), expected[count]);
    EXPECT_TRUE(looks_uniform(counts)) << count;
  }
}

TEST(SampleDistinct, ReachesAllOfAHugePopulation) {
  const std::uint64_t population = std::uint64_t{1} << 50;
  const auto sample = sample_distinct(population, 10'000, stream());
  ASSERT_EQ(sample.size(), 10'000u);
  std::vector<std::size_t> bins(16);
  for (const std::uint64_t x : sample) ++bins[x >> 46];
  EXPECT_TRUE(looks_uniform(bins));
}

class FillNormal : public AtEveryLevel {};
QS_AT_EVERY_LEVEL(FillNormal);

TEST_P(FillNormal, EqualsTheReferenceForEveryLength) {
  for (const std::size_t n : {0u, 1u, 7u, 8u, 9u, 63u, 64u, 65u, 127u, 1000u}) {
    std::vector<float> values(n + 1, 42.0f);
    fill_normal(values.data(), n, 0.1f, 9, Purpose::weights, 3, 4);
    for (std::size_t i = 0; i < n; ++i) {
      const auto block = random_block(9, Purpose::weights, static_cast<std::uint32_t>(i / 8), 3, 4);
      const auto pair = reference::normal_pair(block[i % 8 / 2]);
      ASSERT_NEAR(values[i], 0.1 * (i % 2 == 0 ? pair.first : pair.second), 2e-6) << i;
    }
    EXPECT_EQ(values[n], 42.0f) << "wrote beyond its end";
  }
}

TEST_P(FillNormal, HasTheMomentsAndTailsOfANormalDistribution) {
  std::vector<float> values(1 << 20);
  fill_normal(values.data(), values.size(), 1.0f, 1, Purpose::noise, 0, 0);
  EXPECT_TRUE(looks_normal({values.begin(), values.end()}));
  const auto most = std::max_element(values.begin(), values.end());
  const auto least = std::min_element(values.begin(), values.end());
  EXPECT_GT(*most, 4.2f);
  EXPECT_LT(*most, 4.9f);
  EXPECT_LT(*least, -4.2f);
  EXPECT_GT(*least, -4.9f);
}

TEST_P(FillNormal, GivesIndependentNeighbours) {
  std::vector<float> values((1 << 20) + 16);
  fill_normal(values.data(), values.size(), 1.0f, 1, Purpose::noise, 0, 0);
  const std::size_t n = 1 << 20;
  for (std::size_t lag = 1; lag <= 16; ++lag) {
    double product = 0, squares = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double x = values[i], y = values[i + lag];
      product += x * y;
      squares += (x * x - 1) * (y * y - 1) / 2;
    }
    EXPECT_LT(std::fabs(product), 4.5 * std::sqrt(static_cast<double>(n))) << lag;
    EXPECT_LT(std::fabs(squares), 4.5 * std::sqrt(static_cast<double>(n))) << lag;
  }
}

}  // namespace
}  // namespace quickselection::kernels
