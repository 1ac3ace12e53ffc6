// tests/data/io/pages_test.cpp
#include "data/io/pages.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "core/meters.h"
#include "data/formats/write.h"
#include "support/sample_data.h"
#include "support/temp_folder.h"

namespace quickselection {
namespace {

constexpr std::size_t kRows = 20000, kFeatures = 1000;  // 80 MB

/// A file of kRows x kFeatures floats, mapped. Row r begins with r.
Dataset mapped_rows(const TempFolder& folder) {
  std::vector<float> values(kRows * kFeatures);
  for (std::size_t r = 0; r < kRows; ++r) values[r * kFeatures] = static_cast<float>(r);
  const std::string path = folder / "rows.npy";
  std::vector<std::uint32_t> columns(kFeatures);
  std::iota(columns.begin(), columns.end(), 0u);
  write_dataset(path, Dataset::from_vector(std::move(values), kRows, kFeatures), columns);
  return read(path);
}

double touch(const Dataset& data) {
  double sum = 0;
  for (std::size_t r = 0; r < data.rows(); ++r)
    for (std::size_t f = 0; f < data.features(); f += 500) sum += data.at(r, f);
  return sum;
}

TEST(Pages, ReleasedRowsAreNoLongerResidentAndCanBeReadAgain) {
  const TempFolder folder;
  const Dataset data = mapped_rows(folder);
  ASSERT_EQ(data.backing(), Backing::file);
  const double sum = touch(data);
  const std::size_t before = resident_bytes();
  release_rows(data, 0, kRows);
  EXPECT_LT(resident_bytes() + (std::size_t{60} << 20), before);
  want_rows(data, 0, kRows);
  EXPECT_EQ(touch(data), sum);
}

TEST(Pages, DataInMemoryIsLeftAlone) {
  const Dataset data = whole_data<float>(5000, 100);
  const double sum = touch(data);
  release_rows(data, 0, data.rows());
  want_rows(data, 0, data.rows());
  EXPECT_EQ(touch(data), sum);
}

TEST(Pages, NeighboursOfReleasedRowsKeepTheirValues) {
  const TempFolder folder;
  const Dataset data = mapped_rows(folder);
  for (std::size_t r = 0; r + 3 < kRows; r += 97) {
    release_rows(data, r, r + 3);
    EXPECT_EQ(data.at(r, 0), static_cast<double>(r));
    EXPECT_EQ(data.at(r + 3, 0), static_cast<double>(r + 3));
  }
}

}  // namespace
}  // namespace quickselection
