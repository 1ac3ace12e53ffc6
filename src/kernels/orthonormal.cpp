// src/kernels/orthonormal.cpp: see orthonormal.h.
#include "kernels/orthonormal.h"

#include <cblas.h>

#include <vector>

#include "kernels/gemm.h"

// OpenBLAS holds LAPACK; its Debian package has no header for it.
extern "C" {
void dgeqrf_(const blasint* rows, const blasint* columns, double* matrix, const blasint* stride,
             double* factors, double* work, const blasint* work_size, blasint* info);
void dorgqr_(const blasint* rows, const blasint* columns, const blasint* reflectors, double* matrix,
             const blasint* stride, const double* factors, double* work, const blasint* work_size,
             blasint* info);
}

namespace quickselection::kernels {

void make_orthonormal(double* vectors, std::size_t count, std::size_t length) {
  const BlasTurn turn;
  // Our rows are columns of LAPACK's matrix.
  const auto rows = static_cast<blasint>(length), columns = static_cast<blasint>(count);
  const blasint work_size = 64 * columns;  // its blocks are at most 64 columns wide
  std::vector<double> factors(count), work(static_cast<std::size_t>(work_size));
  blasint info = 0;
  dgeqrf_(&rows, &columns, vectors, &rows, factors.data(), work.data(), &work_size, &info);
  dorgqr_(&rows, &columns, &columns, vectors, &rows, factors.data(), work.data(), &work_size,
          &info);
}

}  // namespace quickselection::kernels
