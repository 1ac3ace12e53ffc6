// tests/core/files/waiting_test.cpp
#include "core/files/waiting.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

#include "core/files/descriptor.h"
#include "support/temp_folder.h"

namespace quickselection {
namespace {

struct Enough : std::runtime_error {
  Enough() : std::runtime_error("enough") {}
};

/// Ends every wait at its third look.
struct Impatient {
  int looks = 0;
  Impatient() {
    set_while_waiting([this] {
      if (++looks == 3) throw Enough();
    });
  }
  ~Impatient() { set_while_waiting({}); }
};

std::string pipe_in(const TempFolder& folder) {
  const std::string path = folder / "pipe";
  EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
  return path;
}

TEST(Waiting, ForAWriterEndsByWhatIsThrown) {
  const TempFolder folder;
  const Impatient impatient;
  const Descriptor file(open_to_read(pipe_in(folder)));
  ASSERT_GE(file, 0);
  char byte = 0;
  EXPECT_THROW(read_waiting(file, &byte, 1), Enough);
}

TEST(Waiting, ForAReaderEndsByWhatIsThrown) {
  const TempFolder folder;
  const Impatient impatient;
  EXPECT_THROW(open_to_write(pipe_in(folder)), Enough);
}

TEST(Waiting, ReadsWhatComesLateToItsEnd) {
  const TempFolder folder;
  const std::string path = pipe_in(folder);
  const auto pause = [] { std::this_thread::sleep_for(std::chrono::milliseconds(150)); };
  std::thread writer([&] {
    pause();
    const Descriptor out(open_to_write(path));
    for (const char* text : {"one ", "two"}) {
      EXPECT_TRUE(write_all(out, text));
      pause();
    }
  });
  const Descriptor in(open_to_read(path));
  std::string all;
  char buffer[8];
  for (ssize_t got; (got = read_waiting(in, buffer, sizeof buffer)) > 0;)
    all.append(buffer, static_cast<std::size_t>(got));
  writer.join();
  EXPECT_EQ(all, "one two");
}

TEST(Waiting, WritesIntoAPipeBlockUntilThereIsRoom) {
  const TempFolder folder;
  const std::string path = pipe_in(folder), much(1 << 20, 'x');
  std::thread reader([&] {
    const Descriptor in(open_to_read(path));
    std::string buffer(1 << 12, '\0');
    std::size_t all = 0;
    for (ssize_t got; (got = read_waiting(in, buffer.data(), buffer.size())) > 0;)
      all += static_cast<std::size_t>(got);
    EXPECT_EQ(all, much.size());
  });
  {
    const Descriptor out(open_to_write(path));
    EXPECT_TRUE(write_all(out, much));
  }
  reader.join();
}

}  // namespace
}  // namespace quickselection
