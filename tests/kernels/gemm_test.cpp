// tests/kernels/gemm_test.cpp
#include "kernels/gemm.h"

#include <cblas.h>
#include <gtest/gtest.h>

#include <vector>

#include "kernels/random/random.h"

namespace quickselection::kernels {
namespace {

std::vector<float> numbers(std::size_t n, std::uint32_t which) {
  std::vector<float> values(n);
  fill_normal(values.data(), n, 1, 1, Purpose::evaluation, which, 0);
  return values;
}

TEST(Gemm, EqualsThreeLoopsForEveryTransposition) {
  constexpr std::size_t m = 5, n = 7, k = 9;
  for (const bool a_turned : {false, true})
    for (const bool b_turned : {false, true})
      for (const bool add : {false, true}) {
        const auto a = numbers(m * k, 1), b = numbers(k * n, 2);
        auto c = numbers(m * n, 3);
        auto expected = c;
        for (std::size_t i = 0; i < m; ++i)
          for (std::size_t j = 0; j < n; ++j) {
            double sum = 0;
            for (std::size_t x = 0; x < k; ++x)
              sum += static_cast<double>(a_turned ? a[x * m + i] : a[i * k + x]) *
                     (b_turned ? b[j * k + x] : b[x * n + j]);
            float& place = expected[i * n + j];
            place = static_cast<float>(0.5 * sum + (add ? place : 0));
          }
        const SerialBlas serial;
        gemm(m, n, k, 0.5f, {a.data(), a_turned ? m : k, a_turned},
             {b.data(), b_turned ? k : n, b_turned}, c.data(), n, add);
        for (std::size_t i = 0; i < c.size(); ++i) EXPECT_NEAR(c[i], expected[i], 1e-5);
      }
}

TEST(Gemm, BlocksCoverEveryRowOnceAndDoNotDependOnTheTeam) {
  for (const std::size_t rows : {1, 15, 16, 17, 50, 200, 784, 1000, 5000}) {
    const std::size_t block = gemm_block(rows);
    for (const int parts : {1, 2, 3, 64}) {
      std::vector<int> seen(rows);
      for (int member = 0; member < parts; ++member)
        for_each_block(rows, member, parts, [&](Range range) {
          EXPECT_EQ(range.begin % block, 0u);
          EXPECT_EQ(range.end, std::min(rows, range.begin + block));
          for (std::size_t r = range.begin; r < range.end; ++r) ++seen[r];
        });
      EXPECT_EQ(seen, std::vector<int>(rows, 1));
    }
  }
}

TEST(SerialBlas, RestoresTheThreadsThatWereSetBefore) {
  const int before = openblas_get_num_threads();
  {
    const SerialBlas outer;
    EXPECT_EQ(openblas_get_num_threads(), 1);
    { const SerialBlas inner; }
    EXPECT_EQ(openblas_get_num_threads(), 1);
  }
  EXPECT_EQ(openblas_get_num_threads(), before);
}

}  // namespace
}  // namespace quickselection::kernels
