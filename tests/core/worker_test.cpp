// tests/core/worker_test.cpp: work in a process of its own: answers, failures, limits.
#include "core/worker.h"

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

#include "core/meters.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using namespace std::chrono_literals;

[[noreturn]] void sleep_for_ever() {
  for (;;) std::this_thread::sleep_for(1s);
}

void expect_no_children() {
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(Worker, AnswersFromAnotherProcess) {
  const pid_t here = getpid();
  const WorkerOutcome outcome =
      run_worker([&](const WorkerLine&) { return std::to_string(getpid()); }, {}, {});
  EXPECT_EQ(outcome.end, WorkerEnd::answered);
  EXPECT_NE(outcome.text, std::to_string(here));
  expect_no_children();
}

TEST(Worker, PassesLongAnswersAndProgress) {
  std::vector<Progress> heard;
  RunContext context;
  context.progress = [&](const Progress& progress) { heard.push_back(progress); };
  const WorkerOutcome outcome = run_worker(
      [](const WorkerLine& line) {
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

TEST(Worker, TellsWhatWasThrown) {
  const WorkerOutcome outcome = run_worker(
      [](const WorkerLine&) -> std::string { throw Error("it diverged", "lower the rate"); }, {},
      {});
  EXPECT_EQ(outcome.end, WorkerEnd::failed);
  EXPECT_THAT(outcome.text, AllOf(HasSubstr("it diverged"), HasSubstr("lower the rate")));
}

TEST(Worker, SurvivesACrash) {
  const WorkerOutcome crash = run_worker(
      [](const WorkerLine&) -> std::string {
        raise(SIGSEGV);
        return "";
      },
      {}, {});
  EXPECT_EQ(crash.end, WorkerEnd::crashed);
  EXPECT_THAT(crash.text, HasSubstr("crashed"));
  const WorkerOutcome silent =
      run_worker([](const WorkerLine&) -> std::string { _exit(3); }, {}, {});
  EXPECT_EQ(silent.end, WorkerEnd::crashed);
  EXPECT_THAT(silent.text, HasSubstr("code 3"));
  expect_no_children();
}

TEST(Worker, IsEndedAtTheTimeLimit) {
  const WorkerOutcome outcome =
      run_worker([](const WorkerLine&) -> std::string { sleep_for_ever(); }, {0.05, 0}, {});
  EXPECT_EQ(outcome.end, WorkerEnd::time_limit);
  expect_no_children();
}

TEST(Worker, IsEndedAtTheMemoryLimit) {
  const WorkerOutcome outcome = run_worker(
      [](const WorkerLine&) -> std::string {
        std::vector<std::vector<char>> kept;
        for (;;) {
          kept.emplace_back(1 << 20, 'x');
          std::this_thread::sleep_for(200us);
        }
      },
      {0, resident_bytes() + (std::size_t{100} << 20)}, {});
  EXPECT_EQ(outcome.end, WorkerEnd::memory_limit);
  expect_no_children();
}

TEST(Worker, LimitsCanBeLifted) {
  const WorkerOutcome outcome = run_worker(
      [](const WorkerLine& line) {
        line.lift_limits();
        std::this_thread::sleep_for(300ms);
        return std::string("done");
      },
      {0.2, 0}, {});
  EXPECT_EQ(outcome.end, WorkerEnd::answered);
}

TEST(Worker, EndsWhenAskedToStop) {
  std::atomic<bool> stop{false};
  RunContext context;
  context.stop = &stop;
  context.progress = [&](const Progress&) { stop = true; };
  EXPECT_THROW(run_worker(
                   [](const WorkerLine& line) -> std::string {
                     line.progress({});
                     sleep_for_ever();
                   },
                   {}, context),
               Interrupted);
  expect_no_children();
}

TEST(Worker, DiesWithItsParent) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t parent = fork();
  if (parent == 0) {
    run_worker(
        [&](const WorkerLine&) -> std::string {
          const pid_t self = getpid();
          if (write(ends[1], &self, sizeof self) < 0) _exit(1);
          sleep_for_ever();
        },
        {}, {});
    _exit(0);
  }
  pid_t worker = 0;
  ASSERT_EQ(read(ends[0], &worker, sizeof worker), static_cast<ssize_t>(sizeof worker));
  close(ends[1]);
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  // The other end of the pipe is closed when the worker is gone; otherwise this would wait for
  // ever.
  char nothing = 0;
  EXPECT_EQ(read(ends[0], &nothing, 1), 0);
  close(ends[0]);
}

}  // namespace
}  // namespace quickselection
