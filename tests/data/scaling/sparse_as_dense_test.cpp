// tests/data/scaling/sparse_as_dense_test.cpp: sparse data and the same data stored dense give the
// same bits.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "core/aligned.h"
#include "data/scaling/column_statistics.h"
#include "data/scaling/scaler.h"
#include "data/scaling/stored_rows.h"
#include "kernels/dispatch.h"
#include "quickselection/error.h"
#include "support/sample_data.h"

namespace quickselection {
namespace {

constexpr std::size_t kRows = 53, kFeatures = 45;
constexpr ScaleMode kModes[] = {ScaleMode::standard, ScaleMode::minmax,    ScaleMode::center,
                                ScaleMode::log,      ScaleMode::deviation, ScaleMode::none};

template <class T>
class SparseAsDense : public ::testing::Test {};
using Types =
    ::testing::Types<std::uint8_t, std::int16_t, std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(SparseAsDense, Types);

template <class T>
void expect_same_bits(const std::vector<T>& a, const std::vector<T>& b, const char* what) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(T)), 0) << what;
}

TYPED_TEST(SparseAsDense, StatisticsHaveTheSameBits) {
  const Dataset dense = count_data<TypeParam>(kRows, kFeatures);
  const Dataset sparse = to_sparse<TypeParam>(dense);
  const std::vector<std::uint32_t> some = {7, 3, 50, 4, 9};  // row 4 is empty
  for (const int threads : {1, 3})
    for (const bool log : {false, true})
      for (const auto& rows : {std::vector<std::uint32_t>{}, some}) {
        Team team(threads);
        const std::vector<double> unit(log ? kFeatures : 0, 2.5);
        const ColumnStatistics a = column_statistics(dense, rows, unit, team);
        const ColumnStatistics b = column_statistics(sparse, rows, unit, team);
        expect_same_bits(a.mean, b.mean, "mean");
        expect_same_bits(a.variance, b.variance, "variance");
        EXPECT_EQ(a.least, b.least);
        EXPECT_EQ(a.most, b.most);
      }
}

TYPED_TEST(SparseAsDense, TilesHaveTheSameBits) {
  const Dataset dense = count_data<TypeParam>(kRows, kFeatures);
  const Dataset sparse = to_sparse<TypeParam>(dense);
  const std::vector<std::uint32_t> rows = {52, 4, 0, 17, 17, 30, 9};
  Team team(1);
  for (const std::string& level : kernels::available_levels()) {
    kernels::force_level(level);
    const std::size_t stride =
        (rows.size() + kernels::lanes() - 1) / kernels::lanes() * kernels::lanes();
    for (const ScaleMode mode : kModes)
      for (const float clip : {0.0f, 0.5f})
        for (const std::size_t begin : {std::size_t{0}, kernels::kTileBlock}) {
          const Scaler scaler = fit_scaler(dense, mode, clip, team);
          AlignedArray<float> tiles[4];
          for (auto& tile : tiles) tile = AlignedArray<float>(kFeatures * stride);
          const auto fill = [&](const Dataset& data, float* clean, float* noisy) {
            kernels::fill_tile({stored_rows(data),
                                rows.data(),
                                rows.size(),
                                stride,
                                scaler.view(),
                                {0.2f, 5, 1},
                                clean,
                                noisy},
                               begin, kFeatures);
          };
          fill(dense, tiles[0].data(), tiles[1].data());
          fill(sparse, tiles[2].data(), tiles[3].data());
          const std::size_t first = begin * stride, bytes = (kFeatures * stride - first) * 4;
          EXPECT_EQ(std::memcmp(tiles[0].data() + first, tiles[2].data() + first, bytes), 0);
          EXPECT_EQ(std::memcmp(tiles[1].data() + first, tiles[3].data() + first, bytes), 0);
        }
  }
  kernels::force_level("");
}

TEST(SparseScaling, DeviationKeepsZerosAtZero) {
  const Dataset sparse = to_sparse<float>(count_data<float>(kRows, kFeatures));
  Team team(1);
  const Scaler scaler = fit_scaler(sparse, ScaleMode::deviation, 0, team);
  for (const double mean : scaler.mean) EXPECT_EQ(mean, 0);
}

TEST(SparseScaling, StoredNotANumberIsRefusedWithItsPlace) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Dataset data = Dataset::from_csr<float>({0, 1, 2, 4}, {1, 0, 0, 2}, {5, 6, 7, nan}, 3);
  Team team(2);
  try {
    fit_scaler(data, ScaleMode::deviation, 0, team);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("row 2 (counted from 0), feature 2"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace quickselection
