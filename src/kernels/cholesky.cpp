// src/kernels/cholesky.cpp: see cholesky.h.
#include "kernels/cholesky.h"

#include <cblas.h>

#include "kernels/gemm.h"

// OpenBLAS holds LAPACK; its Debian package has no header for it.
extern "C" {
void dpotrf_(const char* half, const blasint* size, double* matrix, const blasint* stride,
             blasint* info);
void dpotrs_(const char* half, const blasint* size, const blasint* count, const double* factor,
             const blasint* stride, double* columns, const blasint* column_stride, blasint* info);
void dpstrf_(const char* half, const blasint* size, double* matrix, const blasint* stride,
             blasint* pivots, blasint* rank, const double* tolerance, double* work, blasint* info);
}

namespace quickselection::kernels {

bool cholesky(double* matrix, std::size_t size) {
  if (size == 0) return true;
  const BlasTurn turn;
  const auto n = static_cast<blasint>(size);
  blasint info = 0;
  dpotrf_("L", &n, matrix, &n, &info);
  return info == 0;
}

void cholesky_solve(const double* factor, std::size_t size, double* columns, std::size_t count) {
  if (size == 0 || count == 0) return;
  const BlasTurn turn;
  const auto n = static_cast<blasint>(size), width = static_cast<blasint>(count);
  blasint info = 0;
  dpotrs_("L", &n, &width, factor, &n, columns, &n, &info);
}

void cholesky_forward(const double* factor, std::size_t size, double* columns, std::size_t count) {
  if (size == 0 || count == 0) return;
  const BlasTurn turn;
  const auto n = static_cast<blasint>(size), width = static_cast<blasint>(count);
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, n, width, 1, factor,
              n, columns, n);
}

std::vector<double> semidefinite_factor(std::vector<double> matrix, std::size_t size) {
  std::vector<double> factor(size * size);
  if (size == 0) return factor;
  const BlasTurn turn;
  const auto n = static_cast<blasint>(size);
  const double by_size = -1;  // rounding of the greatest value, times the size
  std::vector<blasint> pivots(size);
  std::vector<double> work(2 * size);
  blasint rank = 0, info = 0;
  dpstrf_("L", &n, matrix.data(), &n, pivots.data(), &rank, &by_size, work.data(), &info);
  for (std::size_t column = 0; column < static_cast<std::size_t>(rank); ++column)
    for (std::size_t row = column; row < size; ++row)  // row `pivots[row] - 1` came to place `row`
      factor[column * size + static_cast<std::size_t>(pivots[row] - 1)] =
          matrix[column * size + row];
  return factor;
}

}  // namespace quickselection::kernels
