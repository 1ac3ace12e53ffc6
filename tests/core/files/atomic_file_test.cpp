// tests/core/files/atomic_file_test.cpp
#include "core/files/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <csignal>
#include <string>
#include <thread>

#include "core/files/descriptor.h"
#include "core/files/hash.h"
#include "quickselection/error.h"
#include "support/temp_folder.h"

namespace quickselection {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

mode_t mode_of(const std::filesystem::path& path) {
  struct stat info {};
  EXPECT_EQ(stat(path.c_str(), &info), 0);
  return info.st_mode & 0777;
}

TEST(AtomicFile, LeavesTheTargetUntouchedWithoutCommit) {
  const TempFolder folder;
  write_text(folder / "result", "old");
  {
    AtomicFile file(folder / "result");
    file.write("new, but never finished");
    file.write(std::string(1 << 20, 'x'));  // beyond the buffer, so that it reaches the disk
    EXPECT_EQ(read_text(folder / "result"), "old");
  }
  EXPECT_EQ(read_text(folder / "result"), "old");
  EXPECT_THAT(folder.files(), ElementsAre("result"));
}

TEST(AtomicFile, MakesNoFileWithoutCommit) {
  const TempFolder folder;
  { AtomicFile(folder / "result").write("text"); }
  EXPECT_THAT(folder.files(), IsEmpty());
}

TEST(AtomicFile, ReplacesTheTargetOnCommitAndLeavesNothingElse) {
  const TempFolder folder;
  write_text(folder / "result", "old and longer than the new text");
  {
    AtomicFile file(folder / "result");
    file.write("new ");
    file.write("text");
    file.commit();
  }
  EXPECT_EQ(read_text(folder / "result"), "new text");
  EXPECT_THAT(folder.files(), ElementsAre("result"));
}

TEST(AtomicFile, WritesEveryByteOfALargeFile) {
  const TempFolder folder;
  std::string expected;
  AtomicFile file(folder / "large");
  for (int i = 0; i < 100'000; ++i) {
    const std::string line = std::to_string(i) + "\n";
    file.write(line);
    expected += line;
  }
  expected += std::string("a\0b", 3);
  file.write("a\0b", 3);
  file.commit();
  EXPECT_EQ(read_text(folder / "large"), expected);
}

TEST(AtomicFile, WritesAnEmptyFile) {
  const TempFolder folder;
  write_file(folder / "empty", "");
  EXPECT_THAT(folder.files(), ElementsAre("empty"));
  EXPECT_EQ(read_text(folder / "empty"), "");
}

TEST(AtomicFile, LetsAnotherLibraryWriteTheTemporaryFile) {
  const TempFolder folder;
  AtomicFile file(folder / "result");
  std::ofstream(file.temporary()) << "written elsewhere";
  file.commit();
  EXPECT_EQ(read_text(folder / "result"), "written elsewhere");
}

TEST(AtomicFile, TakesANameWithoutFolder) {
  const TempFolder folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  write_file("plain", "text");
  std::filesystem::current_path(before);
  EXPECT_EQ(read_text(folder / "plain"), "text");
}

TEST(AtomicFile, RefusesAMissingFolderAndNamesIt) {
  const TempFolder folder;
  const auto target = folder.path() / "missing" / "result";
  try {
    AtomicFile file(target);
    FAIL() << "opened a file in a missing folder";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(target.string()));
    EXPECT_THAT(error.what(), HasSubstr("No such file or directory"));
    EXPECT_THAT(error.hint(), HasSubstr(target.parent_path().string()));
  }
  EXPECT_THROW(check_writable(target), Error);
}

TEST(AtomicFile, RefusesATargetThatIsAFolder) {
  const TempFolder folder;
  try {
    AtomicFile file(folder.path());
    FAIL() << "opened a folder as a file";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("it is a folder"));
    EXPECT_THAT(error.what(), HasSubstr(folder.path().string()));
  }
}

TEST(AtomicFile, WritesIntoAPipeAndNeverReplacesIt) {
  const TempFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  const Descriptor reader(open((folder / "pipe").c_str(), O_RDONLY | O_NONBLOCK));
  check_writable(folder / "pipe");
  write_file(folder / "pipe", "text");
  char got[8] = {};
  EXPECT_EQ(read(reader, got, sizeof got), 4);
  EXPECT_STREQ(got, "text");
  EXPECT_TRUE(std::filesystem::is_fifo(folder / "pipe"));
  EXPECT_THAT(folder.files(), ElementsAre("pipe"));
}

TEST(AtomicFile, WritesIntoADescriptorWhereItStands) {
  const TempFolder folder;
  const Descriptor out(open((folder / "out").c_str(), O_WRONLY | O_CREAT, 0600));
  ASSERT_TRUE(write_all(out, "before, "));
  // As /dev/stdout and process substitution have it: a link to a link.
  std::filesystem::create_symlink(fmt::format("/dev/fd/{}", int{out}), folder / "link");
  check_writable(folder / "link");
  write_file(folder / "link", "text");
  ASSERT_TRUE(write_all(out, ", after"));
  EXPECT_EQ(read_text(folder / "out"), "before, text, after");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
}

