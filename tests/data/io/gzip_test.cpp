// tests/data/io/gzip_test.cpp: text in gzip files.
#include "data/data_testing.h"
#include "data/formats/write.h"

namespace quickselection {
namespace {

using testing::HasSubstr;

void expect_frame(const Dataset& data) {
  ASSERT_EQ(data.rows(), 20u);
  ASSERT_EQ(data.features(), 4u);
  EXPECT_EQ(data.names[3], "d");
  ASSERT_TRUE(data.labels);
  EXPECT_EQ(data.labels->classes[1], "y");
  for (std::size_t r = 0; r < 20; ++r)
    for (std::size_t f = 0; f < 4; ++f) EXPECT_EQ(data.at(r, f), matrix_value(r, f) / 8);
}

TEST(Gzip, ReadsTextOfOneOrSeveralMembers) {
  expect_frame(read(fixture("pandas.csv.gz")));
  expect_frame(read(fixture("pandas.tsv.gz")));
  expect_frame(read(fixture("members.csv.gz")));
}

TEST(Gzip, FindsTextByItsContent) {
  const TemporaryFolder folder;
  expect_frame(read(folder.write("unnamed", read_bytes(fixture("pandas.csv.gz")))));
}

TEST(Gzip, ReadsTextThatNeedsDoubles) {
  const Dataset packed = read(fixture("wide.csv.gz")), plain = read(fixture("wide.csv"));
  ASSERT_EQ(packed.type(), ValueType::f64);
  for (std::size_t r = 0; r < plain.rows(); ++r)
    for (std::size_t f = 0; f < plain.features(); ++f) ASSERT_EQ(packed.at(r, f), plain.at(r, f));
}

TEST(Gzip, ReadsTextLargerThanOnePiece) {
  const TemporaryFolder folder;
  std::string text = "a,b\n";
  std::size_t rows = 0;
  for (; text.size() < (std::size_t{36} << 20); ++rows) text += "123456,7.5\n";
  const std::string path = folder.write("large.csv", text);
  ASSERT_EQ(std::system(("gzip -1 " + path).c_str()), 0);
  const Dataset data = read(path + ".gz");
  ASSERT_EQ(data.rows(), rows);
  for (std::size_t r = 0; r < rows; r += 997) ASSERT_EQ(data.at(r, 0), 123456);
  EXPECT_EQ(data.at(rows - 1, 1), 7.5);
}

TEST(Gzip, ReadsLabelsFromAFile) {
  const TemporaryFolder folder;
  ReadOptions options;
  options.label = fixture("labels.txt.gz");
  const Dataset data = read(folder.write("x.csv", "1,2\n3,4\n1,2\n3,4\n1,2\n3,4\n"), options);
  EXPECT_THAT(data.labels->codes, testing::ElementsAre(1, 0, 1, 0, 1, 0));
}

TEST(Gzip, RefusesNothingAndGarbage) {
  EXPECT_THAT(error_text([] { read(fixture("nothing.csv.gz")); }), HasSubstr("nothing"));
  const TemporaryFolder folder;
  const std::string tail = read_bytes(fixture("pandas.csv.gz")) + "and more";
  EXPECT_THAT(error_text([&] { read(folder.write("tail.csv.gz", tail)); }),
              HasSubstr("is not gzip"));
}

TEST(Gzip, IsNotWritten) {
  const Dataset data = Dataset::from_vector<float>({1, 2}, 1, 2);
  EXPECT_THAT(error_text([&] { write_dataset("x.csv.gz", data); }), HasSubstr("only read"));
}

TEST(Gzip, ReportsTruncationAtEveryByte) { expect_truncation_reported(fixture("pandas.csv.gz")); }

TEST(Gzip, SurvivesFlippedBytes) { expect_flips_survived(fixture("pandas.csv.gz"), 3000); }

}  // namespace
}  // namespace quickselection
