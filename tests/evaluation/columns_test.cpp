// tests/evaluation/columns_test.cpp
#include "evaluation/columns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "quickselection/error.h"

namespace quickselection {
namespace {

template <class T>
class ColumnsOfType : public ::testing::Test {};
using Types =
    ::testing::Types<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, std::uint32_t,
                     std::int32_t, std::uint64_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(ColumnsOfType, Types);

TYPED_TEST(ColumnsOfType, GathersRowsAndColumnsInTheOrderGiven) {
  std::vector<TypeParam> values;
  for (int i = 0; i < 600 * 4; ++i) values.push_back(static_cast<TypeParam>(i % 100));
  const Dataset data = Dataset::from_vector(values, 600, 4);
  std::vector<std::uint32_t> rows;
  for (std::uint32_t r = 600; r-- > 1;) rows.push_back(r);
  const std::vector<std::uint32_t> columns{3, 0, 3};
  Team team(2);
  const auto by_row = gather({&data, rows}, columns, team);
  const auto by_column = gather_columns({&data, rows}, columns, team);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < columns.size(); ++j) {
      EXPECT_EQ(by_row[i * 3 + j], data.at(rows[i], columns[j]));
      EXPECT_EQ(by_column[j * rows.size() + i], data.at(rows[i], columns[j]));
    }
}

TEST(Columns, OfSparseDataHaveTheirZeros) {
  const Dataset sparse = Dataset::from_csr<float>({0, 2, 2, 3}, {0, 2, 1}, {1, 2, 3}, 3);
  const Dataset dense = Dataset::from_vector<float>({1, 0, 2, 0, 0, 0, 0, 3, 0}, 3, 3);
  Team team(2);
  const std::vector<std::uint32_t> rows{2, 0, 1, 0}, columns{2, 1, 0};
  EXPECT_EQ(gather({&sparse, rows}, columns, team), gather({&dense, rows}, columns, team));
  const Scaler scaler = fit_scaler(sparse, rows, ScaleMode::minmax, 0, team);
  EXPECT_EQ(gather_columns({&sparse, rows, &scaler}, columns, team),
            gather_columns({&dense, rows, &scaler}, columns, team));
}

TEST(Columns, AreScaledWhenAsked) {
  const Dataset data = Dataset::from_vector<float>({1, 10, 3, 30, 5, 20}, 3, 2);
  Team team(1);
  const std::vector<std::uint32_t> train{0, 1}, all{0, 1, 2}, columns{1, 0};
  const Scaler scaler = fit_scaler(data, train, ScaleMode::minmax, 0, team);
  EXPECT_EQ(gather({&data, all, &scaler}, columns, team),
            (std::vector<float>{0, 0, 1, 1, 0.5, 2}));  // row 2 does not count in the fit
}

/// Row r holds a value in every column of which r is a multiple, so rows are short and long.
template <class T>
std::pair<Dataset, Dataset> dense_and_sparse(std::size_t rows, std::size_t features) {
  std::vector<T> dense(rows * features), stored;
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> columns;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < features; ++c) {
      if (r % (c + 1) != 0) continue;
      const auto value = static_cast<T>((r * 7 + c * 3) % 50);  // sometimes a stored 0
      dense[r * features + c] = value;
      columns.push_back(static_cast<std::uint32_t>(c));
      stored.push_back(value);
    }
    offsets.push_back(columns.size());
  }
  return {Dataset::from_vector(dense, rows, features),
          Dataset::from_csr(offsets, columns, stored, features)};
}

TYPED_TEST(ColumnsOfType, AreTheSameFromSparseAndDenseData) {
  const auto [dense, sparse] = dense_and_sparse<TypeParam>(500, 90);
  std::vector<std::uint32_t> rows = iota(500);
  std::reverse(rows.begin(), rows.end());
  Team team(2);
  for (const auto mode : {ScaleMode::none, ScaleMode::standard, ScaleMode::log}) {
    const Scaler scaler = fit_scaler(dense, rows, mode, 0, team);
    for (const std::vector<std::uint32_t>& columns :
         {iota(90), std::vector<std::uint32_t>{40}, {89, 0, 3}, {7, 5, 7}, {}}) {
      EXPECT_EQ(gather({&sparse, rows, &scaler}, columns, team),
                gather({&dense, rows, &scaler}, columns, team));
      EXPECT_EQ(gather_columns({&sparse, rows}, columns, team),
                gather_columns({&dense, rows}, columns, team));
    }
  }
  // Rows from the middle: their offsets do not begin at 0.
  const Dataset sparse_part = sparse.slice_rows(100, 200), dense_part = dense.slice_rows(100, 200);
  const auto part = iota(100);
  EXPECT_EQ(gather({&sparse_part, part}, iota(90), team),
            gather({&dense_part, part}, iota(90), team));
}

TEST(Columns, OfSparseDataRefuseWhatIsNotFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Dataset data = Dataset::from_csr<double>({0, 1, 3}, {1, 0, 2}, {5, 6, nan}, 3);
  const std::vector<std::uint32_t> rows{0, 1};
  Team team(1);
  EXPECT_EQ(gather({&data, rows}, std::vector<std::uint32_t>{0, 1}, team),
            (std::vector<float>{0, 5, 6, 0}));
  EXPECT_THROW(gather({&data, rows}, std::vector<std::uint32_t>{2}, team), Error);
}

TEST(Columns, RefuseWhatIsNotFiniteAndSayWhere) {
  Team team(1);
  const std::vector<std::uint32_t> rows{0, 1}, columns{0, 1};
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(),
                           -std::numeric_limits<double>::infinity(), 1e300}) {
    Dataset data = Dataset::from_vector<double>({1, 2, 3, bad}, 2, 2);
    data.names = {"height", "weight"};
    try {
      gather({&data, rows}, columns, team);
      FAIL() << bad << " was accepted";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("row 1"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("weight"), std::string::npos) << error.what();
      EXPECT_FALSE(error.hint().empty());
    }
    // Columns that are not asked for may hold anything.
    EXPECT_EQ(gather({&data, rows}, std::span(columns).first(1), team), (std::vector<float>{1, 3}));
  }
}

}  // namespace
}  // namespace quickselection
