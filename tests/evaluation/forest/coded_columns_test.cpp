// tests/evaluation/forest/coded_columns_test.cpp
#include "evaluation/forest/coded_columns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/iota.h"
#include "kernels/random/random.h"

namespace quickselection {
namespace {

void expect_faithful(const std::vector<float>& values, int code_bytes) {
  const CodedColumn column = code_column(values);
  EXPECT_EQ(column.code_bytes, code_bytes);
  EXPECT_TRUE(std::is_sorted(column.values.begin(), column.values.end()));
  EXPECT_EQ(std::adjacent_find(column.values.begin(), column.values.end()), column.values.end());
  visit_codes(column, [&](const auto* codes) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_LT(codes[i], column.values.size());
      ASSERT_EQ(column.values[codes[i]], values[i]) << "row " << i;
    }
  });
}

TEST(CodedColumns, GiveTheValuesBackWithTheFewestBytes) {
  kernels::RandomStream random(1, kernels::Purpose::evaluation);
  std::vector<float> few, some, many;
  for (int i = 0; i < 70000; ++i) {
    few.push_back(static_cast<float>(random.below(256)) - 128.0f);
    some.push_back(static_cast<float>(random.below(300)) / 7.0f);
    many.push_back(static_cast<float>(i % 2 == 0 ? i : -i) * 1e-30f);
  }
  expect_faithful(few, 1);
  expect_faithful(some, 2);
  expect_faithful(many, 4);
}

TEST(CodedColumns, KeepTheOrderAcrossSignsAndSizes) {
  expect_faithful({3e38f, -3e38f, 1e-45f, -1e-45f, 0.0f, 1.0f, -1.0f, 1.0000001f}, 1);
}

TEST(CodedColumns, TreatBothZerosAsOneValue) {
  const CodedColumn column = code_column(std::vector<float>{0.0f, -0.0f, 0.0f});
  EXPECT_EQ(column.values.size(), 1u);
}

TEST(CodedColumns, TakeOneRowAndAConstant) {
  expect_faithful({5.0f}, 1);
  expect_faithful({2.5f, 2.5f, 2.5f}, 1);
}

TEST(CodedColumns, CodeWideTablesColumnByColumn) {
  constexpr std::size_t kRows = 5, kColumns = 150;  // more than are gathered at once
  std::vector<std::int16_t> values;
  for (std::size_t i = 0; i < kRows * kColumns; ++i)
    values.push_back(static_cast<std::int16_t>(i * 7919 % 101));
  const Dataset data = Dataset::from_vector(values, kRows, kColumns);
  Team team(2);
  const auto rows = iota(kRows), columns = iota(kColumns);
  const CodedColumns table = code_columns({{&data, rows}, columns}, team);
  ASSERT_EQ(table.columns.size(), kColumns);
  for (std::size_t c = 0; c < kColumns; ++c)
    for (std::size_t r = 0; r < kRows; ++r)
      EXPECT_EQ(table.columns[c].values[table.columns[c].as<std::uint8_t>()[r]], data.at(r, c));
}

}  // namespace
}  // namespace quickselection
