// src/data/io/pages.cpp: see pages.h.
#include "data/io/pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

namespace quickselection {
namespace {

/// A read of one page brings in its neighbours, up to this many bytes: they are given back too.
constexpr std::uintptr_t kAround = 65536;

std::uintptr_t round_down(std::uintptr_t x, std::uintptr_t unit) { return x - x % unit; }
std::uintptr_t round_up(std::uintptr_t x, std::uintptr_t unit) {
  return round_down(x + unit - 1, unit);
}

/// Rows [begin, end) of `rows` rows that follow each other from `data` on.
void advise(const std::byte* data, std::size_t rows, std::size_t row_bytes, std::size_t begin,
            std::size_t end, int advice) noexcept {
  const auto address = [&](std::size_t row) {
    return reinterpret_cast<std::uintptr_t>(data) + row * row_bytes;
  };
  // Never a page that could hold anything but this data.
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto first = std::max(round_down(address(begin), kAround), round_up(address(0), page));
  const auto last = std::min(round_up(address(end), kAround), round_down(address(rows), page));
  // A failure costs memory or time, not correctness.
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, advice);
}

void advise(const Dataset& data, std::size_t begin, std::size_t end, int advice) noexcept {
  if (data.backing() != Backing::file || begin >= end) return;
  const MatrixView& all = data.values();
  if (all.parts.empty()) return advise(all.data, all.rows, all.row_bytes, begin, end, advice);
  begin += all.skipped;
  end += all.skipped;
  for (std::size_t p = 0; p < all.parts.size(); ++p) {
    const std::size_t first = all.parts[p].first;
    const std::size_t last =
        p + 1 < all.parts.size() ? all.parts[p + 1].first : all.skipped + all.rows;
    if (first < end && begin < last)
      advise(all.parts[p].data, last - first, all.row_bytes, std::max(begin, first) - first,
             std::min(end, last) - first, advice);
  }
}

}  // namespace

void want_rows(const Dataset& data, std::size_t begin, std::size_t end) noexcept {
  advise(data, begin, end, MADV_WILLNEED);
}

void release_rows(const Dataset& data, std::size_t begin, std::size_t end) noexcept {
  advise(data, begin, end, MADV_DONTNEED);
}

}  // namespace quickselection
