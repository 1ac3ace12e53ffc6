// tests/core/child_test.cpp: what forked processes have in common.
#include "core/child.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <csignal>
#include <cstring>

#include "core/meters.h"

namespace quickselection {
namespace {

constexpr std::size_t kMegabyte = 1 << 20;

void touch(std::size_t bytes) {
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  std::memset(memory, 1, bytes);
  munmap(memory, bytes);
}

TEST(ChildProcess, PeakMemoryCanBeCountedAnew) {
  touch(200 * kMegabyte);
  const std::size_t before = peak_rss_bytes();
  ASSERT_GE(before, 200 * kMegabyte);
  if (!restart_peak_rss()) GTEST_SKIP() << "the system cannot restart the count";
  EXPECT_LT(peak_rss_bytes(), before - 100 * kMegabyte);
  touch(120 * kMegabyte);
  EXPECT_GE(peak_rss_bytes(), 120 * kMegabyte);
  EXPECT_LT(peak_rss_bytes(), before - 40 * kMegabyte);
}

TEST(ChildProcess, DescriptorsAreClosedOnce) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  Descriptor read_end(ends[0]);
  {
    Descriptor write_end(ends[1]);
    send_all(write_end, "abc");
    write_end.reset();
    EXPECT_EQ(write_end, -1);
  }
  char text[8];
  EXPECT_EQ(read(read_end, text, sizeof text), 3);
  EXPECT_EQ(read(read_end, text, sizeof text), 0) << "the other end is closed";
}

TEST(ChildProcess, PrintsNothingAndHasNoHandlers) {
  const auto before = std::signal(SIGTERM, SIG_IGN);
  const pid_t parent = getpid(), child = fork();
  if (child == 0) {
    settle_child(parent);
    char target[32] = {};
    const bool silent = readlink("/proc/self/fd/1", target, sizeof target - 1) > 0 &&
                        std::strcmp(target, "/dev/null") == 0;
    if (silent) raise(SIGTERM);
    _exit(1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::signal(SIGTERM, before);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}

}  // namespace
}  // namespace quickselection
