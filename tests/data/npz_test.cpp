// tests/data/npz_test.cpp
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
      AllOf(HasSubstr("two.npz"), HasSubstr("--array"), HasSubstr("first (9 x 7), second")));
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

TEST(Npz, ReportsTruncationAtEveryByte) {
  expect_truncation_reported(fixture("stored.npz"));
  expect_truncation_reported(fixture("deflated.npz"));
}

TEST(Npz, SurvivesFlippedBytes) {
  expect_flips_survived(fixture("stored.npz"), 3000);
  expect_flips_survived(fixture("deflated.npz"), 3000);
}

}  // namespace
}  // namespace quickselection
