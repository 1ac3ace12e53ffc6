// tests/data/formats/read_test.cpp: choosing formats, labels from another file, rows.
#include "data/data_testing.h"
#include "data/formats/format.h"

namespace quickselection {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Read, ChoosesByOptionThenEndingThenContent) {
  TemporaryFolder folder;
  const std::string npy = read_bytes(fixture("version1.npy"));
  EXPECT_EQ(read(folder.write("x.dat", npy)).rows(), 5u);
  EXPECT_EQ(read(folder.write("x.dat2", "a,b\n1,2\n")).rows(), 1u);
  EXPECT_EQ(read(folder.write("X.CSV", "a,b\n1,2\n")).rows(), 1u);
  ReadOptions options;
  options.format = "npy";
  EXPECT_EQ(read(folder.write("wrong.csv", npy), options).rows(), 5u);
}

TEST(Read, ListsTheFormatsWhenNoneFits) {
  TemporaryFolder folder;
  const std::string strange = folder.write("x.dat", std::string("\x01\x02\x00", 3));
  EXPECT_THAT(error_text([&] { read(strange); }),
              AllOf(HasSubstr("‹format›"), HasSubstr("csv (.csv"), HasSubstr("npy (.npy)")));
  ReadOptions options;
  options.format = "xls";
  EXPECT_THAT(error_text([&] { read(strange, options); }),
              AllOf(HasSubstr("'xls'"), HasSubstr("known formats: ")));
}

TEST(Read, TakesRows) {
  TemporaryFolder folder;
  const std::string path = folder.write("x.csv", "a,y\n1,p\n2,q\n3,q\n4,p\n");
  ReadOptions options;
  options.rows = RowRange{1, 3};
  const Dataset middle = read(path, options);
  EXPECT_EQ(middle.rows(), 2u);
  EXPECT_EQ(middle.at(0, 0), 2);
  EXPECT_THAT(middle.labels->codes, ElementsAre(1, 1));
  options.rows = RowRange{3};
  EXPECT_EQ(read(path, options).rows(), 1u);
  for (const RowRange bad : {RowRange{0, 5}, RowRange{2, 2}, RowRange{4}}) {
    options.rows = bad;
    EXPECT_THAT(error_text([&] { read(path, options); }), HasSubstr("not within the 4 rows"));
  }
}

TEST(Read, TakesLabelsFromAFile) {
  TemporaryFolder folder;
  const std::string path = folder.write("x.csv", "a,b\n1,2\n3,4\n5,6\n7,8\n9,0\n");
  ReadOptions options;
  options.label = folder.write("labels.txt", "b\na\n\"c, d\"\na\nb\n");
  const Dataset text = read(path, options);
  EXPECT_THAT(text.labels->classes, ElementsAre("a", "b", "c, d"));
  EXPECT_THAT(text.labels->codes, ElementsAre(1, 0, 2, 0, 1));
  EXPECT_EQ(text.features(), 2u);

  options.label = fixture("labels.npy");
  const Dataset numbers = read(path, options);
  EXPECT_THAT(numbers.labels->classes, ElementsAre("1", "2", "10"));
  EXPECT_THAT(numbers.labels->codes, ElementsAre(1, 2, 1, 0, 2));
}

TEST(Read, TakesOneLineMoreInALabelFileAsItsHeader) {
  TemporaryFolder folder;
  const std::string path = folder.write("x.csv", "a,b\n1,2\n3,4\n");
  ReadOptions options;
  options.label = folder.write("labels.csv", "kind\np\nq\n");
  const Dataset data = read(path, options);
  EXPECT_THAT(data.labels->classes, ElementsAre("p", "q"));
  EXPECT_THAT(data.notes, ElementsAre(HasSubstr("'kind'")));
}

TEST(Read, RefusesLabelFilesThatDoNotFit) {
  TemporaryFolder folder;
  const std::string path = folder.write("x.csv", "a,b\n1,2\n3,4\n");
  ReadOptions options;
  options.label = folder.write("short.txt", "p\n");
  EXPECT_THAT(error_text([&] { read(path, options); }),
              AllOf(HasSubstr("1 labels"), HasSubstr("2 rows")));
  options.label = folder.write("wide.csv", "p,q\nr,s\n");
  EXPECT_THAT(error_text([&] { read(path, options); }), HasSubstr("several fields"));
  options.label = fixture("version1.npy");
  EXPECT_THAT(error_text([&] { read(path, options); }), HasSubstr("4 columns"));
}

TEST(Read, RefusesFoldersOfOtherThings) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_text([&] { read(folder.file("")); }), HasSubstr("it is a folder"));
}

TEST(Read, EveryFormatDescribesItself) {
  for (const Format* format : formats()) {
    EXPECT_FALSE(format->name.empty());
    EXPECT_FALSE(format->summary.empty());
    if (format->detect_folder != nullptr) continue;
    EXPECT_EQ(format_by_ending("some/File" + std::string(format->endings[0])), format);
  }
  EXPECT_EQ(format_by_ending("x.unknown"), nullptr);
}

}  // namespace
}  // namespace quickselection
