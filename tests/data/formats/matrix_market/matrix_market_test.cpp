// tests/data/formats/matrix_market/matrix_market_test.cpp: Matrix Market files and 10x Genomics
// folders.
#include "data/data_testing.h"

namespace quickselection {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kHead = "%%MatrixMarket matrix coordinate real general\n";

TEST(MatrixMarket, ReadsCoordinates) {
  for (const char* name : {"integer.mtx", "integer.mtx.gz"}) {
    const Dataset data = read(fixture(name));
    ASSERT_TRUE(data.is_sparse());
    EXPECT_EQ(data.type(), ValueType::u8);
    expect_sparse_values(data);
  }
  const Dataset real = read(fixture("real.mtx"));
  EXPECT_EQ(real.type(), ValueType::f32);
  expect_sparse_values(real, 0.25);
  const Dataset pattern = read(fixture("pattern.mtx"));
  EXPECT_EQ(pattern.at(0, 0), 1);
  EXPECT_EQ(pattern.sparse().stored(), real.sparse().stored());
}

TEST(MatrixMarket, ReadsArrays) {
  const Dataset data = read(fixture("array.mtx"));
  EXPECT_FALSE(data.is_sparse());
  EXPECT_EQ(data.type(), ValueType::u8);
  expect_sparse_values(data);
}

TEST(MatrixMarket, UnfoldsSymmetry) {
  const Dataset all[] = {read(fixture("symmetric.mtx")), read(fixture("symmetric_array.mtx"))};
  const Dataset skew = read(fixture("skew.mtx"));
  for (std::size_t r = 0; r < 4; ++r)
    for (std::size_t c = 0; c < 4; ++c) {
      const double here = static_cast<double>(4 * r + c), there = static_cast<double>(4 * c + r);
      for (const Dataset& data : all) EXPECT_EQ(data.at(r, c), here + there);
      EXPECT_EQ(skew.at(r, c), here - there);
    }
}

TEST(MatrixMarket, TakesAColumnAsTheLabels) {
  const Dataset data = read(fixture("integer.mtx"), with_label("0"));
  ASSERT_EQ(data.features(), 8u);
  EXPECT_TRUE(data.is_sparse());
  for (std::size_t r = 0; r < 12; ++r)
    for (std::size_t f = 0; f < 8; ++f) ASSERT_EQ(data.at(r, f), sparse_value(r, f + 1));
  EXPECT_EQ(label_texts(data)[0], "1");
}

TEST(MatrixMarket, SaysWhatIsWrongAndWhere) {
  const TemporaryFolder folder;
  const auto text_of = [&](const std::string& content) {
    return error_text([&] { read(folder.write("a.mtx", content)); });
  };
  EXPECT_THAT(text_of(kHead + std::string("2 2 1\n1 3 5\n")),
              AllOf(HasSubstr("line 3"), HasSubstr("(1, 3) is not within 2 x 2")));
  EXPECT_THAT(text_of(kHead + std::string("2 2 2\n1 1 5\n")), HasSubstr("it has 1 of 2 values"));
  EXPECT_THAT(text_of(kHead + std::string("2 2 1\n1 1 5\n2 2 1\n")), HasSubstr("more values"));
  EXPECT_THAT(text_of(kHead + std::string("2 2 1\n1 1 x\n")), HasSubstr("'x' is not a number"));
  EXPECT_THAT(text_of(kHead + std::string("2 2 9999999999\n1 1 1\n")), HasSubstr("cut short"));
  EXPECT_THAT(text_of(kHead + std::string("4000000000 2 1\n1 1 1\n")), HasSubstr("cannot come"));
  EXPECT_THAT(text_of("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 1\n"),
              HasSubstr("'complex'"));
  EXPECT_THAT(text_of("1 2 3\n"), HasSubstr("a.mtx is not a Matrix Market file"));
}

TEST(MatrixMarket, SurvivesDamage) {
  // Without its last digits the last value is another one.
  expect_truncation_reported(fixture("integer.mtx"), {}, 3);
  expect_flips_survived(fixture("integer.mtx"), 2000);
  expect_flips_survived(fixture("array.mtx"), 1000);
}

TEST(TenX, ReadsFoldersOfBothVersions) {
  for (const char* name : {"tenx", "tenx_old"}) {
    SCOPED_TRACE(name);
    const Dataset data = read(fixture(name));
    ASSERT_TRUE(data.is_sparse());
    expect_sparse_values(data);
    EXPECT_EQ(data.names.at(6), "g\xc3\xa4n6");
    EXPECT_EQ(data.names.at(7), "g\xc3\xa4n7 (ID7)");  // two genes have this name
    EXPECT_EQ(data.names.at(8), "g\xc3\xa4n7 (ID8)");
    EXPECT_FALSE(data.labels);
  }
}

TEST(TenX, RefusesNamesThatDoNotFit) {
  const TemporaryFolder folder;
  folder.write("matrix.mtx", kHead + std::string("2 3 1\n1 1 5\n"));
  folder.write("genes.tsv", "a\tb\n");
  const std::string path = std::filesystem::path(folder.file("x")).parent_path();
  EXPECT_THAT(error_text([&] { read(path); }), HasSubstr("has 1 names, but"));
  folder.write("genes.tsv", "a\tb\nc\td\n");
  EXPECT_EQ(read(path).rows(), 3u);
  folder.write("barcodes.tsv", "a\n");
  EXPECT_THAT(error_text([&] { read(path); }), HasSubstr("has 1 barcodes, but"));
}

}  // namespace
}  // namespace quickselection
