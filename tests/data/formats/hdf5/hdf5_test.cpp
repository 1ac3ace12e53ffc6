// tests/data/formats/hdf5/hdf5_test.cpp: plain HDF5 and AnnData.
#include "data/data_testing.h"

namespace quickselection {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Hdf5, ReadsTheMatrixAndItsLabels) {
  const Dataset data = read(fixture("plain.h5"));
  expect_nine_by_seven(data);
  EXPECT_EQ(data.type(), ValueType::i16);
  EXPECT_THAT(label_texts(data), ElementsAre("b", "a", "c", "b", "a", "c", "b", "a", "c"));
}

TEST(Hdf5, ReadsNamedArrays) {
  const Dataset data = read(fixture("plain.h5"), with_array("group/packed"));
  expect_nine_by_seven(data, 0, 2);
  EXPECT_EQ(data.type(), ValueType::f64);
  const Dataset bools = read(fixture("plain.h5"), with_array("bools"));
  EXPECT_EQ(bools.type(), ValueType::u8);
  EXPECT_EQ(bools.at(0, 1), 1);
  EXPECT_EQ(bools.at(0, 0), 0);
}

TEST(Hdf5, ReadsChunksAndUnicode) {
  const Dataset data = read(fixture("chunks.h5"), with_label("deep/label"));
  expect_nine_by_seven(data);
  EXPECT_EQ(label_texts(data)[0], "\xc3\xa4");
}

TEST(Hdf5, IsFoundByItsContent) {
  const TemporaryFolder folder;
  expect_nine_by_seven(read(folder.write("unnamed", read_bytes(fixture("plain.h5")))));
}

TEST(Hdf5, SaysWhatCannotBeRead) {
  EXPECT_THAT(error_text([] { read(fixture("plain.h5"), with_array("one")); }),
              HasSubstr("single value"));
  EXPECT_THAT(error_text([] { read(fixture("plain.h5"), with_array("Z")); }),
              AllOf(HasSubstr("'Z'"), HasSubstr("group/packed (9 x 7)")));
  const TemporaryFolder folder;
  EXPECT_THAT(error_text([&] { read(folder.write("no.h5", "no HDF5 file")); }),
              HasSubstr("no.h5 is not a readable HDF5 file"));
  EXPECT_THAT(error_text([&] { read(folder.file("absent.h5")); }), HasSubstr("absent.h5"));
}

TEST(Hdf5, ReportsTruncation) { expect_truncation_reported(fixture("single.h5"), {}, 0, 37); }

TEST(Hdf5, SurvivesFlippedBytes) { expect_flips_survived(fixture("single.h5"), 150); }

TEST(H5ad, ReadsDenseValuesAndNames) {
  const Dataset data = read(fixture("dense.h5ad"));
  expect_nine_by_seven(data);
  EXPECT_EQ(data.type(), ValueType::f32);
  EXPECT_EQ(data.names[6], "g\xc3\xa4n6");
  EXPECT_FALSE(data.labels);
  expect_nine_by_seven(read(fixture("dense.h5ad"), with_array("layers/counts")), 0, 2);
}

TEST(H5ad, ReadsSparseValuesByRowsAndByColumns) {
  for (const char* name : {"csr.h5ad", "csc.h5ad"}) {
    const Dataset data = read(fixture(name), with_label("kind"));
    EXPECT_TRUE(data.is_sparse()) << name;
    EXPECT_EQ(data.sparse().stored(), 61u) << name;  // two of the 63 values are zero
    expect_nine_by_seven(data);
    EXPECT_EQ(data.type(), ValueType::f32);
    EXPECT_EQ(data.names[6], "g\xc3\xa4n6");
    EXPECT_EQ(label_texts(data)[2], "c");
  }
}

TEST(H5ad, TakesLabelsFromAColumnOfObs) {
  const std::string path = fixture("dense.h5ad");
  EXPECT_THAT(label_texts(read(path, with_label("kind"))),
              ElementsAre("b", "a", "c", "b", "a", "c", "b", "a", "c"));
  EXPECT_THAT(label_texts(read(path, with_label("batch"))),
              ElementsAre("0", "1", "0", "1", "0", "1", "0", "1", "0"));
  EXPECT_EQ(label_texts(read(path, with_label("text")))[3], "t1");
  EXPECT_THAT(label_texts(read(path, with_label("holes"))),
              ElementsAre("b", "a", "NaN", "b", "a", "NaN", "b", "a", "NaN"));
  EXPECT_THAT(error_text([&] { read(path, with_label("kin")); }), HasSubstr("'kin'"));
}

}  // namespace
}  // namespace quickselection
