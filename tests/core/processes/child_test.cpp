// tests/core/processes/child_test.cpp: work in a process of its own: answers, failures, limits.
#include "core/processes/child.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>
#include <vector>

#include "core/processes/meters.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;

[[noreturn]] void sleep_for_ever() {
  for (;;) std::this_thread::sleep_for(1s);
}

void expect_no_children() {
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(ChildProcess, AnswersFromAnotherProcess) {
  const pid_t here = getpid();
  const ChildOutcome outcome =
      run_child([&](const ParentLine&) { return std::to_string(getpid()); }, {}, {});
  EXPECT_EQ(outcome.end, ChildEnd::answered);
  EXPECT_NE(outcome.text, std::to_string(here));
  expect_no_children();
}

TEST(ChildProcess, PassesLongAnswersAndProgress) {
  std::vector<Progress> heard;
  RunContext context;
  context.progress = [&](const Progress& progress) { heard.push_back(progress); };
  const ChildOutcome outcome = run_child(
      [](const ParentLine& line) {
        line.progress({"train", 3, 10, 1.5, 2.5, 4, 5, 0.25});
        return std::string(3'000'000, 'x') + "end";
      },
      {}, context);
  EXPECT_EQ(outcome.text.size(), 3'000'003u);
  EXPECT_THAT(outcome.text, testing::EndsWith("xend"));
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0].task, "train");
  EXPECT_EQ(heard[0].done, 3u);
  EXPECT_EQ(heard[0].epochs, 5u);
  EXPECT_EQ(heard[0].seconds_left, 2.5);
}

TEST(ChildProcess, TellsWhatWasThrown) {
  const ChildOutcome outcome = run_child(
      [](const ParentLine&) -> std::string { throw Error("it diverged", "lower the rate"); }, {},
      {});
  EXPECT_EQ(outcome.end, ChildEnd::error);
  EXPECT_EQ(outcome.text, "it diverged");
  EXPECT_EQ(outcome.hint, "lower the rate");
}

TEST(ChildProcess, SurvivesACrash) {
  const ChildOutcome crash = run_child(
      [](const ParentLine&) -> std::string {
        raise(SIGSEGV);
        return "";
      },
      {}, {});
  EXPECT_EQ(crash.end, ChildEnd::crashed);
  EXPECT_THAT(crash.text, HasSubstr("crashed"));
  const ChildOutcome silent = run_child([](const ParentLine&) -> std::string { _exit(3); }, {}, {});
  EXPECT_EQ(silent.end, ChildEnd::crashed);
  EXPECT_THAT(silent.text, HasSubstr("code 3"));
  expect_no_children();
}

TEST(ChildProcess, IsEndedAtTheTimeLimit) {
  const ChildOutcome outcome =
      run_child([](const ParentLine&) -> std::string { sleep_for_ever(); }, {0.05, 0}, {});
  EXPECT_EQ(outcome.end, ChildEnd::time_limit);
  expect_no_children();
}

TEST(ChildProcess, ALimitOfCpuTimeIsCalledOne) {
  ChildLimits limits;
  limits.cpu_seconds = 1;
  const ChildOutcome outcome = run_child(
      [](const ParentLine&) -> std::string {
        for (std::atomic<bool> busy = true; busy;) {
        }
        return "";
      },
      limits, {});
  EXPECT_EQ(outcome.signal, SIGXCPU);
  EXPECT_THAT(outcome.text, HasSubstr("CPU time"));
}

TEST(ChildProcess, IsEndedAtTheMemoryLimit) {
  const ChildOutcome outcome = run_child(
      [](const ParentLine&) -> std::string {
        std::vector<std::vector<char>> kept;
        for (;;) {
          kept.emplace_back(1 << 20, 'x');
          std::this_thread::sleep_for(200us);
        }
      },
      {0, resident_bytes() + (std::size_t{100} << 20)}, {});
  EXPECT_EQ(outcome.end, ChildEnd::memory_limit);
  expect_no_children();
}

