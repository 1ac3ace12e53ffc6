// tests/evaluation/stability/run_crew_test.cpp
#include "evaluation/stability/run_crew.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <set>
#include <thread>
#include <vector>

#include "quickselection/error.h"

namespace quickselection {
namespace {

TEST(CrewSize, IsLimitedByRunsThreadsAndMemory) {
  constexpr std::size_t kMega = 1'000'000;
  const auto size = [&](std::size_t runs, int threads, std::size_t run_mega,
                        std::size_t available_mega) {
    const CrewSize found = crew_size(runs, threads, run_mega * kMega, available_mega * kMega);
    return std::pair(found.at_once, found.threads_each);
  };
  EXPECT_EQ(size(9, 4, 1, 1000), std::pair(4, 1));
  EXPECT_EQ(size(2, 8, 1, 1000), std::pair(2, 4));
  EXPECT_EQ(size(9, 1, 1, 1000), std::pair(1, 1));
  EXPECT_EQ(size(9, 8, 100, 320), std::pair(2, 4));  // 224 MB may be used
  EXPECT_EQ(size(9, 8, 500, 320), std::pair(1, 8));
  EXPECT_EQ(size(9, 8, 0, 0), std::pair(1, 8));
  EXPECT_EQ(size(0, 8, 1, 1000).first, 0);  // nothing left to do
  EXPECT_EQ(crew_size(9, 4, 1, SIZE_MAX).at_once, 4);
}

TEST(RunCrew, MakesEveryRunOnceTheFirstWithAllThreads) {
  std::vector<std::atomic<int>> times(20);
  std::vector<int> threads(20);
  const int at_once = run_crew(20,
                               [&](std::size_t run, const RunContext& context) {
                                 ++times[run];
                                 threads[run] = context.threads;
                               },
                               {3, {}, nullptr});
  EXPECT_GE(at_once, 1);
  EXPECT_LE(at_once, 3);
  for (const auto& count : times) EXPECT_EQ(count, 1);
  EXPECT_EQ(threads[0], 3);
  for (std::size_t run = 1; run < 20; ++run) EXPECT_EQ(threads[run], 3 / at_once);
}

TEST(RunCrew, MakesASingleRun) {
  int times = 0;
  run_crew(1, [&](std::size_t, const RunContext&) { ++times; }, {4, {}, nullptr});
  EXPECT_EQ(times, 1);
}

TEST(RunCrew, ReportsOnTheCallersThreadUpToTheEnd) {
  for (const int threads : {1, 2}) {
    std::set<std::thread::id> reporters;
    std::vector<Progress> seen;
    const RunContext context{threads,
                             [&](const Progress& progress) {
                               reporters.insert(std::this_thread::get_id());
                               seen.push_back(progress);
                             },
                             nullptr};
    run_crew(
        5,
        [](std::size_t, const RunContext& own) {
          Progress half;
          half.done = 1;
          half.total = 2;
          own.progress(half);
        },
        context);
    EXPECT_EQ(reporters, std::set{std::this_thread::get_id()});
    ASSERT_FALSE(seen.empty());
    EXPECT_EQ(seen.front().done * 10, seen.front().total);  // half of one run of five
    EXPECT_EQ(seen.back().done, seen.back().total);
    EXPECT_EQ(seen.back().task, "5 of 5 runs");
    EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end(), [](const Progress& a, const Progress& b) {
      return a.done < b.done;
    }));
  }
}

TEST(RunCrew, ThrowsWhatARunThrowsAndBeginsNoOther) {
  for (const int threads : {1, 2, 4}) {
    std::atomic<int> started{0};
    std::atomic<bool> thrown{false};
    try {
      run_crew(100,
               [&](std::size_t run, const RunContext&) {
                 ++started;
                 if (run == 2) {
                   thrown = true;
                   throw Error("this one");
                 }
                 // The others wait for it, and are slow, so that they cannot all have been made
                 // before it is seen.
                 while (run > 2 && !thrown) std::this_thread::yield();
                 if (run > 2) std::this_thread::sleep_for(std::chrono::milliseconds(20));
               },
               {threads, {}, nullptr});
      FAIL() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "this one");
    }
    EXPECT_LT(started, 100);
  }
}

TEST(RunCrew, StopsWhenAsked) {
  for (const int threads : {1, 2}) {
    std::atomic<bool> stop{false};
    std::atomic<int> started{0};
    EXPECT_THROW(run_crew(100,
                          [&](std::size_t run, const RunContext& context) {
                            ++started;
                            if (run == 1) stop = true;
                            while (run > 0 && !*context.stop) std::this_thread::yield();
                          },
                          {threads, {}, &stop}),
                 Interrupted);
    EXPECT_LT(started, 10);
  }
}

}  // namespace
}  // namespace quickselection
