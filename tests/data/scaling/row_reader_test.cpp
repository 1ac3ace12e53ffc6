// tests/data/scaling/row_reader_test.cpp
#include "data/scaling/row_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/aligned.h"
#include "core/iota.h"
#include "data/scaling/stored_rows.h"
#include "kernels/tile.h"
#include "quickselection/error.h"
#include "support/sample_data.h"

namespace quickselection {
namespace {

template <class T>
class RowReaderOf : public ::testing::Test {};
using ReaderTypes =
    ::testing::Types<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, std::uint32_t,
                     std::int32_t, std::uint64_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(RowReaderOf, ReaderTypes);

TYPED_TEST(RowReaderOf, GathersRowsAndColumnsInTheOrderGiven) {
  std::vector<TypeParam> values;
  for (int i = 0; i < 600 * 4; ++i) values.push_back(static_cast<TypeParam>(i % 100));
  const Dataset data = Dataset::from_vector(values, 600, 4);
  std::vector<std::uint32_t> rows;
  for (std::uint32_t r = 600; r-- > 1;) rows.push_back(r);
  const std::vector<std::uint32_t> columns{3, 0, 2};
  Team team(2);
  const auto by_row = RowReader({&data, rows}, columns).gather(team);
  const auto by_column =
      RowReader({&data, rows}, columns).gather_columns({0, columns.size()}, team);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < columns.size(); ++j) {
      EXPECT_EQ(by_row[i * 3 + j], data.at(rows[i], columns[j]));
      EXPECT_EQ(by_column[j * rows.size() + i], data.at(rows[i], columns[j]));
    }
}

TEST(RowReader, FillsUpTheZerosOfSparseData) {
  const Dataset sparse = Dataset::from_csr<float>({0, 2, 2, 3}, {0, 2, 1}, {1, 2, 3}, 3);
  const Dataset dense = Dataset::from_vector<float>({1, 0, 2, 0, 0, 0, 0, 3, 0}, 3, 3);
  Team team(2);
  const std::vector<std::uint32_t> rows{2, 0, 1, 0}, columns{2, 1, 0};
  EXPECT_EQ(RowReader({&sparse, rows}, columns).gather(team),
            RowReader({&dense, rows}, columns).gather(team));
  const Scaler scaler = fit_scaler(sparse, rows, ScaleMode::minmax, 0, team);
  EXPECT_EQ(RowReader({&sparse, rows, &scaler}, columns).gather_columns({0, columns.size()}, team),
            RowReader({&dense, rows, &scaler}, columns).gather_columns({0, columns.size()}, team));
}

TEST(RowReader, ScalesWhenAsked) {
  const Dataset data = Dataset::from_vector<float>({1, 10, 3, 30, 5, 20}, 3, 2);
  Team team(1);
  const std::vector<std::uint32_t> train{0, 1}, all{0, 1, 2}, columns{1, 0};
  const Scaler scaler = fit_scaler(data, train, ScaleMode::minmax, 0, team);
  EXPECT_EQ(RowReader({&data, all, &scaler}, columns).gather(team),
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

TYPED_TEST(RowReaderOf, GivesTheSameForSparseAndDenseData) {
  const auto [dense, sparse] = dense_and_sparse<TypeParam>(500, 90);
  std::vector<std::uint32_t> rows = iota(500);
  std::reverse(rows.begin(), rows.end());
  Team team(2);
  for (const auto mode : {ScaleMode::none, ScaleMode::standard, ScaleMode::log}) {
    const Scaler scaler = fit_scaler(dense, rows, mode, 0, team);
    for (const std::vector<std::uint32_t>& columns :
         {iota(90), std::vector<std::uint32_t>{40}, {89, 0, 3}, {7, 5, 60}, {}}) {
      EXPECT_EQ(RowReader({&sparse, rows, &scaler}, columns).gather(team),
                RowReader({&dense, rows, &scaler}, columns).gather(team));
      EXPECT_EQ(RowReader({&sparse, rows}, columns).gather_columns({0, columns.size()}, team),
                RowReader({&dense, rows}, columns).gather_columns({0, columns.size()}, team));
    }
  }
  // Rows from the middle: their offsets do not begin at 0.
  const Dataset sparse_part = sparse.slice_rows(100, 200), dense_part = dense.slice_rows(100, 200);
  const auto part = iota(100);
  EXPECT_EQ(RowReader({&sparse_part, part}, iota(90)).gather(team),
            RowReader({&dense_part, part}, iota(90)).gather(team));
}

TYPED_TEST(RowReaderOf, GivesTheBitsOfATrainingTile) {
  Team team(1);
  const auto [dense, sparse] = dense_and_sparse<TypeParam>(16, 19);
  const std::vector<std::uint32_t> rows = iota(16), columns{11, 3, 18, 4};
  for (const Dataset& data : {dense, sparse, whole_data<TypeParam>(16, 19)})
    for (const ScaleMode mode : {ScaleMode::standard, ScaleMode::minmax, ScaleMode::center,
                                 ScaleMode::log, ScaleMode::deviation, ScaleMode::none})
      for (const float clip : {0.0f, 0.7f}) {
        const Scaler scaler = fit_scaler(data, mode, clip, team);
        AlignedArray<float> tile(19 * 16);
        kernels::TileJob job;
        job.from = stored_rows(data);
        job.row_ids = rows.data();
        job.samples = job.stride = 16;
        job.scaling = scaler.view();
        job.clean = tile.data();
        kernels::fill_tile(job, 0, 19);
        const RowReader all({&data, {}, &scaler}), some({&data, rows, &scaler}, columns);
        std::vector<float> row(19), part(19);
        for (std::size_t r = 0; r < 16; ++r) {
          all.read(r, row.data());
          for (std::size_t f = 0; f < 19; ++f) EXPECT_EQ(row[f], tile[f * 16 + r]);
          all.read(r, {7, 12}, part.data());
          EXPECT_TRUE(std::equal(part.begin(), part.begin() + 5, row.begin() + 7));
          some.read(r, {1, 4}, part.data());
          for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(part[j], row[columns[1 + j]]);
        }
      }
}

TEST(RowReader, OfSparseDataRefusesWhatIsNotFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Dataset data = Dataset::from_csr<double>({0, 1, 3}, {1, 0, 2}, {5, 6, nan}, 3);
  const std::vector<std::uint32_t> rows{0, 1};
  Team team(1);
  EXPECT_EQ(RowReader({&data, rows}, std::vector<std::uint32_t>{0, 1}).gather(team),
            (std::vector<float>{0, 5, 6, 0}));
  EXPECT_THROW(RowReader({&data, rows}, std::vector<std::uint32_t>{2}).gather(team), Error);
}

TEST(RowReader, RefusesWhatIsNotFiniteAndSayWhere) {
  Team team(1);
  const std::vector<std::uint32_t> rows{0, 1}, columns{0, 1};
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(),
                           -std::numeric_limits<double>::infinity(), 1e300}) {
    Dataset data = Dataset::from_vector<double>({1, 2, 3, bad}, 2, 2);
    data.names = {"height", "weight"};
    try {
      RowReader({&data, rows}, columns).gather(team);
      FAIL() << bad << " was accepted";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("row 1"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("weight"), std::string::npos) << error.what();
      EXPECT_FALSE(error.hint().empty());
    }
    // Columns that are not asked for may hold anything.
    EXPECT_EQ(RowReader({&data, rows}, std::span(columns).first(1)).gather(team),
              (std::vector<float>{1, 3}));
  }
}

}  // namespace
}  // namespace quickselection
