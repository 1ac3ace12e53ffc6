// src/kernels/symmetric_eigen.cpp: see symmetric_eigen.h.
#include "kernels/symmetric_eigen.h"

#include <cblas.h>

#include <utility>

#include "kernels/gemm.h"
#include "quickselection/error.h"

// OpenBLAS holds LAPACK; its Debian package has no header for it.
extern "C" void dsyevd_(const char* job, const char* half, const blasint* size, double* matrix,
                        const blasint* stride, double* values, double* work,
                        const blasint* work_size, blasint* whole_work,
                        const blasint* whole_work_size, blasint* info);

namespace quickselection::kernels {

SymmetricEigen symmetric_eigen(std::vector<double> matrix, std::size_t size) {
  SymmetricEigen result;
  result.values.resize(size);
  if (size == 0) return result;
  const BlasTurn turn;
  const auto n = static_cast<blasint>(size);
  blasint info = 0, ask = -1, whole_size = 0;
  double work_size = 0;
  dsyevd_("V", "L", &n, matrix.data(), &n, result.values.data(), &work_size, &ask, &whole_size,
          &ask, &info);
  std::vector<double> work(static_cast<std::size_t>(work_size) + 1);
  std::vector<blasint> whole(static_cast<std::size_t>(whole_size) + 1);
  const auto length = static_cast<blasint>(work.size());
  const auto whole_length = static_cast<blasint>(whole.size());
  dsyevd_("V", "L", &n, matrix.data(), &n, result.values.data(), work.data(), &length, whole.data(),
          &whole_length, &info);
  if (info != 0) throw Error("the eigenvalues of a symmetric matrix were not found");
  result.vectors = std::move(matrix);  // columns of LAPACK's matrix are our rows
  return result;
}

}  // namespace quickselection::kernels
