// tests/data/dataset/missing_test.cpp
#include "data/dataset/missing.h"

#include <cmath>
#include <limits>

#include "data/data_testing.h"

namespace quickselection {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class T>
Dataset holes() {
  Dataset data = Dataset::from_vector<T>({1, static_cast<T>(kNan), 3,  //
                                          5, 6, 7,                     //
                                          4, 8, static_cast<T>(-kInfinity)},
                                         3, 3);
  data.labels = make_labels(std::vector<std::string>{"a", "b", "c"});
  data.source = "holes.csv";
  return data;
}

Dataset sparse_holes() {
  Dataset data =
      Dataset::from_csr<float>({0, 2, 3, 4}, {0, 2, 2, 1}, {1, static_cast<float>(kNan), 6, 2}, 3);
  data.source = "sparse.svm";
  return data;
}

TEST(Missing, CountsAndFindsTheFirst) {
  const MissingValues missing = find_missing(holes<double>());
  EXPECT_EQ(missing.count, 2u);
  EXPECT_EQ(missing.rows.size(), 2u);
  EXPECT_EQ(missing.row, 0u);
  EXPECT_EQ(missing.feature, 1u);
  EXPECT_THAT(missing.features, ElementsAre(1u, 2u));
  EXPECT_EQ(find_missing(Dataset::from_vector<int>({1, 2}, 1, 2)).count, 0u);
}

TEST(Missing, IsAnErrorThatSaysHowManyAndWhere) {
  Dataset data = holes<float>();
  EXPECT_THAT(error_text([&] { treat_missing(data, Missing::error); }),
              AllOf(HasSubstr("holes.csv has 2 missing values"),
                    HasSubstr("row 0 (counted from 0), feature 1"), HasSubstr("‹missing› mean")));
}

TEST(Missing, TakesTheMeanOfTheFiniteValues) {
  Dataset data = holes<float>();
  treat_missing(data, Missing::mean);
  EXPECT_EQ(data.at(0, 1), 7);
  EXPECT_EQ(data.at(2, 2), 5);
  EXPECT_EQ(data.at(1, 1), 6);
  EXPECT_THAT(data.notes, ElementsAre(HasSubstr("2 missing values in 2 features and 2 rows")));
  Dataset sparse = sparse_holes();
  treat_missing(sparse, Missing::mean);
  EXPECT_EQ(sparse.at(0, 2), 3);  // of 6 and a zero
  EXPECT_EQ(sparse.at(2, 2), 0);
}

TEST(Missing, PutsZero) {
  Dataset data = holes<double>();
  treat_missing(data, Missing::zero);
  EXPECT_EQ(data.at(0, 1), 0);
  EXPECT_EQ(data.at(2, 2), 0);
  Dataset sparse = sparse_holes();
  treat_missing(sparse, Missing::zero);
  EXPECT_EQ(sparse.at(0, 2), 0);
}

TEST(Missing, DropsRowsWithTheirLabels) {
  Dataset data = holes<double>();
  treat_missing(data, Missing::drop_rows);
  ASSERT_EQ(data.rows(), 1u);
  EXPECT_EQ(data.at(0, 2), 7);
  EXPECT_THAT(label_texts(data), ElementsAre("b"));
  EXPECT_THAT(data.notes, ElementsAre(HasSubstr("2 rows are left out, 1 stay")));
  Dataset sparse = sparse_holes();
  treat_missing(sparse, Missing::drop_rows);
  ASSERT_EQ(sparse.rows(), 2u);
  EXPECT_EQ(sparse.at(1, 1), 2);
}

TEST(Missing, DropsFeaturesAndKeepsTheirNumbers) {
  Dataset data = holes<double>();
  treat_missing(data, Missing::drop_features);
  ASSERT_EQ(data.features(), 1u);
  EXPECT_EQ(data.at(2, 0), 4);
  Dataset sparse = sparse_holes();
  sparse.names = {"x", "y", "z"};
  treat_missing(sparse, Missing::drop_features);
  EXPECT_THAT(sparse.names, ElementsAre("x", "y"));
  EXPECT_EQ(sparse.at(2, 1), 2);
  Dataset middle = Dataset::from_vector<float>({1, static_cast<float>(kNan), 3}, 1, 3);
  treat_missing(middle, Missing::drop_features);
  EXPECT_THAT(middle.names, ElementsAre("0", "2"));
}

TEST(Missing, RefusesToDropEverything) {
  Dataset data = Dataset::from_vector<double>({kNan, kNan}, 1, 2);
  EXPECT_THAT(error_text([&] { treat_missing(data, Missing::drop_rows); }), HasSubstr("no row"));
  EXPECT_THAT(error_text([&] { treat_missing(data, Missing::drop_features); }),
              HasSubstr("no feature"));
  treat_missing(data, Missing::mean);  // there is no mean: zero
  EXPECT_EQ(data.at(0, 0), 0);
}

TEST(Missing, LeavesWholeDataWhereItIs) {
  Dataset data = Dataset::from_vector<float>({1, 2, 3, 4}, 2, 2);
  const std::byte* const before = data.values().data;
  treat_missing(data, Missing::mean);
  EXPECT_EQ(data.values().data, before);
  EXPECT_THAT(data.notes, IsEmpty());
}

TEST(Missing, IsAnOptionOfReading) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.csv", "a,b\n1,NA\n3,4\n5,6\n");
  ReadOptions options;
  EXPECT_TRUE(std::isnan(read(path).at(0, 1)));
  options.missing = Missing::mean;
  EXPECT_EQ(read(path, options).at(0, 1), 5);
  options.rows = RowRange{0, 2};
  EXPECT_EQ(read(path, options).at(0, 1), 4);  // the mean of the rows that are kept
  options.missing = Missing::error;
  EXPECT_THAT(error_text([&] { read(path, options); }), HasSubstr("feature b"));
}

TEST(Missing, TestRowsGetTheMeansOfTrainingRows) {
  const std::vector<std::uint32_t> train{0, 1};
  for (const bool sparse : {false, true}) {
    Dataset data = sparse ? sparse_holes() : Dataset(holes<float>());
    fill_missing(data, data, train);
    EXPECT_EQ(find_missing(data).count, 0u);
    if (sparse)
      EXPECT_EQ(data.at(0, 2), 6);
    else
      EXPECT_EQ(data.at(2, 2), 5);
  }
  Dataset test = holes<double>();
  fill_missing(test, Dataset::from_vector<int>({0, 10, 20, 0, 30, 60}, 2, 3), train);
  EXPECT_EQ(test.at(0, 1), 20);
  EXPECT_EQ(test.at(2, 2), 40);
}

}  // namespace
}  // namespace quickselection