TEST(AtomicFile, SaysThatADeviceIsFull) {
  try {
    write_file("/dev/full", "text");
    FAIL() << "wrote to a full device";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("No space left on device"));
  }
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(AtomicFile, ReplacesWhatALinkLeadsTo) {
  const TempFolder folder;
  std::filesystem::create_directory(folder / "deep");
  write_text(folder / "deep" / "real", "old");
  std::filesystem::create_symlink("deep/real", folder / "one");
  std::filesystem::create_symlink("one", folder / "two");
  std::filesystem::create_symlink("deep/later", folder / "dangling");
  write_file(folder / "two", "new");
  write_file(folder / "dangling", "made");
  EXPECT_EQ(read_text(folder / "deep" / "real"), "new");
  EXPECT_EQ(read_text(folder / "deep" / "later"), "made");
  for (const char* const link : {"one", "two", "dangling"})
    EXPECT_TRUE(std::filesystem::is_symlink(folder / link)) << link;
}

TEST(AtomicFile, RefusesLinksInACircle) {
  const TempFolder folder;
  std::filesystem::create_symlink("b", folder / "a");
  std::filesystem::create_symlink("a", folder / "b");
  EXPECT_THROW(write_file(folder / "a", "text"), Error);
}

TEST(AtomicFile, KeepsPermissionsAndOwnerOfWhatItReplaces) {
  const TempFolder folder;
  write_text(folder / "result", "old");
  ASSERT_EQ(chmod((folder / "result").c_str(), 0640), 0);
  const bool root = geteuid() == 0;
  if (root) {
    ASSERT_EQ(chown((folder / "result").c_str(), 12345, 23456), 0);
  }
  write_file(folder / "result", "new");
  EXPECT_EQ(mode_of(folder / "result"), mode_t{0640});
  struct stat info {};
  ASSERT_EQ(stat((folder / "result").c_str(), &info), 0);
  EXPECT_EQ(info.st_uid, root ? uid_t{12345} : geteuid());
  EXPECT_EQ(info.st_gid, root ? gid_t{23456} : getegid());
}

TEST(AtomicFile, RefusesAReadOnlyFileEvenForRoot) {
  const TempFolder folder;
  write_text(folder / "result", "old");
  ASSERT_EQ(chmod((folder / "result").c_str(), 0444), 0);
  EXPECT_THROW(check_writable(folder / "result"), Error);
  EXPECT_THROW(write_file(folder / "result", "new"), Error);
  EXPECT_EQ(read_text(folder / "result"), "old");
}

TEST(AtomicFile, HasNoNameBeforeCommitSoThatAKillLeavesNothing) {
  const TempFolder folder;
  const pid_t child = fork();
  if (child == 0) {
    AtomicFile file(folder / "result");
    file.write(std::string(1 << 20, 'x'));
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_THAT(folder.files(), IsEmpty());
}

TEST(AtomicFile, ReplacesWhatAKillWithinCommitLeft) {
  const TempFolder folder;
  write_file(folder / "result", "text");
  // The name that is there between the link and the rename.
  Hash hash;
  hash.add("result", 6);
  const std::string name = fmt::format(".quickselection-{:016x}.part", hash.value());
  write_text(folder / name, "left behind");
  check_writable(folder / "result");
  EXPECT_THAT(folder.files(), ElementsAre("result"));
  write_text(folder / name, "left behind");
  write_file(folder / "result", "new");
  EXPECT_THAT(folder.files(), ElementsAre("result"));
  EXPECT_EQ(read_text(folder / "result"), "new");
}

TEST(AtomicFile, NobodyCanKeepItFromItsTargetByKeepingItsName) {
  const TempFolder folder;
  Hash hash;
  hash.add("result", 6);
  const auto name = folder / fmt::format(".quickselection-{:016x}.part", hash.value());
  write_text(folder / "precious", "mine");
  std::filesystem::create_symlink("precious", name);
  write_file(folder / "result", "one");
  EXPECT_EQ(read_text(folder / "result"), "one");
  EXPECT_EQ(read_text(folder / "precious"), "mine");
  std::filesystem::remove(name);
  std::filesystem::create_directory(name);
  write_file(folder / "result", "two");
  EXPECT_EQ(read_text(folder / "result"), "two");
  EXPECT_EQ(folder.files().size(), 3u);
}

TEST(AtomicFile, WritersOfOneTargetAtOnceLeaveOneWholeFile) {
  const TempFolder folder;
  constexpr int kWriters = 4, kTimes = 100;
  std::vector<std::thread> writers;
  for (int w = 0; w < kWriters; ++w)
    writers.emplace_back([&, w] {
      for (int i = 0; i < kTimes; ++i)
        write_file(folder / "result", std::string(1000, static_cast<char>('a' + w)));
    });
  for (std::thread& writer : writers) writer.join();
  const std::string text = read_text(folder / "result");
  EXPECT_EQ(text, std::string(1000, text.at(0)));
  EXPECT_THAT(folder.files(), ElementsAre("result"));
}

TEST(AtomicFile, IsClosedWhenAnotherProgramIsStarted) {
  const TempFolder folder;
  AtomicFile file(folder / "result");
  file.write("text");
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code ignored;
    const auto to = std::filesystem::read_symlink(entry.path(), ignored).string();
    if (to.starts_with(folder.path().string())) {
      EXPECT_NE(fcntl(std::stoi(entry.path().filename()), F_GETFD) & FD_CLOEXEC, 0) << to;
    }
  }
}

