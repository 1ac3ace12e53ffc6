// tests/evaluation/hold_out_test.cpp: data with the rows that are held out of it.
#include "evaluation/hold_out.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace quickselection {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// Row r holds r and 10 r.
Dataset rows_of(std::size_t rows) {
  std::vector<double> values;
  for (std::size_t r = 0; r < rows; ++r) {
    values.push_back(static_cast<double>(r));
    values.push_back(10 * static_cast<double>(r));
  }
  return Dataset::from_vector(values, rows, 2);
}

TEST(HoldOut, EveryFoldPointsIntoTheSameData) {
  HoldoutOptions options;
  options.folds = 3;
  const HeldOut held = hold_out(rows_of(9), nullptr, options);
  ASSERT_THAT(held.holdouts, SizeIs(3));
  for (const Holdout& holdout : held.holdouts) {
    EXPECT_EQ(holdout.train, &held.data.front());
    EXPECT_EQ(holdout.test, &held.data.front());
    EXPECT_THAT(holdout.test_rows, SizeIs(3));
  }
}

TEST(HoldOut, MeansAreThoseOfTheTrainingRows) {
  Dataset data = Dataset::from_vector<double>({1, 2, 3, kMissing, kMissing, 6, 7, 8}, 4, 2);
  HoldoutOptions options;
  options.test_rows = RowRange{2, 4};
  HeldOut held = hold_out(data, nullptr, options, true);
  held = HeldOut(std::move(held));  // what it points to moves along
  const Holdout& holdout = held.holdouts.at(0);
  EXPECT_THAT(holdout.train_rows, ElementsAre(0, 1));
  EXPECT_EQ(holdout.train->at(1, 1), 2);  // of row 0 alone
  EXPECT_EQ(holdout.test->at(2, 0), 2);   // of rows 0 and 1
  EXPECT_THAT(held.notes, SizeIs(1));
  EXPECT_TRUE(std::isnan(held.data.front().at(1, 1))) << "the data itself is left as it was";
  EXPECT_THAT(hold_out(rows_of(4), nullptr, options, true).notes, IsEmpty());
}

TEST(HoldOut, TestDataIsFilledByTheTrainingData) {
  const Dataset test = Dataset::from_vector<double>({kMissing, 5}, 1, 2);
  const HeldOut held = hold_out(rows_of(3), &test, {}, true);
  EXPECT_EQ(held.holdouts.at(0).test->at(0, 0), 1);
  EXPECT_THAT(held.holdouts.at(0).train_rows, ElementsAre(0, 1, 2));
}

}  // namespace
}  // namespace quickselection
