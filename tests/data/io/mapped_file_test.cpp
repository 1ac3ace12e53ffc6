// tests/data/io/mapped_file_test.cpp
#include "data/io/mapped_file.h"

#include "data/data_testing.h"

namespace quickselection {
namespace {

using testing::HasSubstr;

TEST(MappedFile, ShowsTheWholeContent) {
  TemporaryFolder folder;
  const std::string content = std::string(10000, 'a') + "end";
  const MappedFile file(folder.write("x", content));
  EXPECT_EQ(file.text(), content);
  file.release_before(9000);
  EXPECT_EQ(file.text(), content);
}

TEST(MappedFile, SaysWhatIsWrongWithTheFile) {
  TemporaryFolder folder;
  const std::string missing = folder.file("missing.csv");
  EXPECT_THAT(error_text([&] { MappedFile file(missing); }),
              testing::AllOf(HasSubstr(missing), HasSubstr("No such file")));
  EXPECT_THAT(error_text([&] { MappedFile file(folder.file("")); }), HasSubstr("it is a folder"));
  EXPECT_THAT(error_text([&] { MappedFile file(folder.write("empty", "")); }),
              HasSubstr("the file is empty"));
  EXPECT_THAT(error_text([] { MappedFile file("/dev/null"); }), HasSubstr("not a regular file"));
}

TEST(MappedFile, SaysThatReadingIsNotAllowed) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  TemporaryFolder folder;
  const std::string path = folder.write("secret", "x");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  EXPECT_THAT(error_text([&] { MappedFile file(path); }), HasSubstr("check its permissions"));
}

}  // namespace
}  // namespace quickselection
