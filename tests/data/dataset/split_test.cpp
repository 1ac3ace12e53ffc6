// tests/data/dataset/split_test.cpp
#include "quickselection/split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "quickselection/error.h"

namespace quickselection {
namespace {

Dataset labelled(const std::vector<std::size_t>& class_sizes) {
  Labels labels;
  for (std::size_t c = 0; c < class_sizes.size(); ++c) {
    labels.classes.push_back("class " + std::to_string(c));
    labels.codes.insert(labels.codes.end(), class_sizes[c], static_cast<std::int32_t>(c));
  }
  const std::size_t rows = labels.codes.size();
  Dataset data = Dataset::from_vector(std::vector<float>(rows), rows, 1);
  data.labels = labels;
  return data;
}

std::map<std::int32_t, std::size_t> count(const Dataset& data,
                                          const std::vector<std::uint32_t>& rows) {
  std::map<std::int32_t, std::size_t> counts;
  for (const std::uint32_t row : rows) ++counts[data.labels->codes[row]];
  return counts;
}

void expect_partition(const Split& split, std::size_t rows) {
  EXPECT_TRUE(std::is_sorted(split.train.begin(), split.train.end()));
  EXPECT_TRUE(std::is_sorted(split.test.begin(), split.test.end()));
  std::set<std::uint32_t> all(split.train.begin(), split.train.end());
  all.insert(split.test.begin(), split.test.end());
  EXPECT_EQ(all.size(), rows);
  EXPECT_EQ(split.train.size() + split.test.size(), rows);
}

TEST(SplitRows, GivesEachClassItsShare) {
  const Dataset data = labelled({100, 50, 10});
  const Split split = split_rows(data, 0.2);
  expect_partition(split, 160);
  EXPECT_EQ(count(data, split.test),
            (std::map<std::int32_t, std::size_t>{{0, 20}, {1, 10}, {2, 2}}));
}

TEST(SplitRows, RoundsByTheLargestRemainders) {
  const Dataset data = labelled({7, 6, 4});  // 17 rows: 4 to test, by class 1.65, 1.41, 0.94
  const Split split = split_rows(data, 0.2);
  EXPECT_EQ(count(data, split.test), (std::map<std::int32_t, std::size_t>{{0, 2}, {1, 1}, {2, 1}}));
}

TEST(SplitRows, TakesAWholeNumberExactly) {
  EXPECT_EQ(split_rows(labelled({720, 720}), 0.2).test.size(), 288u);  // not 289
  EXPECT_EQ(split_rows(labelled({971, 972}), 0.2).test.size(), 389u);  // ceil(388.6)
}

TEST(SplitRows, KeepsTheOnlyRowOfAClassForTraining) {
  const Dataset data = labelled({1, 1, 1, 7});
  const Split split = split_rows(data, 0.3);
  expect_partition(split, 10);
  EXPECT_EQ(count(data, split.test), (std::map<std::int32_t, std::size_t>{{3, 3}}));
}

TEST(SplitRows, RepeatsWithTheSeedAndChangesWithIt) {
  const Dataset data = labelled({30, 30});
  EXPECT_EQ(split_rows(data, 0.5, 1).test, split_rows(data, 0.5, 1).test);
  EXPECT_NE(split_rows(data, 0.5, 1).test, split_rows(data, 0.5, 2).test);
}

TEST(SplitRows, WorksWithoutLabels) {
  Dataset data = labelled({10});
  data.labels.reset();
  const Split split = split_rows(data, 0.25);
  expect_partition(split, 10);
  EXPECT_EQ(split.test.size(), 3u);
}

TEST(SplitRows, RefusesWhatCannotBeSplit) {
  EXPECT_THROW(split_rows(labelled({1}), 0.2), Error);
  EXPECT_THROW(split_rows(labelled({1, 1, 1}), 0.2), Error);  // every row a class of its own
  for (const double share : {0.0, 1.0, -0.1, 1.5, double(NAN)})
    EXPECT_THROW(split_rows(labelled({10}), share), InvalidArgument);
}

TEST(SplitRanges, TrainsOnTheOtherRowsUnlessTold) {
  const Split rest = split_ranges(10, std::nullopt, {4, 6});
  EXPECT_EQ(rest.test, (std::vector<std::uint32_t>{4, 5}));
  EXPECT_EQ(rest.train, (std::vector<std::uint32_t>{0, 1, 2, 3, 6, 7, 8, 9}));
  const Split both = split_ranges(10, RowRange{0, 3}, {8});
  EXPECT_EQ(both.train, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(both.test, (std::vector<std::uint32_t>{8, 9}));
}

TEST(SplitRanges, RefusesOverlapsAndRowsThatAreNotThere) {
  EXPECT_THROW(split_ranges(10, RowRange{0, 5}, {4, 6}), InvalidArgument);
  EXPECT_THROW(split_ranges(10, std::nullopt, {4, 11}), InvalidArgument);
  EXPECT_THROW(split_ranges(10, std::nullopt, {4, 4}), InvalidArgument);
  EXPECT_THROW(split_ranges(10, std::nullopt, {0, 10}), InvalidArgument);
}

TEST(SplitFolds, TestEveryRowOnceAndSpreadTheClasses) {
  const Dataset data = labelled({50, 23, 1});
  const auto folds = split_folds(data, 5);
  ASSERT_EQ(folds.size(), 5u);
  std::vector<int> tested(74, 0);
  for (const Split& fold : folds) {
    expect_partition(fold, 74);
    for (const std::uint32_t row : fold.test) ++tested[row];
    auto counts = count(data, fold.test);
    EXPECT_EQ(counts[0], 10u);
    EXPECT_NEAR(static_cast<double>(counts[1]), 4.6, 1);
    EXPECT_NEAR(static_cast<double>(fold.test.size()), 14.8, 1);
  }
  for (const int times : tested) EXPECT_EQ(times, 1);
}

TEST(SplitFolds, RefusesTooFewAndTooMany) {
  EXPECT_THROW(split_folds(labelled({10}), 1), InvalidArgument);
  EXPECT_THROW(split_folds(labelled({10}), 11), InvalidArgument);
  EXPECT_EQ(split_folds(labelled({10}), 10).size(), 10u);
}

}  // namespace
}  // namespace quickselection
