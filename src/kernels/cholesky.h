// src/kernels/cholesky.h: Cholesky factors of symmetric positive matrices, by LAPACK.
//
// Matrices are (size, size), column after column, and only the lower triangle is read: A = F F'.
// Everything works on the calling thread while a SerialBlas lives.
#pragma once

#include <cstddef>
#include <vector>

namespace quickselection::kernels {

/// Turns the lower triangle into F; false when the matrix is not positive.
[[nodiscard]] bool cholesky(double* matrix, std::size_t size);

/// Turns `count` columns v, each of `size` values, into A^-1 v.
void cholesky_solve(const double* factor, std::size_t size, double* columns, std::size_t count);

/// Turns `count` columns v into F^-1 v.
void cholesky_forward(const double* factor, std::size_t size, double* columns, std::size_t count);

/// F (size, size) of a matrix that may have eigenvalues of 0: with pivots, so F is not triangular
/// and its last columns are 0 where the rank ends.
std::vector<double> semidefinite_factor(std::vector<double> matrix, std::size_t size);

}  // namespace quickselection::kernels
