// tests/data/formats/numpy/npz_test.cpp
#include "data/data_testing.h"

namespace quickselection {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Npz, ReadsStoredAndDeflatedArraysWithTheirLabels) {
  for (const char* name : {"stored.npz", "deflated.npz"}) {
    const Dataset data = read(fixture(name));
    expect_nine_by_seven(data);
    EXPECT_EQ(data.type(), ValueType::i16);
    ASSERT_TRUE(data.labels) << name;
    EXPECT_THAT(data.labels->classes, ElementsAre("1", "2", "10"));
    EXPECT_THAT(data.labels->codes, ElementsAre(1, 2, 1, 0, 2, 0, 0, 1, 1));
    EXPECT_THAT(data.notes, ElementsAre(HasSubstr("'y'")));
  }
  EXPECT_FALSE(read(fixture("one.npz")).labels);
}

TEST(Npz, TakesNamedArraysAndLabels) {
  const Dataset second = read(fixture("two.npz"), with_array("second"));
  expect_nine_by_seven(second, 0, 2);
  EXPECT_EQ(second.type(), ValueType::f64);
  EXPECT_EQ(read(fixture("stored.npz"), with_array("other")).rows(), 3u);

  ReadOptions options;
  options.label = "none";
  EXPECT_FALSE(read(fixture("stored.npz"), options).labels);
  options.label = "y";
  const Dataset named = read(fixture("stored.npz"), options);
  EXPECT_TRUE(named.labels);
  EXPECT_THAT(named.notes, IsEmpty());
  options.label = "-1";
  EXPECT_EQ(read(fixture("stored.npz"), options).features(), 6u);
}

TEST(Npz, ListsTheArraysWhenItCannotChoose) {
  EXPECT_THAT(
      error_text([] { read(fixture("two.npz")); }),
      AllOf(HasSubstr("two.npz"), HasSubstr("‹array›"), HasSubstr("first (9 x 7), second")));
  EXPECT_THAT(error_text([] { read(fixture("two.npz"), with_array("secnd")); }),
              HasSubstr("did you mean 'second'?"));
  ReadOptions options;
  options.label = "other";
  EXPECT_THAT(error_text([&] { read(fixture("stored.npz"), options); }),
              HasSubstr("does not hold one value for each of the 9 rows"));
}

TEST(Npz, SaysWhatCannotBeRead) {
  expect_nine_by_seven(read(fixture("objects.npz")));
  EXPECT_THAT(error_text([] { read(fixture("objects.npz"), with_array("names")); }),
              AllOf(HasSubstr("objects.npz, array 'names'"), HasSubstr("'|O'")));
  EXPECT_THAT(error_text([] { read(fixture("none.npz")); }), HasSubstr("none.npz"));
}

TEST(Npz, ReadsArraysLargerThanOnePiece) {
  const Dataset data = read(fixture("large.npz"));
  ASSERT_EQ(data.rows(), 3000u);
  EXPECT_EQ(data.at(2999, 599), 5);
  EXPECT_EQ(data.at(0, 0), 0);
}

TEST(Npz, ReadsSparseMatricesOfSciPy) {
  const std::pair<const char*, ValueType> all[] = {{"csr.npz", ValueType::i16},
                                                   {"csc.npz", ValueType::f64},
                                                   {"coo.npz", ValueType::i16},
                                                   {"unsorted.npz", ValueType::i16},
                                                   {"twice.npz", ValueType::i64}};
  for (const auto& [name, type] : all) {
    SCOPED_TRACE(name);
    const Dataset data = read(fixture(name));
    ASSERT_TRUE(data.is_sparse());
    EXPECT_EQ(data.type(), type);
    expect_sparse_values(data);
    EXPECT_EQ(data.sparse().stored(), read(fixture("csr.npz")).sparse().stored());
  }
  const Dataset zeros = read(fixture("zeros.npz"));
  EXPECT_EQ(zeros.rows(), 5u);
  EXPECT_EQ(zeros.features(), 3u);
  EXPECT_EQ(zeros.sparse().stored(), 0u);
  EXPECT_THAT(error_text([] { read(fixture("bsr.npz")); }), HasSubstr("'bsr'"));
}

TEST(Npz, ReadsNamesAndTexts) {
  const Dataset data = read(fixture("named.npz"));
  expect_sparse_values(data);
  EXPECT_EQ(data.names[6], "g\xc3\xa4n6");
  EXPECT_EQ(label_texts(data)[4], "\xc3\x9f");
}

TEST(Npz, ReportsTruncationAtEveryByte) {
  expect_truncation_reported(fixture("csr.npz"));
  expect_truncation_reported(fixture("stored.npz"));
  expect_truncation_reported(fixture("deflated.npz"));
}

TEST(Npz, SurvivesFlippedBytes) {
  for (const char* name : {"stored.npz", "deflated.npz", "csr.npz", "csc.npz", "named.npz"})
    expect_flips_survived(fixture(name), 1000);
}

}  // namespace
}  // namespace quickselection
