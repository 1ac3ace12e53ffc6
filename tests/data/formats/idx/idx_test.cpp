// tests/data/formats/idx/idx_test.cpp
#include <cstdlib>

#include "data/data_testing.h"

namespace quickselection {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Idx, ReadsEveryTypePlainAndCompressed) {
  const std::pair<std::string, ValueType> types[] = {
      {"u1", ValueType::u8},  {"i1", ValueType::i8},  {"i2", ValueType::i16},
      {"i4", ValueType::i32}, {"f4", ValueType::f32}, {"f8", ValueType::f64}};
  for (const auto& [kind, type] : types)
    for (const char* ending : {".idx", "-idx3-ubyte.gz"}) {
      const Dataset data = read(fixture(kind + ending));
      ASSERT_EQ(data.rows(), 6u) << kind;
      ASSERT_EQ(data.features(), 20u) << kind;
      ASSERT_EQ(data.type(), type) << kind;
      EXPECT_THAT(data.notes, ElementsAre(HasSubstr("(6, 4, 5)")));
      for (std::size_t r = 0; r < 6; ++r)
        for (std::size_t f = 0; f < 20; ++f)
          ASSERT_EQ(data.at(r, f), matrix_value(r, f, kind == "u1" ? 0 : 25)) << kind;
    }
}

TEST(Idx, TakesLabelsFromAFile) {
  for (const char* name : {"labels-idx1-ubyte", "labels-idx1-ubyte.gz"}) {
    ReadOptions options;
    options.label = fixture(name);
    const Dataset data = read(fixture("u1.idx"), options);
    EXPECT_THAT(data.labels->classes, ElementsAre("1", "3", "4", "5", "9"));
    EXPECT_THAT(data.labels->codes, ElementsAre(1, 0, 2, 0, 3, 4));
  }
}

TEST(Idx, IsFoundByItsContent) {
  const TemporaryFolder folder;
  EXPECT_EQ(read(folder.write("plain", read_bytes(fixture("i2.idx")))).features(), 20u);
  const std::string packed = read_bytes(fixture("i2-idx3-ubyte.gz"));
  EXPECT_EQ(read(folder.write("packed.gz", packed)).features(), 20u);
}

TEST(Idx, ReportsSizesThatLie) {
  const TemporaryFolder folder;
  std::string bytes = read_bytes(fixture("u1.idx"));
  EXPECT_THAT(error_text([&] { read(folder.write("long.idx", bytes + "x")); }),
              AllOf(HasSubstr("too long"), HasSubstr("has 121")));
  for (int i = 4; i < 16; ++i) bytes[static_cast<std::size_t>(i)] = '\xff';
  EXPECT_THAT(error_text([&] { read(folder.write("lie.idx", bytes)); }), HasSubstr("cut short"));
  for (int i = 4; i < 8; ++i) bytes[static_cast<std::size_t>(i)] = '\0';
  EXPECT_THAT(error_text([&] { read(folder.write("none.idx", bytes)); }),
              HasSubstr("holds no values"));
}

TEST(Idx, ReportsTruncationAtEveryByte) {
  expect_truncation_reported(fixture("i2.idx"));
  expect_truncation_reported(fixture("i2-idx3-ubyte.gz"));
}

TEST(Idx, SurvivesFlippedBytes) {
  expect_flips_survived(fixture("i2.idx"), 3000);
  expect_flips_survived(fixture("i2-idx3-ubyte.gz"), 2000);
}

TEST(Idx, ReadsMnist) {
  const char* const folder = std::getenv("QUICKSELECTION_DATA");
  if (folder == nullptr) GTEST_SKIP() << "QUICKSELECTION_DATA is not set";
  const std::string prefix = std::string(folder) + "/mnist/";
  ReadOptions options;
  options.label = prefix + "train-labels-idx1-ubyte.gz";
  const Dataset data = read(prefix + "train-images-idx3-ubyte.gz", options);
  EXPECT_EQ(data.rows(), 60000u);
  EXPECT_EQ(data.features(), 784u);
  EXPECT_EQ(data.type(), ValueType::u8);
  EXPECT_EQ(data.labels->classes.size(), 10u);
}

}  // namespace
}  // namespace quickselection
