// src/kernels/symmetric_eigen.h: all eigenvalues and eigenvectors of a symmetric matrix, by LAPACK.
#pragma once

#include <cstddef>
#include <vector>

namespace quickselection::kernels {

struct SymmetricEigen {
  std::vector<double> values;   ///< ascending
  std::vector<double> vectors;  // (size, size): row i belongs to value i
};

/// `matrix` is (size, size). Works on the calling thread while a SerialBlas lives. Throws Error
/// when the iteration does not converge.
SymmetricEigen symmetric_eigen(std::vector<double> matrix, std::size_t size);

}  // namespace quickselection::kernels
