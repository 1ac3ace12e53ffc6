// tests/core/processes/isolated_test.cpp: code that fails in a process of its own.
#include "core/processes/isolated.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "data/data_testing.h"

namespace quickselection {
namespace {

using testing::HasSubstr;

const Isolation kIsolation{"some.file", "some.file is damaged: the library could not read it", 100};

TEST(Isolated, HandsOverTextAndMemory) {
  SharedMemory memory(1 << 20);
  const std::string answer = run_isolated(kIsolation, [&] {
    const SharedMemory::Block first = memory.allocate(10, "x"), second = memory.allocate(3, "x");
    std::memcpy(memory.data(first), "0123456789", 10);
    std::memcpy(memory.data(second), "abc", 3);
    return std::string(reinterpret_cast<const char*>(&second), sizeof second) +
           std::string(1, '\0');
  });
  ASSERT_EQ(answer.size(), sizeof(SharedMemory::Block) + 1);
  SharedMemory::Block second;
  std::memcpy(&second, answer.data(), sizeof second);
  const SharedMemory::Mapping mapping = memory.map();
  ASSERT_NE(mapping.at(second), nullptr);
  EXPECT_EQ(std::memcmp(mapping.at(second), "abc", 3), 0);
  EXPECT_EQ(std::memcmp(mapping.at({0, 10}), "0123456789", 10), 0);
  EXPECT_EQ(mapping.at({mapping.bytes, 1}), nullptr);
  EXPECT_EQ(mapping.at({1, UINT64_MAX}), nullptr);
}

TEST(Isolated, ThrowsWhatTheChildThrew) {
  EXPECT_THROW(run_isolated(kIsolation, []() -> std::string { throw InvalidArgument("a", "b"); }),
               InvalidArgument);
  EXPECT_EQ(error_text([] {
              run_isolated(kIsolation, []() -> std::string { throw Error("message", "hint"); });
            }),
            "message | hint");
}

TEST(Isolated, TurnsACrashIntoAnError) {
  for (const int signal : {SIGABRT, SIGKILL, SIGXCPU})
    EXPECT_THAT(error_text([&] {
                  run_isolated(kIsolation, [&]() -> std::string {
                    std::raise(signal);
                    return "";
                  });
                }),
                HasSubstr("some.file"));
  EXPECT_THAT(error_text([] { run_isolated(kIsolation, []() -> std::string { _exit(0); }); }),
              HasSubstr("could not read it"));
  EXPECT_THROW(run_isolated(kIsolation,
                            []() -> std::string {
                              std::raise(SIGINT);
                              return "";
                            }),
               Interrupted);
}

TEST(Isolated, RefusesMoreMemoryThanAllowed) {
  SharedMemory memory(8192);
  EXPECT_NO_THROW(memory.allocate(4096, "x"));
  EXPECT_THAT(error_text([&] { memory.allocate(8192, "it"); }), HasSubstr("it is damaged"));
  EXPECT_THAT(error_text([&] { memory.allocate(SIZE_MAX, "it"); }), HasSubstr("it is damaged"));
}

TEST(Isolated, WorksWhileOtherThreadsAllocate) {
  std::atomic<bool> stop{false};
  std::thread busy([&] {
    while (!stop) std::string(1000, 'x').append(std::string(5000, 'y'));
  });
  for (int i = 0; i < 30; ++i)
    EXPECT_EQ(run_isolated(kIsolation, [] { return std::string(20000, 'z') + "!"; }).size(),
              20001u);
  stop = true;
  busy.join();
}

}  // namespace
}  // namespace quickselection
