// tests/data/formats/parts_test.cpp: a data set in several files.
#include "data/formats/parts.h"

#include <filesystem>

#include "core/team.h"
#include "data/data_testing.h"
#include "data/formats/write.h"
#include "data/io/pages.h"
#include "support/sample_data.h"

namespace quickselection {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Paths = std::vector<std::string>;

std::string write_rows(const TemporaryFolder& folder, const std::string& name, const Dataset& data,
                       Range rows) {
  write_dataset(folder.file(name), data.slice_rows(rows.begin, rows.end));
  return folder.file(name);
}

void expect_same_values(const Dataset& found, const Dataset& expected) {
  ASSERT_EQ(found.rows(), expected.rows());
  ASSERT_EQ(found.features(), expected.features());
  EXPECT_EQ(found.type(), expected.type());
  for (std::size_t r = 0; r < expected.rows(); ++r)
    for (std::size_t f = 0; f < expected.features(); ++f)
      ASSERT_EQ(found.at(r, f), expected.at(r, f)) << r << " " << f;
}

TEST(Parts, MappedOnesStayWhereTheyAre) {
  TemporaryFolder folder;
  const Dataset all = whole_data<float>(50, 7);
  const Paths paths{write_rows(folder, "a.npy", all, {0, 20}),
                    write_rows(folder, "b.npy", all, {20, 21}),
                    write_rows(folder, "c.npy", all, {21, 50})};
  const Dataset found = read(paths);
  expect_same_values(found, all);
  EXPECT_EQ(found.backing(), Backing::file);
  EXPECT_EQ(found.values().parts.size(), 3u);
  EXPECT_EQ(found.source, paths[0] + " and 2 more");
  EXPECT_THAT(found.notes, ElementsAre("3 files are one data set of 50 rows, type f32"));
  for (const Range rows : {Range{0, 50}, {19, 22}, {20, 21}, {49, 50}, {3, 10}})
    expect_same_values(found.slice_rows(rows.begin, rows.end),
                       all.slice_rows(rows.begin, rows.end));
  expect_same_values(found.slice_rows(10, 40).slice_rows(5, 25), all.slice_rows(15, 35));
}

TEST(Parts, AreTakenInTheOrderGivenAndByNameInAFolder) {
  TemporaryFolder folder;
  const Dataset all = whole_data<std::uint8_t>(9, 3);
  std::filesystem::create_directory(folder.file("parts"));
  const Paths paths{write_rows(folder, "parts/2.npy", all, {0, 4}),
                    write_rows(folder, "parts/1.npy", all, {4, 9})};
  expect_same_values(read(paths), all);
  folder.write("parts/README.md", "not data");
  folder.write("parts/.hidden.npy", "neither");
  const Dataset found = read(folder.file("parts"));
  EXPECT_EQ(found.at(0, 0), all.at(4, 0));
  EXPECT_EQ(found.at(5, 2), all.at(0, 2));
  EXPECT_EQ(found.source, folder.file("parts"));
  EXPECT_THAT(found.notes, Contains(AllOf(HasSubstr("1 file left out"), HasSubstr("README"))));
}

TEST(Parts, GiveBackTheRowsOfEachFile) {
  TemporaryFolder folder;
  const Dataset all = whole_data<float>(1000, 1024);
  const Dataset found = read(Paths{write_rows(folder, "a.npy", all, {0, 300}),
                                   write_rows(folder, "b.npy", all, {300, 1000})});
  release_rows(found, 250, 400);  // nothing is lost
  want_rows(found, 0, 1000);
  release_rows(found.slice_rows(200, 900), 0, 700);
  for (std::size_t r = 0; r < 1000; r += 7) ASSERT_EQ(found.at(r, 5), all.at(r, 5));
}

TEST(Parts, OfTextTakeTheTypeThatHoldsAll) {
  TemporaryFolder folder;
  const Dataset found =
      read(Paths{folder.write("a.csv", "p,q\n1,2\n"), folder.write("b.csv", "p,q\n300,-4\n"),
                 folder.write("c.csv", "p,q\n0.5,7\n")});
  EXPECT_EQ(found.type(), ValueType::f32);
  EXPECT_EQ(found.at(1, 0), 300);
  EXPECT_EQ(found.at(1, 1), -4);
  EXPECT_EQ(found.at(2, 0), 0.5);
  EXPECT_EQ(found.backing(), Backing::memory);
  EXPECT_THAT(found.notes, Contains(HasSubstr("held in memory")));
  const Dataset precise = read(Paths{folder.write("d.csv", "p,q\n70000000,2\n70000001,3\n"),
                                     folder.write("e.csv", "p,q\n0.5,1e300\n")});
  EXPECT_EQ(precise.type(), ValueType::f64);
  EXPECT_EQ(precise.at(1, 0), 70000001);
}

TEST(Parts, OfSparseDataAreAppended) {
  TemporaryFolder folder;
  const Dataset found = read(Paths{folder.write("a.svm", "1 1:5 3:7\n2 2:1\n"),
                                   folder.write("b.svm", "3 1:0.5 3:300\n1 3:2\n")});
  ASSERT_TRUE(found.is_sparse());
  EXPECT_EQ(found.rows(), 4u);
  EXPECT_EQ(found.type(), ValueType::f32);
  EXPECT_EQ(found.at(0, 2), 7);
  EXPECT_EQ(found.at(1, 0), 0);
  EXPECT_EQ(found.at(2, 0), 0.5);
  EXPECT_THAT(found.labels->codes, ElementsAre(0, 1, 2, 0));
  const Dataset same =
      read(Paths{folder.write("c.svm", "1 1:5 3:7\n"), folder.write("d.svm", "3 2:6 3:30\n")});
  EXPECT_EQ(same.type(), ValueType::u8);
  EXPECT_EQ(same.at(1, 2), 30);
}

TEST(Parts, HaveTheirClassesTogether) {
  TemporaryFolder folder;
  const Paths paths{folder.write("a.csv", "x,label\n1,b\n2,d\n"),
                    folder.write("b.csv", "x,label\n3,a\n4,d\n")};
  const Dataset found = read(paths);
  EXPECT_THAT(found.labels->classes, ElementsAre("a", "b", "d"));
  EXPECT_THAT(found.labels->codes, ElementsAre(1, 2, 0, 2));
  ReadOptions options;
  options.label = folder.write("labels.txt", "p\nq\np\np\n");
  EXPECT_THAT(
      read(Paths{folder.write("c.csv", "x\n1\n2\n"), folder.write("d.csv", "x\n3\n4\n")}, options)
          .labels->codes,
      ElementsAre(0, 1, 0, 0));
}

TEST(Parts, ThatDifferAreRefusedWithBothNames) {
  TemporaryFolder folder;
  const Dataset three = whole_data<float>(4, 3);
  const std::string a = write_rows(folder, "a.npy", three, {0, 4});
  const auto refused = [&](const std::string& first, const std::string& second) {
    return error_text([&] { read(Paths{first, second}); });
  };
  const auto npy = [&](const std::string& name, const Dataset& data) {
    return write_rows(folder, name, data, {0, data.rows()});
  };
  EXPECT_THAT(refused(a, npy("b.npy", whole_data<float>(4, 2))),
              AllOf(HasSubstr("a.npy has 3 features, but"), HasSubstr("b.npy has 2")));
  EXPECT_THAT(
      refused(a, npy("c.npy", whole_data<std::uint8_t>(4, 3))),
      AllOf(HasSubstr("a.npy holds values of type f32, but"), HasSubstr("c.npy of type u8")));
  EXPECT_THAT(refused(a, folder.file("missing.npy")), HasSubstr("missing.npy: No such file"));
  EXPECT_THAT(refused(a, folder.write("empty.csv", "")), HasSubstr("empty.csv: the file is empty"));
  EXPECT_THAT(refused(a, a), HasSubstr("a.npy is named twice"));
  std::filesystem::create_symlink(a, folder.file("link.npy"));
  EXPECT_THAT(refused(a, folder.file("link.npy")), HasSubstr("are the same file"));
  const std::string x = folder.write("x.csv", "p,q,label\n1,2,k\n");
  EXPECT_THAT(refused(x, folder.write("y.csv", "p,r,label\n1,2,k\n")),
              AllOf(HasSubstr("column 1 of the features is 'q' in"), HasSubstr("x.csv, but 'r' in"),
                    HasSubstr("y.csv")));
  EXPECT_THAT(refused(x, folder.write("z.csv", "p,q\n1,2\n")),
              AllOf(HasSubstr("x.csv has labels, but"), HasSubstr("z.csv has none")));
  EXPECT_THAT(refused(folder.write("n.csv", "1,2\n3,4\n"), folder.write("m.csv", "p,q\n1,2\n")),
              AllOf(HasSubstr("m.csv names its columns, but"), HasSubstr("n.csv does not")));
  EXPECT_THAT(refused(folder.write("s.svm", "1 1:5 2:7 3:1\n"), a),
              AllOf(HasSubstr("s.svm is sparse, but"), HasSubstr("a.npy is dense")));
}

TEST(Parts, OfAFolderHaveOneFormat) {
  TemporaryFolder folder;
  folder.write("a.csv", "x\n1\n");
  EXPECT_EQ(read(folder.file("")).rows(), 1u);
  folder.write("b.svm", "1 1:5\n");
  EXPECT_THAT(error_text([&] { read(folder.file("")); }),
              AllOf(HasSubstr("a.csv is csv"), HasSubstr("b.svm is svmlight")));
}

TEST(Parts, OfAFolderMayHaveAnyEndingWhenTheFormatIsGiven) {
  TemporaryFolder folder;
  folder.write("part-00000", "1,2\n");
  folder.write("part-00001", "3,4\n");
  EXPECT_THAT(error_text([&] { read(folder.file("")); }), HasSubstr("it is a folder"));
  ReadOptions options;
  options.format = "csv";
  const Dataset found = read(folder.file(""), options);
  EXPECT_EQ(found.rows(), 2u);
  EXPECT_EQ(found.at(1, 1), 4);
  EXPECT_THAT(found.names, IsEmpty());
}

}  // namespace
}  // namespace quickselection
