// tests/data/scaled_rows_test.cpp
#include "data/scaled_rows.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/aligned.h"
#include "kernels/tile.h"
#include "support/sample_data.h"

namespace quickselection {
namespace {

template <class T>
class ScaledRowsOf : public testing::Test {};
using Types = testing::Types<std::uint8_t, std::int16_t, std::int32_t, float, double>;
TYPED_TEST_SUITE(ScaledRowsOf, Types);

TYPED_TEST(ScaledRowsOf, AreTheBitsOfATrainingTile) {
  const Dataset data = whole_data<TypeParam>(16, 19);
  Team team(1);
  for (const ScaleMode mode :
       {ScaleMode::standard, ScaleMode::minmax, ScaleMode::center, ScaleMode::log, ScaleMode::none})
    for (const float clip : {0.0f, 0.7f}) {
      const Scaler scaler = fit_scaler(data, mode, clip, team);
      std::vector<std::uint32_t> ids;
      for (std::uint32_t r = 0; r < 16; ++r) ids.push_back(r);
      AlignedArray<float> tile(19 * 16);
      kernels::TileJob job;
      job.values = data.values().data;
      job.row_bytes = data.values().row_bytes;
      job.features = 19;
      job.type = data.type();
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