TEST(ChildProcess, LimitsCanBeLifted) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  RunContext context;
  context.progress = [&](const Progress&) { ASSERT_EQ(write(ends[1], "!", 1), 1); };
  const auto body = [&](bool lift) {
    return [&ends, lift](const ParentLine& line) {
      if (lift) line.lift_limits();
      const std::vector<char> large(std::size_t{200} << 20, 'x');
      char heard = 0;
      // Before it hears the second, the parent has looked at the memory once.
      for (int i = 0; i < 2; ++i) {
        line.progress({});
        if (read(ends[0], &heard, 1) != 1) _exit(1);
      }
      return std::string("done");
    };
  };
  const ChildLimits limits{.resident_bytes = resident_bytes() + (std::size_t{100} << 20)};
  EXPECT_EQ(run_child(body(false), limits, context).end, ChildEnd::memory_limit);
  EXPECT_EQ(run_child(body(true), limits, context).end, ChildEnd::answered);
  close(ends[0]);
  close(ends[1]);
}

TEST(ChildProcess, PrintsNothingAndHasNoHandlers) {
  const auto before = std::signal(SIGTERM, SIG_IGN);
  const ChildOutcome outcome = run_child(
      [](const ParentLine&) -> std::string {
        char target[32] = {};
        const bool silent = readlink("/proc/self/fd/1", target, sizeof target - 1) > 0 &&
                            std::strcmp(target, "/dev/null") == 0;
        if (silent) raise(SIGTERM);
        return "";
      },
      {}, {});
  std::signal(SIGTERM, before);
  EXPECT_EQ(outcome.end, ChildEnd::crashed);
  EXPECT_EQ(outcome.signal, SIGTERM);
}

TEST(ChildProcess, HearsCtrlCOnlyWhereNobodyElseDoes) {
  const auto body = [](const ParentLine&) -> std::string {
    raise(SIGINT);
    return "went on";
  };
  EXPECT_EQ(run_child(body, {}, {}).signal, SIGINT);
  const std::atomic<bool> stop{false};
  RunContext context;
  context.stop = &stop;
  EXPECT_EQ(run_child(body, {}, context).text, "went on");
}

TEST(ChildProcess, ItsEndIsNoticedThoughAnotherProcessHoldsItsPipe) {
  pid_t other = 0;
  const ChildOutcome outcome = run_child(
      [&](const ParentLine& line) -> std::string {
        if (other = fork(); other == 0) sleep_for_ever();
        line.progress({std::to_string(other), 0, 0});
        _exit(3);
      },
      {},
      [&] {
        RunContext context;
        context.progress = [&](const Progress& progress) { other = std::stoi(progress.task); };
        return context;
      }());
  EXPECT_THAT(outcome.text, HasSubstr("code 3"));
  EXPECT_EQ(kill(other, SIGKILL), 0);
}

TEST(ChildProcess, EndsWhenAskedToStop) {
  std::atomic<bool> stop{false};
  RunContext context;
  context.stop = &stop;
  context.progress = [&](const Progress&) { stop = true; };
  EXPECT_THROW(run_child(
                   [](const ParentLine& line) -> std::string {
                     line.progress({});
                     sleep_for_ever();
                   },
                   {}, context),
               Interrupted);
  expect_no_children();
}

TEST(ChildProcess, DiesWithItsParent) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t parent = fork();
  if (parent == 0) {
    run_child(
        [&](const ParentLine&) -> std::string {
          const pid_t self = getpid();
          if (write(ends[1], &self, sizeof self) < 0) _exit(1);
          sleep_for_ever();
        },
        {}, {});
    _exit(0);
  }
  pid_t child = 0;
  ASSERT_EQ(read(ends[0], &child, sizeof child), static_cast<ssize_t>(sizeof child));
  close(ends[1]);
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  // The other end of the pipe is closed when the child is gone; otherwise this would wait for
  // ever.
  char nothing = 0;
  EXPECT_EQ(read(ends[0], &nothing, 1), 0);
  close(ends[0]);
}

}  // namespace
}  // namespace quickselection
