// tests/data/dataset/subset_test.cpp
#include "data/dataset/subset.h"

#include <gtest/gtest.h>

#include "support/sample_data.h"

namespace quickselection {
namespace {

void expect_rows(const Dataset& taken, const Dataset& from,
                 const std::vector<std::uint32_t>& rows) {
  ASSERT_EQ(taken.rows(), rows.size());
  ASSERT_EQ(taken.features(), from.features());
  EXPECT_EQ(taken.type(), from.type());
  EXPECT_EQ(taken.is_sparse(), from.is_sparse());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t f = 0; f < from.features(); ++f)
      EXPECT_EQ(taken.at(i, f), from.at(rows[i], f));
}

TEST(CopyRows, CopiesRowsInTheOrderGivenAsOftenAsTheyAreNamed) {
  const std::vector<std::uint32_t> rows{3, 0, 3, 9};
  const auto bytes = whole_data<std::uint8_t>(10, 7);
  const auto doubles = whole_data<double>(10, 7);
  expect_rows(copy_rows(bytes, rows), bytes, rows);
  expect_rows(copy_rows(doubles, rows), doubles, rows);
}

TEST(CopyRows, KeepsSparseDataSparse) {
  Dataset data =
      Dataset::from_csr<std::int16_t>({0, 2, 2, 3, 6}, {0, 3, 1, 0, 1, 3}, {5, -6, 7, 1, 2, 3}, 4);
  const std::vector<std::uint32_t> rows{3, 1, 0, 3};
  expect_rows(copy_rows(data, rows), data, rows);
  // Rows from the middle: their offsets do not begin at 0.
  const Dataset part = data.slice_rows(2, 4);
  expect_rows(copy_rows(part, std::vector<std::uint32_t>{1, 0}), part, {1, 0});
}

TEST(CopyRows, KeepsNamesAndLabelsAndOutlivesItsSource) {
  Dataset taken;
  {
    Dataset data = whole_data<float>(5, 3);
    data.names = {"a", "b", "c"};
    data.labels = Labels{{0, 0, 1, 1, 2}, {"x", "y", "z"}};
    data.source = "somewhere";
    taken = copy_rows(data, std::vector<std::uint32_t>{4, 4});
  }
  EXPECT_EQ(taken.name(2), "c");
  EXPECT_EQ(taken.source, "somewhere");
  EXPECT_EQ(taken.labels->codes, (std::vector<std::int32_t>{2, 2}));
  EXPECT_EQ(taken.at(0, 1), taken.at(1, 1));
}

TEST(CopyColumns, KeepsTheNamedOnesOfDenseAndSparseData) {
  const std::vector<std::uint32_t> columns{0, 3};
  for (const bool sparse : {false, true}) {
    Dataset data = sparse ? Dataset::from_csr<float>({0, 2, 2, 3}, {0, 3, 1}, {5, 6, 7}, 4)
                          : whole_data<float>(3, 4);
    data.names = {"a", "b", "c", "d"};
    const Dataset copy = copy_columns(data, columns);
    EXPECT_EQ(copy.is_sparse(), sparse);
    EXPECT_EQ(copy.names, (std::vector<std::string>{"a", "d"}));
    ASSERT_EQ(copy.rows(), 3u);
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t i = 0; i < columns.size(); ++i)
        EXPECT_EQ(copy.at(r, i), data.at(r, columns[i]));
  }
}

}  // namespace
}  // namespace quickselection
