// tests/kernels/symmetric_eigen_test.cpp
#include "kernels/symmetric_eigen.h"

#include <gtest/gtest.h>

#include "kernels/gemm.h"
#include "kernels/random/random.h"

namespace quickselection::kernels {
namespace {

TEST(SymmetricEigen, VectorsAndValuesGiveTheMatrixBack) {
  const SerialBlas serial;
  for (const std::size_t size : {1u, 2u, 7u, 60u}) {
    RandomStream random(size, Purpose::evaluation);
    std::vector<double> matrix(size * size);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        matrix[i * size + j] = matrix[j * size + i] = random.normal();
    const SymmetricEigen eigen = symmetric_eigen(matrix, size);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j) {
        double sum = 0, product = 0;
        for (std::size_t k = 0; k < size; ++k) {
          sum += eigen.values[k] * eigen.vectors[k * size + i] * eigen.vectors[k * size + j];
          product += eigen.vectors[i * size + k] * eigen.vectors[j * size + k];
        }
        EXPECT_NEAR(sum, matrix[i * size + j], 1e-10);
        EXPECT_NEAR(product, i == j ? 1 : 0, 1e-10);
      }
    for (std::size_t k = 1; k < size; ++k) EXPECT_LE(eigen.values[k - 1], eigen.values[k]);
  }
  EXPECT_TRUE(symmetric_eigen({}, 0).values.empty());
}

}  // namespace
}  // namespace quickselection::kernels
