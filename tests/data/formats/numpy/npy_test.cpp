// tests/data/formats/numpy/npy_test.cpp
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "data/data_testing.h"
#include "data/formats/numpy/npy_header.h"

namespace quickselection {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Npy, ReadsEveryTypeOrderAndByteOrder) {
  const std::pair<const char*, ValueType> types[] = {
      {"b1", ValueType::u8},  {"u1", ValueType::u8},  {"i1", ValueType::i8},
      {"u2", ValueType::u16}, {"i2", ValueType::i16}, {"u4", ValueType::u32},
      {"i4", ValueType::i32}, {"u8", ValueType::u64}, {"i8", ValueType::i64},
      {"f2", ValueType::f32}, {"f4", ValueType::f32}, {"f8", ValueType::f64}};
  for (const auto& [kind, type] : types)
    for (const char* endian : {"little", "big"})
      for (const char* order : {"C", "F"}) {
        const std::string name = std::string(kind) + "_" + endian + "_" + order + ".npy";
        const Dataset data = read(fixture(name));
        ASSERT_EQ(data.rows(), 70u) << name;
        ASSERT_EQ(data.features(), 67u) << name;
        ASSERT_EQ(data.type(), type) << name;
        const bool is_signed = kind[0] == 'i' || kind[0] == 'f';
        for (std::size_t r = 0; r < 70; ++r)
          for (std::size_t f = 0; f < 67; ++f) {
            double want = matrix_value(r, f, is_signed ? 25 : 0);
            if (kind[0] == 'b') want = std::fmod(want, 2);
            if (kind[0] == 'f') want /= 4;
            ASSERT_EQ(data.at(r, f), want) << name << " " << r << " " << f;
          }
      }
}

TEST(Npy, ReadsAllVersions) {
  for (const char* name : {"version1.npy", "version2.npy", "version3.npy"}) {
    const Dataset data = read(fixture(name));
    EXPECT_EQ(data.rows(), 5u) << name;
    EXPECT_EQ(data.at(4, 3), matrix_value(4, 3)) << name;
  }
}

TEST(Npy, ReadsHalves) {
  const Dataset data = read(fixture("halves.npy"));
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double want[] = {0, -0.0, 1, -2, 65504, 0x1p-24, 0x3ffp-24, kInfinity, -kInfinity};
  for (std::size_t r = 0; r < 9; ++r) EXPECT_EQ(data.at(r, 0), want[r]) << r;
  EXPECT_TRUE(std::signbit(data.at(1, 0)));
  EXPECT_TRUE(std::isnan(data.at(9, 0)));
}

TEST(Npy, TakesOneDimensionAsOneColumn) {
  const Dataset data = read(fixture("one_d.npy"));
  EXPECT_EQ(data.rows(), 6u);
  EXPECT_EQ(data.features(), 1u);
  EXPECT_EQ(data.at(5, 0), 5);
}

TEST(Npy, FlattensImagesAndSaysSo) {
  for (const char* name : {"images_C.npy", "images_F.npy"}) {
    const Dataset data = read(fixture(name));
    ASSERT_EQ(data.rows(), 4u);
    ASSERT_EQ(data.features(), 15u);
    EXPECT_THAT(data.notes, ElementsAre(HasSubstr("4 rows of 15 features")));
    for (std::size_t r = 0; r < 4; ++r)
      for (std::size_t f = 0; f < 15; ++f) ASSERT_EQ(data.at(r, f), 15.0 * r + f) << name;
  }
}

TEST(Npy, TakesAColumnAsLabels) {
  ReadOptions options;
  for (const char* column : {"0", "2", "-1"}) {
    options.label = column;
    const Dataset data = read(fixture("version1.npy"), options);
    const std::size_t taken = *column == '-' ? 3 : static_cast<std::size_t>(*column - '0');
    ASSERT_EQ(data.features(), 3u);
    for (std::size_t r = 0; r < 5; ++r) {
      const auto code = static_cast<std::size_t>(data.labels->codes[r]);
      EXPECT_EQ(std::stod(data.labels->classes[code]), matrix_value(r, taken));
      for (std::size_t f = 0; f < 3; ++f)
        EXPECT_EQ(data.at(r, f), matrix_value(r, f < taken ? f : f + 1));
    }
  }
  options.label = "4";
  EXPECT_THAT(error_text([&] { read(fixture("version1.npy"), options); }),
              HasSubstr("there are 4 columns"));
}

TEST(Npy, RefusesWhatIsNoMatrixOfNumbers) {
  const auto failure = [](const char* name) { return error_text([&] { read(fixture(name)); }); };
  EXPECT_THAT(failure("zero_d.npy"), HasSubstr("single value"));
  EXPECT_THAT(failure("no_rows.npy"), HasSubstr("holds no values"));
  EXPECT_THAT(failure("complex.npy"), HasSubstr("c16"));
  EXPECT_THAT(failure("records.npy"), HasSubstr("structured"));
}

TEST(Npy, ReportsTruncationAtEveryByte) {
  TemporaryFolder folder;
  const std::string whole = read_bytes(fixture("version1.npy"));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const std::string path = folder.write("cut.npy", whole.substr(0, length));
    EXPECT_THAT(error_text([&] { read(path); }), HasSubstr("cut.npy")) << length;
  }
}

TEST(Npy, ReportsShapesThatLie) {
  TemporaryFolder folder;
  const std::string dict[] = {
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000, 1000000000), }",
      "{'descr': '<f4', 'fortran_order': True, 'shape': (18446744073709551615, 8), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 1), }"};
  for (const std::string& text : dict) {
    std::string bytes(kNpyMagic);
    bytes += {'\x01', '\x00', static_cast<char>(text.size()), '\x00'};
    const std::string path = folder.write("lie.npy", bytes + text + "12345678");
    EXPECT_THAT(error_text([&] { read(path); }), HasSubstr("cut short")) << text;
  }
}

TEST(Npy, CopiesValuesThatAreNotAligned) {
  TemporaryFolder folder;
  std::string text = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }";
  while ((text.size() + 10) % 4 != 1) text += ' ';
  std::string bytes(kNpyMagic);
  bytes += {'\x01', '\x00', static_cast<char>(text.size()), '\x00'};
  bytes += text;
  const float values[] = {1.5f, -2.5f};
  bytes.append(reinterpret_cast<const char*>(values), sizeof values);
  const Dataset data = read(folder.write("odd.npy", bytes));
  EXPECT_EQ(data.at(0, 0), 1.5);
  EXPECT_EQ(data.at(1, 0), -2.5);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data.values().data) % 4, 0u);
}

TEST(Npy, SurvivesFlippedBytes) {
  TemporaryFolder folder;
  const std::string whole = read_bytes(fixture("version1.npy"));
  std::mt19937 random(1);
  int read_well = 0, refused = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string damaged = whole;
    for (int flips = 0; flips < 3; ++flips)
      damaged[random() % damaged.size()] = static_cast<char>(random());
    const std::string path = folder.write("damaged.npy", damaged);
    const std::string message = error_text([&] {
      const Dataset data = read(path);
      data.at(data.rows() - 1, data.features() - 1);
      ++read_well;
    });
    refused += !message.empty();
  }
  EXPECT_EQ(read_well + refused, 2000);
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace quickselection
