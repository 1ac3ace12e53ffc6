// tests/core/atomic_file_test.cpp
#include "core/atomic_file.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <string>

#include "quickselection/error.h"
#include "support/temp_folder.h"

namespace quickselection {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

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
  EXPECT_EQ(file.temporary().parent_path(), folder.path());
  write_text(file.temporary(), "written elsewhere");
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

TEST(AtomicFile, NeverReplacesAPipe) {
  const TempFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THROW(write_file(folder / "pipe", "text"), Error);
  EXPECT_THROW(check_writable(folder / "pipe"), Error);
  EXPECT_TRUE(std::filesystem::is_fifo(folder / "pipe"));
  EXPECT_THAT(folder.files(), ElementsAre("pipe"));
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
