// tests/kernels/orthonormal_test.cpp
#include "kernels/orthonormal.h"

#include <gtest/gtest.h>

#include <vector>

#include "kernels/gemm.h"
#include "kernels/random/random.h"

namespace quickselection::kernels {
namespace {

TEST(MakeOrthonormal, SpansWhatTheVectorsSpannedBefore) {
  const SerialBlas serial;
  for (const auto& [count, length] :
       {std::pair<std::size_t, std::size_t>{1, 1}, {3, 3}, {70, 90}}) {
    RandomStream random(count, Purpose::evaluation);
    std::vector<double> vectors(count * length);
    for (double& value : vectors) value = random.normal();
    auto made = vectors;
    make_orthonormal(made.data(), count, length);
    const auto product = [&](const double* a, const double* b) {
      double sum = 0;
      for (std::size_t i = 0; i < length; ++i) sum += a[i] * b[i];
      return sum;
    };
    for (std::size_t i = 0; i < count; ++i) {
      const double* before = vectors.data() + i * length;
      double left = product(before, before);
      for (std::size_t j = 0; j < count; ++j) {
        const double* row = made.data() + j * length;
        EXPECT_NEAR(product(made.data() + i * length, row), i == j ? 1 : 0, 1e-12);
        if (j <= i) left -= product(before, row) * product(before, row);
      }
      EXPECT_NEAR(left, 0, 1e-10);
    }
  }
}

TEST(MakeOrthonormal, VectorsThatDependOnOthersBecomeNewOnes) {
  const SerialBlas serial;
  std::vector<double> vectors{3, 0, 4, 0, 6, 0, 8, 0};
  make_orthonormal(vectors.data(), 2, 4);
  double length = 0, product = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    length += vectors[4 + i] * vectors[4 + i];
    product += vectors[i] * vectors[4 + i];
  }
  EXPECT_NEAR(length, 1, 1e-12);
  EXPECT_NEAR(product, 0, 1e-12);
}

}  // namespace
}  // namespace quickselection::kernels
