// tests/data/dataset/dataset_test.cpp
#include "quickselection/dataset.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "quickselection/error.h"
#include "support/sample_data.h"

namespace quickselection {
namespace {

using ::testing::HasSubstr;

Dataset small_sparse() {
  // 0 5 0
  // 0 0 0
  // 7 0 9
  return Dataset::from_csr<float>({0, 1, 1, 3}, {1, 0, 2}, {5, 7, 9}, 3);
}

std::string refusal(std::vector<std::uint64_t> offsets, std::vector<std::uint32_t> columns,
                    std::vector<float> values, std::size_t features) {
  try {
    Dataset::from_csr(std::move(offsets), std::move(columns), std::move(values), features);
    return "";
  } catch (const InvalidArgument& error) {
    return error.what();
  }
}

TEST(SparseDataset, ReadsStoredValuesAndZeros) {
  const Dataset data = small_sparse();
  EXPECT_EQ(data.rows(), 3u);
  EXPECT_EQ(data.features(), 3u);
  EXPECT_TRUE(data.is_sparse());
  const double expected[3][3] = {{0, 5, 0}, {0, 0, 0}, {7, 0, 9}};
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t f = 0; f < 3; ++f) EXPECT_EQ(data.at(r, f), expected[r][f]) << r << ' ' << f;
}

TEST(SparseDataset, ASliceSharesTheValues) {
  const Dataset part = small_sparse().slice_rows(1, 3);
  EXPECT_EQ(part.rows(), 2u);
  EXPECT_EQ(part.sparse().stored(), 2u);
  EXPECT_EQ(part.at(0, 1), 0);
  EXPECT_EQ(part.at(1, 0), 7);
  EXPECT_EQ(part.at(1, 2), 9);
}

TEST(SparseDataset, CountsItsBytes) {
  EXPECT_EQ(small_sparse().value_bytes(), 3 * (4 + 4) + 4 * 8);
  EXPECT_EQ(Dataset::from_vector<float>({1, 2}, 1, 2).value_bytes(), 8u);
}

TEST(SparseDataset, RefusesWhatIsNotCsr) {
  EXPECT_THAT(refusal({0, 2}, {1, 1}, {5, 6}, 3), HasSubstr("columns must ascend"));
  EXPECT_THAT(refusal({0, 2}, {2, 1}, {5, 6}, 3), HasSubstr("column 1 follows column 2"));
  EXPECT_THAT(refusal({0, 1}, {3}, {5}, 3), HasSubstr("column 3, but there are 3 columns"));
  EXPECT_THAT(refusal({0, 2, 1, 2}, {0, 1}, {5, 6}, 3), HasSubstr("must ascend"));
  EXPECT_THAT(refusal({0, 1}, {0, 1}, {5, 6}, 3), HasSubstr("do not make a sparse matrix"));
  EXPECT_THAT(refusal({1, 2}, {0, 1}, {5, 6}, 3), HasSubstr("do not make a sparse matrix"));
  EXPECT_THAT(refusal({}, {}, {}, 3), HasSubstr("do not make a sparse matrix"));
  EXPECT_EQ(refusal({0}, {}, {}, 3), "");
}

TEST(SparseDataset, DenseAndSparseValuesAreNotMistakenForEachOther) {
  EXPECT_THROW(small_sparse().values(), InvalidArgument);
  EXPECT_THROW(Dataset::from_vector<float>({1}, 1, 1).sparse(), InvalidArgument);
}

}  // namespace
}  // namespace quickselection