TEST(AtomicFile, UnfinishedNamesCanBeRemovedWithoutDestructors) {
  const TempFolder folder;
  AtomicFile first(folder / "one"), second(folder / "two");
  { AtomicFile gone(folder / "three"); }
  first.temporary();
  second.temporary();
  EXPECT_EQ(folder.files().size(), 2u);
  remove_unfinished();
  EXPECT_THAT(folder.files(), IsEmpty());
}

TEST(OutputBatch, PutsAllFilesInPlaceAtTheEnd) {
  const TempFolder folder;
  write_text(folder / "a", "old");
  OutputBatch batch;
  write_file(folder / "a", "new");
  write_file(folder / "b", "new");
  EXPECT_EQ(read_text(folder / "a"), "old");
  EXPECT_THAT(folder.files(), ElementsAre("a"));
  batch.commit();
  EXPECT_EQ(read_text(folder / "a"), "new");
  EXPECT_THAT(folder.files(), UnorderedElementsAre("a", "b"));
}

TEST(OutputBatch, LeavesEverythingOldWithoutCommit) {
  const TempFolder folder;
  write_text(folder / "a", "old");
  {
    const OutputBatch batch;
    write_file(folder / "a", "new");
    write_file(folder / "b", "new");
  }
  EXPECT_EQ(read_text(folder / "a"), "old");
  EXPECT_THAT(folder.files(), ElementsAre("a"));
  write_file(folder / "a", "newer");
  EXPECT_EQ(read_text(folder / "a"), "newer") << "a batch that is gone still holds files back";
}

TEST(CheckDistinct, KnowsAFileByWhateverName) {
  const TempFolder folder;
  const auto path = [&](const char* name) { return (folder / name).string(); };
  write_text(folder / "data", "1");
  write_text(folder / "other", "2");
  std::filesystem::create_symlink("data", folder / "link");
  std::filesystem::create_hard_link(folder / "data", folder / "hard");
  std::filesystem::create_symlink("missing", folder / "dangling");
  std::filesystem::create_directory_symlink(".", folder / "folder");
  using Paths = std::vector<std::string>;
  const auto check = [](const Paths& outputs, const Paths& inputs) {
    check_distinct(outputs, inputs);
  };
  for (const char* const name : {"data", "link", "hard", "folder/data", "folder/./hard"}) {
    EXPECT_THROW(check({path(name)}, {path("data")}), InvalidArgument) << name;
    EXPECT_THROW(check({path("data")}, {path(name)}), InvalidArgument) << name;
    EXPECT_THROW(check({path("data"), path("other"), path(name)}, {}), InvalidArgument) << name;
    EXPECT_NO_THROW(check({path("other")}, {path(name)})) << name;
  }
  EXPECT_THROW(check({path("missing"), path("dangling")}, {}), InvalidArgument);
  EXPECT_THROW(check({path("missing"), path("folder/missing")}, {}), InvalidArgument);
  EXPECT_NO_THROW(check({path("a"), path("b"), "", ""}, {"", path("a")})) << "not there, not read";
  EXPECT_NO_THROW(check({"/dev/null", "/dev/null"}, {}));
}

TEST(AtomicFile, CleansUpWhenTheTargetBecomesAFolderBeforeCommit) {
  const TempFolder folder;
  {
    AtomicFile file(folder / "result");
    file.write("text");
    std::filesystem::create_directory(folder / "result");
    EXPECT_THROW(file.commit(), Error);
  }
  EXPECT_THAT(folder.files(), ElementsAre("result"));
  EXPECT_TRUE(std::filesystem::is_directory(folder / "result"));
}

TEST(AtomicFile, GivesThePermissionsOfAPlainNewFile) {
  const TempFolder folder;
  const mode_t before = umask(027);
  write_file(folder / "group", "text");
  umask(077);
  write_file(folder / "private", "text");
  const mode_t after = umask(before);
  EXPECT_EQ(mode_of(folder / "group"), mode_t{0640});
  EXPECT_EQ(mode_of(folder / "private"), mode_t{0600});
  EXPECT_EQ(after, mode_t{077}) << "writing a file changed the umask of the process";
}

TEST(CheckWritable, AcceptsAPossibleTargetAndLeavesNothingBehind) {
  const TempFolder folder;
  check_writable(folder / "result");
  EXPECT_THAT(folder.files(), IsEmpty());
  write_text(folder / "result", "old");
  check_writable(folder / "result");
  EXPECT_EQ(read_text(folder / "result"), "old");
}

}  // namespace
}  // namespace quickselection
