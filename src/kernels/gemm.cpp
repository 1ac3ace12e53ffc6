// src/kernels/gemm.cpp: see gemm.h.
#include "kernels/gemm.h"

#include <cblas.h>

#include <algorithm>
#include <mutex>

namespace quickselection::kernels {
namespace {

std::mutex mutex;
int users = 0, threads_before = 1;

template <class T>
void multiply(auto product, std::size_t m, std::size_t n, std::size_t k, T scale, FactorOf<T> a,
              FactorOf<T> b, T* c, std::size_t c_stride, bool add) {
  product(CblasRowMajor, a.transposed ? CblasTrans : CblasNoTrans,
          b.transposed ? CblasTrans : CblasNoTrans, static_cast<blasint>(m),
          static_cast<blasint>(n), static_cast<blasint>(k), scale, a.data,
          static_cast<blasint>(a.stride), b.data, static_cast<blasint>(b.stride),
          static_cast<T>(add), c, static_cast<blasint>(c_stride));
}

}  // namespace

SerialBlas::SerialBlas() {
  const std::lock_guard lock(mutex);
  if (users++ > 0) return;
  threads_before = openblas_get_num_threads();
  openblas_set_num_threads(1);
}

SerialBlas::~SerialBlas() {
  const std::lock_guard lock(mutex);
  if (--users == 0) openblas_set_num_threads(threads_before);
}

void gemm(std::size_t m, std::size_t n, std::size_t k, float scale, Factor a, Factor b, float* c,
          std::size_t c_stride, bool add) noexcept {
  multiply(cblas_sgemm, m, n, k, scale, a, b, c, c_stride, add);
}

void gemm(std::size_t m, std::size_t n, std::size_t k, double scale, FactorOf<double> a,
          FactorOf<double> b, double* c, std::size_t c_stride, bool add) noexcept {
  multiply(cblas_dgemm, m, n, k, scale, a, b, c, c_stride, add);
}

std::size_t gemm_block(std::size_t rows) {
  constexpr std::size_t kBlocks = 16, kLeast = 16, kMost = 128;
  return std::clamp((rows / kBlocks + kLeast - 1) / kLeast * kLeast, kLeast, kMost);
}

}  // namespace quickselection::kernels
