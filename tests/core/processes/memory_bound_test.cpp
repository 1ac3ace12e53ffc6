// tests/core/processes/memory_bound_test.cpp
#include "core/processes/memory_bound.h"

#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <vector>

#include "core/processes/limits.h"

namespace quickselection {
namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20;

/// For a moment, so that the compiler cannot leave it out.
[[gnu::noinline]] void take(std::size_t bytes) {
  std::vector<char> taken(bytes, 'x');
  [[maybe_unused]] volatile char seen = taken[bytes / 2];
}

TEST(MemoryBound, HoldsWhileItLives) {
  EXPECT_EQ(bounded_memory(), SIZE_MAX);
  {
    const MemoryBound bound(100 * kMegabyte);
    EXPECT_EQ(bound.bytes(), 100 * kMegabyte);
    EXPECT_EQ(bounded_memory(), 100 * kMegabyte);
    take(50 * kMegabyte);
    if (!kSanitized) {
      EXPECT_THROW(take(200 * kMegabyte), std::bad_alloc);
    }
  }
  EXPECT_EQ(bounded_memory(), SIZE_MAX);
  take(200 * kMegabyte);
}

TEST(MemoryBound, TheFirstOfSeveralCounts) {
  auto outer = std::make_unique<MemoryBound>(100 * kMegabyte);
  const MemoryBound inner(1000 * kMegabyte);
  EXPECT_EQ(inner.bytes(), 100 * kMegabyte);
  outer.reset();
  if (!kSanitized) {
    EXPECT_THROW(take(200 * kMegabyte), std::bad_alloc);
  }
}

TEST(MemoryBound, IsTheMachinesWhenNoneIsGiven) {
  const MemoryBound bound(0);
  EXPECT_GT(bound.bytes(), 10 * kMegabyte);
  if (!kSanitized && bound.bytes() < SIZE_MAX / 4) {
    EXPECT_THROW(take(2 * bound.bytes()), std::bad_alloc);
  }
}

}  // namespace
}  // namespace quickselection
