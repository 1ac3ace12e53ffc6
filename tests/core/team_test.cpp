// tests/core/team_test.cpp
#include "core/team.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/processes/meters.h"

namespace quickselection {
namespace {

TEST(Share, CoversEverythingOnceAndCutsAtTheGrain) {
  for (std::size_t n : {0u, 1u, 7u, 8u, 100u})
    for (int parts : {1, 2, 3, 16}) {
      std::size_t next = 0;
      for (int member = 0; member < parts; ++member) {
        const Range part = share(n, member, parts, 8);
        EXPECT_EQ(part.begin, next);
        EXPECT_TRUE(part.end == n || part.end % 8 == 0);
        next = part.end;
      }
      EXPECT_EQ(next, n);
    }
}

TEST(SplitByCost, BalancesUnevenRows) {
  std::vector<std::uint64_t> prefix{0, 90, 91, 92, 93, 180};
  const auto parts = split_by_cost(prefix, 2);
  EXPECT_EQ(parts[0].begin, 0u);
  EXPECT_EQ(parts[0].end, parts[1].begin);
  EXPECT_EQ(parts[1].end, 5u);
  EXPECT_LE(prefix[parts[0].end], 93u);
}

TEST(SplitByCost, GivesEmptyPartsWhenThereAreTooFewRows) {
  const auto parts = split_by_cost(std::vector<std::uint64_t>{0, 5}, 4);
  std::size_t rows = 0;
  for (const Range& part : parts) rows += part.size();
  EXPECT_EQ(rows, 1u);
}

TEST(Team, RunsEveryRankOnceAndCanRunAgain) {
  Team team(4);
  for (int round = 0; round < 100; ++round) {
    std::atomic<int> sum{0};
    team.run([&](int member) { sum += 1 << member; });
    EXPECT_EQ(sum, 15);
  }
}

TEST(Team, MakesDoWithTheThreadsThatTheSystemAllows) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizers' memory is larger than any limit";
#endif
  const auto in_child = [](std::size_t more_bytes) {
    const pid_t child = fork();
    if (child == 0) {
      const rlim_t most = address_space_bytes() + more_bytes;
      const rlimit limit{most, most};
      if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(100);
      Team team(64);
      std::atomic<int> calls{0};
      for (int round = 0; round < 100; ++round)
        team.run([&](int) {
          ++calls;
          team.barrier();
        });
      _exit(calls == 100 * team.size() ? team.size() : 101);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  };
  const int few = in_child(0);  // stacks of earlier threads are used again
  EXPECT_GE(few, 1);
  const int more = in_child(std::size_t{40} << 20);  // a stack has 8 MB
  EXPECT_GT(more, few);
  EXPECT_LT(more, 64);
}

TEST(Team, BarrierSeparatesPhases) {
  Team team(3);
  std::vector<int> values(3, 0);
  std::atomic<int> wrong{0};
  team.run([&](int member) {
    for (int phase = 1; phase <= 1000; ++phase) {
      values[static_cast<std::size_t>(member)] = phase;
      team.barrier();
      for (int value : values) wrong += value != phase;
      team.barrier();
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Team, ForEachVisitsEveryItemOnce) {
  Team team(2);
  std::vector<std::atomic<int>> visits(1000);
  team.for_each(visits.size(), [&](std::size_t i) { ++visits[i]; });
  for (const auto& count : visits) EXPECT_EQ(count, 1);
}

TEST(Team, RethrowsAndStaysUsable) {
  Team team(2);
  EXPECT_THROW(team.for_each(10,
                             [](std::size_t i) {
                               if (i == 5) throw std::runtime_error("x");
                             }),
               std::runtime_error);
  std::atomic<int> count{0};
  team.run([&](int) { ++count; });
  EXPECT_EQ(count, 2);
}

TEST(Team, NobodyWaitsAtABarrierForAMemberThatThrew) {
  for (int size : {2, 3, 5}) {
    Team team(size);
    for (int thrower = 0; thrower < size; ++thrower)
      for (int before = 0; before < 3; ++before) {  // barriers that all reach
        std::atomic<int> beyond{0};
        try {
          team.run([&](int member) {
            for (int b = 0; b < before; ++b) team.barrier();
            if (member == thrower) throw std::runtime_error("the reason");
            team.barrier();
            ++beyond;
          });
          ADD_FAILURE() << "nothing was thrown";
        } catch (const std::runtime_error& error) {
          EXPECT_STREQ(error.what(), "the reason");
        }
        EXPECT_EQ(beyond, 0);
      }
  }
}

TEST(Team, SleepersAtABarrierAreWokenByAThrow) {
  Team team(3);
  EXPECT_THROW(team.run([&](int member) {
    if (member == 1) {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));  // beyond spinning and yielding
      throw std::bad_alloc();
    }
    team.barrier();
  }),
               std::bad_alloc);
}

TEST(Team, BarriersHoldAgainAfterAThrow) {
  Team team(3);
  for (int round = 0; round < 200; ++round) {
    const int thrower = round % 4;  // 3 = nobody
    std::vector<int> values(3, -1);
    std::atomic<int> wrong{0};
    const auto body = [&](int member) {
      for (int phase = 0; phase < 20; ++phase) {
        values[static_cast<std::size_t>(member)] = phase;
        team.barrier();
        for (int value : values) wrong += value != phase;
        if (member == thrower && phase == round % 20) throw std::runtime_error("x");
        team.barrier();
      }
    };
    if (thrower < 3)
      EXPECT_THROW(team.run(body), std::runtime_error);
    else
      team.run(body);
    EXPECT_EQ(wrong, 0);
  }
}

TEST(Team, OneOfSeveralThrowsIsTold) {
  Team team(4);
  for (int round = 0; round < 100; ++round) {
    EXPECT_THROW(team.run([&](int member) {
      team.barrier();
      if (member % 2 == 0) throw std::runtime_error("x");
      team.barrier();
    }),
                 std::runtime_error);
  }
}

}  // namespace
}  // namespace quickselection
