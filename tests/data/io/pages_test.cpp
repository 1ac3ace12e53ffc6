// tests/data/io/pages_test.cpp
#include "data/io/pages.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <vector>

#include "data/formats/write.h"
#include "support/sample_data.h"
#include "support/temp_folder.h"

namespace quickselection {
namespace {

constexpr std::size_t kRows = 2000, kFeatures = 1024;  // a page a row, 8 MB

/// A file of kRows x kFeatures floats, mapped.
Dataset mapped_rows(const TempFolder& folder) {
  const std::string path = folder / "rows.npy";
  write_dataset(path, whole_data<float>(kRows, kFeatures));
  return read(path);
}

double touch(const Dataset& data) {
  double sum = 0;
  for (std::size_t r = 0; r < data.rows(); ++r)
    for (std::size_t f = 0; f < data.features(); f += 500) sum += data.at(r, f);
  return sum;
}

/// Whether the page in which a row begins counts as memory of this process: a mapping reads back
/// in any case, and the system may keep the page for others.
bool is_resident(const Dataset& data, std::size_t row) {
  const int file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  const auto page = reinterpret_cast<std::uintptr_t>(data.values().row(row)) /
                    static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  std::uint64_t entry = 0;
  EXPECT_EQ(pread(file, &entry, sizeof entry, static_cast<off_t>(page * sizeof entry)),
            static_cast<ssize_t>(sizeof entry));
  close(file);
  return entry >> 63 != 0;
}

std::size_t count_resident(const Dataset& data, std::size_t begin, std::size_t end) {
  std::size_t count = 0;
  for (std::size_t r = begin; r < end; ++r) count += is_resident(data, r);
  return count;
}

TEST(Pages, ReleasedRowsAreNoLongerResidentAndCanBeReadAgain) {
  const TempFolder folder;
  const Dataset data = mapped_rows(folder);
  ASSERT_EQ(data.backing(), Backing::file);
  const double sum = touch(data);
  ASSERT_EQ(count_resident(data, 0, kRows), kRows);
  release_rows(data, 0, kRows);
  // The first page also holds the header of the file.
  EXPECT_EQ(count_resident(data, 1, kRows), 0u);
  want_rows(data, 0, kRows);
  EXPECT_EQ(touch(data), sum);
}

TEST(Pages, OtherRowsStayResident) {
  const TempFolder folder;
  const Dataset data = mapped_rows(folder);
  touch(data);
  release_rows(data, 500, 600);
  EXPECT_EQ(count_resident(data, 500, 600), 0u);
  constexpr std::size_t kAround = 17;  // rows in the 64 KB that a read brings in with a page
  EXPECT_EQ(count_resident(data, 0, 500 - kAround), 500 - kAround);
  EXPECT_EQ(count_resident(data, 600 + kAround, kRows), kRows - 600 - kAround);
}

TEST(Pages, DataInMemoryIsLeftAlone) {
  const Dataset data = whole_data<float>(5000, 100);
  const double sum = touch(data);
  ASSERT_NE(sum, 0);
  release_rows(data, 0, data.rows());  // would make zeros of it
  want_rows(data, 0, data.rows());
  EXPECT_EQ(touch(data), sum);
}

}  // namespace
}  // namespace quickselection
