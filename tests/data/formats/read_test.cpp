// tests/data/formats/read_test.cpp: choosing formats, labels from another file, rows.
#include <sys/stat.h>

#include <fstream>
#include <thread>

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

TEST(Read, KeepsAndDropsColumnsByNameNumberRangeAndWildcard) {
  TemporaryFolder folder;
  const std::string path = folder.write("x.csv", "a,b1,b2,x-y,label\n1,2,3,4,p\n5,6,7,8,q\n");
  const auto names = [&](const std::string& columns, const std::string& drop) {
    ReadOptions options;
    options.columns = columns;
    options.drop = drop;
    return read(path, options).names;
  };
  EXPECT_THAT(names("a,b2", ""), ElementsAre("a", "b2"));
  EXPECT_THAT(names("b*", ""), ElementsAre("b1", "b2"));
  EXPECT_THAT(names("b?, a", "b1"), ElementsAre("a", "b2"));
  EXPECT_THAT(names("0-2", ""), ElementsAre("a", "b1", "b2"));
  EXPECT_THAT(names("b1-x-y", ""), ElementsAre("b1", "b2", "x-y"));
  EXPECT_THAT(names("x-y", ""), ElementsAre("x-y"));
  EXPECT_THAT(names("", "0,x-y"), ElementsAre("b1", "b2"));
  EXPECT_THAT(names("*1,*-*", ""), ElementsAre("b1", "x-y"));
  EXPECT_THAT(error_text([&] { names("b?1,*a?", ""); }), HasSubstr("no column's name fits"));
  EXPECT_THAT(error_text([&] { names("b3", ""); }), HasSubstr("‹columns› is 'b3'"));
  // A name from somebody's file may be of any length.
  const std::string wide(1'000'000, 'w');
  ReadOptions options;
  options.columns = "*w*w*z,v*";
  EXPECT_THAT(error_text([&] { read(folder.write("w.csv", wide + ",v1\n1,2\n"), options); }),
              HasSubstr("no column's name fits"));
  options.columns = "*w?w";
  EXPECT_EQ(read(folder.write("w.csv", wide + ",v1\n1,2\n"), options).features(), 1u);
  EXPECT_THAT(error_text([&] { names("z*", ""); }), HasSubstr("no column's name fits"));
  EXPECT_THAT(error_text([&] { names("2-1", ""); }), HasSubstr("ends before it begins"));
  EXPECT_THAT(error_text([&] { names("", "*"); }), HasSubstr("no column left"));
}

TEST(Read, KeepsColumnsOfFilesWithoutNamesByTheirNumbers) {
  ReadOptions options;
  options.drop = "1";
  const Dataset whole = read(fixture("version1.npy")),
                data = read(fixture("version1.npy"), options);
  ASSERT_EQ(data.features(), whole.features() - 1);
  EXPECT_EQ(data.names[0], "0");
  EXPECT_EQ(data.names[1], "2");
  EXPECT_EQ(data.at(3, 1), whole.at(3, 2));
}

TEST(Read, TransposesDenseAndSparseData) {
  TemporaryFolder folder;
  ReadOptions turn;
  turn.transpose = true;
  for (const std::string& path :
       {folder.write("x.csv", "1,2,0\n4,0,6\n"), folder.write("x.svm", "1 1:1 2:2\n0 1:4 3:6\n")}) {
    const Dataset data = read(path), turned = read(path, turn);
    ASSERT_EQ(turned.rows(), data.features()) << path;
    ASSERT_EQ(turned.features(), data.rows()) << path;
    EXPECT_EQ(turned.is_sparse(), data.is_sparse());
    for (std::size_t r = 0; r < data.rows(); ++r)
      for (std::size_t f = 0; f < data.features(); ++f) EXPECT_EQ(turned.at(f, r), data.at(r, f));
  }
}

TEST(Read, ReadsAPipeOfAnyFormatAndNamesItInErrors) {
  TemporaryFolder folder;
  const std::string pipe = folder.file("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const auto through = [&](const std::string& bytes) {
    std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << bytes; });
    std::string error;
    Dataset data;
    error = error_text([&] { data = read(pipe); });
    writer.join();
    return std::pair(data, error);
  };
  EXPECT_EQ(through("a,b\n1,2\n3,4\n").first.at(1, 1), 4);
  EXPECT_EQ(through("a,b\n1,2\n3,4\n").first.source, pipe);
  EXPECT_EQ(through(read_bytes(fixture("version1.npy"))).first.rows(), 5u);
  EXPECT_THAT(through("a,b\n1,2\n3\n").second, HasSubstr(pipe + ", line 3"));
  EXPECT_THAT(through("").second, HasSubstr("nothing came through it"));
}

}  // namespace
}  // namespace quickselection
