// tests/data/formats/matlab/mat_test.cpp: MATLAB files of version 5 and 7.3.
#include <cstdlib>

#include "data/data_testing.h"

namespace quickselection {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Mat, ReadsEveryTypePlainAndCompressed) {
  const std::pair<std::string, ValueType> types[] = {
      {"u1", ValueType::u8},  {"i1", ValueType::i8},  {"u2", ValueType::u16},
      {"i2", ValueType::i16}, {"u4", ValueType::u32}, {"i4", ValueType::i32},
      {"u8", ValueType::u64}, {"i8", ValueType::i64}, {"f4", ValueType::f32},
      {"f8", ValueType::f64}};
  for (const auto& [kind, type] : types)
    for (const char* ending : {"_plain.mat", "_packed.mat"}) {
      SCOPED_TRACE(kind + ending);
      const Dataset data = read(fixture(kind + ending));
      expect_nine_by_seven(data, kind[0] == 'u' ? 0 : 25);
      ASSERT_EQ(data.type(), type);
      ASSERT_TRUE(data.labels);
      EXPECT_THAT(label_texts(data), ElementsAre("2", "10", "2", "1", "10", "1", "1", "2", "2"));
    }
}

TEST(Mat, KeepsDoubles) {
  const Dataset data = read(fixture("halves.mat"));
  expect_nine_by_seven(data, 0, 0.5);
  EXPECT_EQ(data.type(), ValueType::f64);
}

TEST(Mat, ReadsVersion73) {
  const Dataset data = read(fixture("seven.mat"));
  expect_nine_by_seven(data);
  EXPECT_EQ(data.type(), ValueType::u16);
  EXPECT_THAT(label_texts(data), ElementsAre("2", "10", "2", "1", "10", "1", "1", "2", "2"));
  EXPECT_THAT(data.notes, ElementsAre(HasSubstr("'Y'")));
}

TEST(Mat, TakesTheOnlyMatrixOrTheNamedOne) {
  expect_nine_by_seven(read(fixture("any_name.mat")));
  EXPECT_TRUE(read(fixture("any_name.mat")).labels);
  EXPECT_FALSE(read(fixture("any_name.mat"), with_label("none")).labels);
  expect_nine_by_seven(read(fixture("two.mat"), with_array("second")), 0, 2);
  EXPECT_THAT(error_text([] { read(fixture("two.mat")); }),
              AllOf(HasSubstr("two.mat"), HasSubstr("first (9 x 7), second (9 x 7)")));
}

TEST(Mat, ReadsTruthValuesAndImages) {
  const Dataset bools = read(fixture("bools.mat"));
  EXPECT_EQ(bools.type(), ValueType::u8);
  EXPECT_EQ(bools.at(0, 1), 1);
  const Dataset images = read(fixture("images.mat"));
  ASSERT_EQ(images.rows(), 4u);
  ASSERT_EQ(images.features(), 15u);
  // MATLAB's order: the first of the other dimensions runs fastest.
  EXPECT_EQ(images.at(2, 1), 2 * 15 + 5);
  EXPECT_EQ(images.at(3, 14), 59);
}

TEST(Mat, ReadsSparseMatrices) {
  for (const char* name : {"sparse_plain.mat", "sparse_packed.mat", "sparse73.mat"}) {
    SCOPED_TRACE(name);
    const Dataset data = read(fixture(name));
    ASSERT_TRUE(data.is_sparse());
    EXPECT_EQ(data.type(), ValueType::f64);
    expect_sparse_values(data);
    EXPECT_THAT(data.labels.value().classes, ElementsAre("-1", "0", "1"));
  }
}

TEST(Mat, ReadsCellsOfTexts) {
  for (const char* name : {"cells_plain.mat", "cells_packed.mat"}) {
    const Dataset data = read(fixture(name));
    expect_sparse_values(data);
    EXPECT_EQ(data.names.at(6), "g\xc3\xa4n6");
    EXPECT_EQ(label_texts(data)[4], "\xc3\x9f");
  }
}

TEST(Mat, ReadsBigEndianFiles) {
  const Dataset data = read(fixture("big_endian.mat"));
  EXPECT_EQ(data.type(), ValueType::f64);
  expect_sparse_values(data);
}

TEST(Mat, SaysWhatCannotBeRead) {
  EXPECT_THAT(error_text([] { read(fixture("complex.mat")); }),
              AllOf(HasSubstr("complex.mat"), HasSubstr("complex numbers")));
  EXPECT_THAT(error_text([] { read(fixture("any_name.mat"), with_array("s")); }),
              HasSubstr("a struct"));
  EXPECT_THAT(error_text([] { read(fixture("u1_packed.mat"), with_array("title")); }),
              HasSubstr("text"));
  const TemporaryFolder folder;
  EXPECT_THAT(error_text([&] { read(folder.write("no.mat", "no MATLAB file")); }),
              HasSubstr("no.mat is not a MATLAB file"));
}

TEST(Mat, RowsThatAFileCannotHoldAreNotAllocated) {
  EXPECT_THAT(
      error_text([] { read(fixture("too_many_rows73.mat")); }),
      testing::HasSubstr("too_many_rows73.mat is damaged: 1099511627776 x 9 values cannot"));
}

TEST(Mat, ReportsTruncationAtEveryByte) {
  expect_truncation_reported(fixture("only.mat"));
  expect_truncation_reported(fixture("only_packed.mat"));
  expect_truncation_reported(fixture("sparse_packed.mat"), with_array("fea"));
  expect_truncation_reported(fixture("sparse73.mat"), {}, 0, 97);
}

TEST(Mat, SurvivesFlippedBytes) {
  for (const char* name : {"u2_plain.mat", "f8_packed.mat", "sparse_plain.mat", "sparse_packed.mat",
                           "cells_plain.mat", "big_endian.mat"})
    expect_flips_survived(fixture(name), 1000);
}

TEST(Mat, ReadsTheDataOfThePaper) {
  const char* const folder = std::getenv("QUICKSELECTION_DATA");
  if (folder == nullptr) GTEST_SKIP() << "QUICKSELECTION_DATA is not set";
  struct Expected {
    const char* name;
    std::size_t rows, features, classes;
    ValueType type;
  };
  const Expected all[] = {
      {"COIL20", 1440, 1024, 20, ValueType::f64}, {"madelon", 2600, 500, 2, ValueType::u16},
      {"PCMAC", 1943, 3289, 2, ValueType::u8},    {"Isolet", 1560, 617, 26, ValueType::f64},
      {"colon", 62, 2000, 2, ValueType::i16},     {"lung_small", 73, 325, 7, ValueType::i16}};
  for (const Expected& want : all) {
    const Dataset data = read(std::string(folder) + "/" + want.name + ".mat");
    EXPECT_EQ(data.rows(), want.rows) << want.name;
    EXPECT_EQ(data.features(), want.features) << want.name;
    EXPECT_EQ(data.type(), want.type) << want.name;
    EXPECT_EQ(data.labels.value().classes.size(), want.classes) << want.name;
  }
}

}  // namespace
}  // namespace quickselection
