// src/kernels/gemm.h: dense products on the calling thread, by OpenBLAS.
//
// OpenBLAS must not start threads of its own: work is cut into fixed blocks and shared by a Team,
// so that the same blocks give the same bits whatever the number of threads.
#pragma once

#include <cstddef>

#include "core/team.h"

namespace quickselection::kernels {

/// While one of these lives OpenBLAS works on the thread that calls it; the last one to go restores
/// what was set before. Throws Error where there is no memory for it. gemm() needs one.
class SerialBlas {
 public:
  SerialBlas();
  ~SerialBlas();
  SerialBlas(const SerialBlas&) = delete;
  SerialBlas& operator=(const SerialBlas&) = delete;
};

/// A thread's time within OpenBLAS: waits while there is no memory for one more.
class BlasTurn {
 public:
  BlasTurn() noexcept;
  ~BlasTurn();
  BlasTurn(const BlasTurn&) = delete;
  BlasTurn& operator=(const BlasTurn&) = delete;
};

/// A row-major matrix, rows `stride` values apart; `transposed` means that its rows are columns of
/// the factor.
template <class T>
struct FactorOf {
  const T* data = nullptr;
  std::size_t stride = 0;
  bool transposed = false;
};
using Factor = FactorOf<float>;

/// c (m, n) = scale a (m, k) b (k, n), plus what is in c when `add` is set.
void gemm(std::size_t m, std::size_t n, std::size_t k, float scale, Factor a, Factor b, float* c,
          std::size_t c_stride, bool add) noexcept;
void gemm(std::size_t m, std::size_t n, std::size_t k, double scale, FactorOf<double> a,
          FactorOf<double> b, double* c, std::size_t c_stride, bool add) noexcept;

/// Rows of a product that are computed together. Depends on the number of rows alone: large enough
/// to be fast, small enough for many threads.
std::size_t gemm_block(std::size_t rows);

/// Calls body(block) for the blocks of `rows` that belong to a member of a team.
template <class Body>
void for_each_block(std::size_t rows, int member, int parts, Body&& body) {
  const Range mine = share(rows, member, parts, gemm_block(rows));
  for (std::size_t begin = mine.begin; begin < mine.end; begin += gemm_block(rows))
    body(Range{begin, begin + gemm_block(rows) < mine.end ? begin + gemm_block(rows) : mine.end});
}

}  // namespace quickselection::kernels
