// tests/data/dataset/groups_test.cpp
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/dataset/subset.h"
#include "quickselection/dataset.h"

namespace quickselection {
namespace {

using testing::ElementsAre;

/// Columns 0, 1 = sex, 2 to 4 = city, 5.
Dataset mixed() {
  std::vector<float> values(2 * 6);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  Dataset data = Dataset::from_vector(std::move(values), 2, 6);
  data.names = {"age", "sex=m", "city=a", "city=b", "city=c", "pay"};
  data.groups = {{"sex", 1, 2}, {"city", 2, 5}};
  return data;
}

TEST(Groups, ARankingHasOnePlaceForEach) {
  const Dataset data = mixed();
  EXPECT_THAT(data.ranked(), ElementsAre(0, 1, 2, 5));
  EXPECT_EQ(data.ranked_count(), 4u);
  EXPECT_EQ(data.ranked_name(2), "city");
  EXPECT_EQ(data.ranked_name(1), "sex");
  EXPECT_EQ(data.ranked_name(5), "pay");
  EXPECT_EQ(data.name(2), "city=a");
  const std::uint32_t chosen[] = {5, 2, 0};
  EXPECT_THAT(data.columns_of(chosen), ElementsAre(5, 2, 3, 4, 0));
}

TEST(Groups, WithoutGroupsEveryColumnIsAFeature) {
  Dataset data = mixed();
  data.groups.clear();
  EXPECT_THAT(data.ranked(), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_EQ(data.ranked_count(), 6u);
  EXPECT_EQ(data.ranked_name(2), "city=a");
}

TEST(Groups, StayWhileTheirColumnsStaySideBySide) {
  const Dataset data = mixed();
  const std::uint32_t rows[] = {1};
  EXPECT_EQ(copy_rows(data, rows).ranked_count(), 4u);
  const std::uint32_t moved[] = {2, 3, 4, 0};
  const Dataset whole = copy_columns(data, moved);
  ASSERT_EQ(whole.groups.size(), 1u);
  EXPECT_EQ(whole.groups[0].name, "city");
  EXPECT_EQ(whole.groups[0].begin, 0u);
  EXPECT_EQ(whole.groups[0].end, 3u);
  const std::uint32_t torn[] = {0, 2, 4};
  EXPECT_TRUE(copy_columns(data, torn).groups.empty());
  const std::uint32_t cut[] = {0, 2, 3};
  EXPECT_TRUE(copy_columns(data, cut).groups.empty());
}

}  // namespace
}  // namespace quickselection
