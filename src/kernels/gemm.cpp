// src/kernels/gemm.cpp: see gemm.h.
#include "kernels/gemm.h"

#include <cblas.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <mutex>
#include <semaphore>
#include <utility>
#include <vector>

#include "quickselection/error.h"

namespace quickselection::kernels {
namespace {

std::mutex mutex;
int users = 0, threads_before = 1;

// OpenBLAS keeps 128 MB of addresses for each thread that is within it, and where the system
// refuses them it tries again for ever. So no more threads enter than there is room for.
constexpr std::size_t kBufferBytes = std::size_t{130} << 20;
constexpr int kMostBuffers = 128, kAmple = 8;
std::counting_semaphore<kMostBuffers> free_buffers(1);
int buffers = 1;
bool first_is_safe = false;

template <class T>
void multiply(auto product, std::size_t m, std::size_t n, std::size_t k, T scale, FactorOf<T> a,
              FactorOf<T> b, T* c, std::size_t c_stride, bool add) {
  product(CblasRowMajor, a.transposed ? CblasTrans : CblasNoTrans,
          b.transposed ? CblasTrans : CblasNoTrans, static_cast<blasint>(m),
          static_cast<blasint>(n), static_cast<blasint>(k), scale, a.data,
          static_cast<blasint>(a.stride), b.data, static_cast<blasint>(b.stride),
          static_cast<T>(add), c, static_cast<blasint>(c_stride));
}

/// A product that is not so small that OpenBLAS would do without a buffer: it keeps it.
void take_buffer() {
  constexpr std::size_t kSize = 128;
  std::vector<float> a(kSize * kSize), c(kSize * kSize);
  multiply<float>(cblas_sgemm, kSize, kSize, kSize, 1, {a.data(), kSize}, {a.data(), kSize},
                  c.data(), kSize, false);
}

/// How many buffers the limits on memory leave room for.
int room_for_buffers() {
  std::size_t pages[6] = {};  // all addresses first, data last
  std::ifstream statm("/proc/self/statm");
  for (std::size_t& count : pages) statm >> count;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::size_t room = 2 * kMostBuffers;
  for (const auto& [resource, used] :
       {std::pair{RLIMIT_AS, pages[0] * page}, {RLIMIT_DATA, pages[5] * page}}) {
    rlimit limit{};
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) continue;
    room = std::min(room, (limit.rlim_cur - std::min(limit.rlim_cur, used)) / kBufferBytes);
  }
  return static_cast<int>(room);
}

void find_room() {
  const int room = room_for_buffers();
  // Half of it is for everything else; where there is little, one thread has its buffer at once.
  if (room >= kAmple && room / 2 > buffers)
    free_buffers.release(room / 2 - std::exchange(buffers, room / 2));
  if (room >= kAmple || first_is_safe) return;
  if (room == 0)
    throw Error("dense products need 136 MB of memory, which the system refuses",
                "raise the limit on memory (`ulimit -v`)");
  take_buffer();
  first_is_safe = true;
}

}  // namespace

SerialBlas::SerialBlas() {
  const std::lock_guard lock(mutex);
  find_room();
  if (users++ > 0) return;
  threads_before = openblas_get_num_threads();
  openblas_set_num_threads(1);
}

SerialBlas::~SerialBlas() {
  const std::lock_guard lock(mutex);
  if (--users == 0) openblas_set_num_threads(threads_before);
}

BlasTurn::BlasTurn() noexcept { free_buffers.acquire(); }

BlasTurn::~BlasTurn() { free_buffers.release(); }

void gemm(std::size_t m, std::size_t n, std::size_t k, float scale, Factor a, Factor b, float* c,
          std::size_t c_stride, bool add) noexcept {
  const BlasTurn turn;
  multiply(cblas_sgemm, m, n, k, scale, a, b, c, c_stride, add);
}

void gemm(std::size_t m, std::size_t n, std::size_t k, double scale, FactorOf<double> a,
          FactorOf<double> b, double* c, std::size_t c_stride, bool add) noexcept {
  const BlasTurn turn;
  multiply(cblas_dgemm, m, n, k, scale, a, b, c, c_stride, add);
}

std::size_t gemm_block(std::size_t rows) {
  constexpr std::size_t kBlocks = 16, kLeast = 16, kMost = 128;
  return std::clamp((rows / kBlocks + kLeast - 1) / kLeast * kLeast, kLeast, kMost);
}

}  // namespace quickselection::kernels
