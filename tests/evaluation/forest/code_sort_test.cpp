// tests/evaluation/forest/code_sort_test.cpp
#include "evaluation/forest/coded_columns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "kernels/random/random.h"

namespace quickselection {
namespace {

TEST(CodeSort, SortsEverySizeAndRangeOfCodes) {
  kernels::RandomStream random(3, kernels::Purpose::evaluation);
  for (const std::size_t n : {1u, 2u, 24u, 25u, 100u, 255u, 256u, 1000u})
    for (const std::uint64_t range : {1ull, 2ull, 256ull, 257ull, 70000ull, 0xffffffffull}) {
      const auto offset = static_cast<std::uint32_t>(random.below(0x100000000ull - range));
      std::vector<std::uint64_t> keys(n), spare(n);
      std::uint32_t least = 0xffffffffu, most = 0;
      for (auto& key : keys) {
        const auto code = offset + static_cast<std::uint32_t>(random.below(range));
        least = std::min(least, code);
        most = std::max(most, code);
        key = std::uint64_t{code} << 32 | random.next_u32();
      }
      std::vector<std::uint64_t> expected = keys;
      std::sort(expected.begin(), expected.end());
      const std::uint64_t* sorted = sort_by_code(keys.data(), spare.data(), n, least, most);
      std::vector<std::uint64_t> found(sorted, sorted + n);
      EXPECT_TRUE(std::is_sorted(found.begin(), found.end(),
                                 [](auto a, auto b) { return a >> 32 < b >> 32; }))
          << n << " of " << range;
      std::sort(found.begin(), found.end());
      EXPECT_EQ(found, expected) << n << " of " << range;
    }
}

}  // namespace
}  // namespace quickselection
