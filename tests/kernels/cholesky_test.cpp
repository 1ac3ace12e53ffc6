// tests/kernels/cholesky_test.cpp
#include "kernels/cholesky.h"

#include <gtest/gtest.h>

#include <vector>

#include "kernels/gemm.h"
#include "kernels/random/random.h"

namespace quickselection::kernels {
namespace {

/// F F' of a random (size, rank) matrix F.
std::vector<double> random_matrix(std::size_t size, std::size_t rank) {
  RandomStream random(size, Purpose::evaluation);
  std::vector<double> factor(size * rank), matrix(size * size);
  for (double& value : factor) value = random.normal();
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j)
      for (std::size_t k = 0; k < rank; ++k)
        matrix[j * size + i] += factor[k * size + i] * factor[k * size + j];
  return matrix;
}

/// The product with a vector.
std::vector<double> times(const std::vector<double>& matrix, const double* vector,
                          std::size_t size) {
  std::vector<double> out(size);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j) out[i] += matrix[j * size + i] * vector[j];
  return out;
}

TEST(Cholesky, SolvesTheEquationsForEveryColumn) {
  const SerialBlas serial;
  for (const std::size_t size : {1UL, 2UL, 7UL, 90UL}) {
    const auto matrix = random_matrix(size, 2 * size);
    auto factor = matrix;
    ASSERT_TRUE(cholesky(factor.data(), size));
    RandomStream random(size, Purpose::evaluation);
    std::vector<double> right(size * 3);
    for (double& value : right) value = random.normal();
    auto solved = right, forward = right;
    cholesky_solve(factor.data(), size, solved.data(), 3);
    cholesky_forward(factor.data(), size, forward.data(), 3);
    for (std::size_t column = 0; column < 3; ++column) {
      const auto back = times(matrix, solved.data() + column * size, size);
      double quadratic = 0, squares = 0;  // v'A^-1 v = |F^-1 v|^2
      for (std::size_t i = 0; i < size; ++i) {
        EXPECT_NEAR(back[i], right[column * size + i], 1e-8);
        quadratic += right[column * size + i] * solved[column * size + i];
        squares += forward[column * size + i] * forward[column * size + i];
      }
      EXPECT_NEAR(quadratic, squares, 1e-8 * (1 + squares));
    }
  }
}

TEST(Cholesky, RefusesAMatrixThatIsNotPositive) {
  const SerialBlas serial;
  std::vector<double> matrix{1, 2, 2, 1};
  EXPECT_FALSE(cholesky(matrix.data(), 2));
}

TEST(Cholesky, OfNothingIsNothing) {
  const SerialBlas serial;
  EXPECT_TRUE(cholesky(nullptr, 0));
  EXPECT_TRUE(semidefinite_factor({}, 0).empty());
}

TEST(SemidefiniteFactor, GivesTheMatrixBackWhateverItsRank) {
  const SerialBlas serial;
  for (const std::size_t size : {1UL, 5UL, 80UL})
    for (const std::size_t rank : {std::size_t{0}, size / 2, size}) {
      const auto matrix = random_matrix(size, rank);
      const auto factor = semidefinite_factor(matrix, size);
      for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = 0; j < size; ++j) {
          double sum = 0;
          for (std::size_t k = 0; k < size; ++k) sum += factor[k * size + i] * factor[k * size + j];
          EXPECT_NEAR(sum, matrix[j * size + i], 1e-10 * static_cast<double>(size));
        }
    }
}

}  // namespace
}  // namespace quickselection::kernels
