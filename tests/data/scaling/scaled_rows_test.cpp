// tests/data/scaling/scaled_rows_test.cpp
#include "data/scaling/scaled_rows.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/aligned.h"
#include "data/scaling/stored_rows.h"
#include "kernels/tile.h"
#include "support/sample_data.h"

namespace quickselection {
namespace {

/// One value in three is stored; the first row has none.
template <class T>
Dataset sparse_data(std::size_t rows, std::size_t features) {
  std::vector<std::uint64_t> offsets = {0, 0};
  std::vector<std::uint32_t> columns;
  std::vector<T> values;
  for (std::uint32_t r = 1; r < rows; ++r) {
    for (std::uint32_t f = 0; f < features; ++f)
      if ((r * 7 + f * 5) % 3 == 0) {
        columns.push_back(f);
        values.push_back(static_cast<T>(1 + (r * 31 + f * 17) % 90));
      }
    offsets.push_back(columns.size());
  }
  return Dataset::from_csr(offsets, columns, values, features);
}

template <class T>
class ScaledRowsOf : public testing::Test {};
using Types = testing::Types<std::uint8_t, std::int16_t, std::int32_t, float, double>;
TYPED_TEST_SUITE(ScaledRowsOf, Types);

TYPED_TEST(ScaledRowsOf, AreTheBitsOfATrainingTile) {
  Team team(1);
  for (const bool sparse : {false, true})
    for (const ScaleMode mode : {ScaleMode::standard, ScaleMode::minmax, ScaleMode::center,
                                 ScaleMode::log, ScaleMode::deviation, ScaleMode::none})
      for (const float clip : {0.0f, 0.7f}) {
        const Dataset data =
            sparse ? sparse_data<TypeParam>(16, 19) : whole_data<TypeParam>(16, 19);
        const Scaler scaler = fit_scaler(data, mode, clip, team);
        std::vector<std::uint32_t> ids;
        for (std::uint32_t r = 0; r < 16; ++r) ids.push_back(r);
        AlignedArray<float> tile(19 * 16);
        kernels::TileJob job;
        job.from = stored_rows(data);
        job.row_ids = ids.data();
        job.samples = job.stride = 16;
        job.scaling = scaler.view();
        job.clean = tile.data();
        kernels::fill_tile(job, 0, 19);
        const ScaledRows rows(data, scaler);
        std::vector<float> row(19), part(5);
        for (std::size_t r = 0; r < 16; ++r) {
          rows.read(r, row.data());
          for (std::size_t f = 0; f < 19; ++f) EXPECT_EQ(row[f], tile[f * 16 + r]);
          rows.read(r, {7, 12}, part.data());
          EXPECT_TRUE(std::equal(part.begin(), part.end(), row.begin() + 7));
        }
      }
}

}  // namespace
}  // namespace quickselection
