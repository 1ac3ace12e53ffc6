// tests/data/formats/write_test.cpp
#include "data/formats/write.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <ctime>
#include <limits>
#include <random>

#include "data/data_testing.h"

namespace quickselection {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Dataset small_data() {
  Dataset data = Dataset::from_vector<float>({1, 2.5f, -3, 4, 5, 0.1f}, 2, 3);
  data.names = {"a", "b,\"c\"", " d"};
  data.labels = make_labels(std::vector<std::string>{"x,1", "y"});
  return data;
}

TEST(Write, CsvKeepsNamesLabelsAndTheOriginalOrder) {
  TemporaryFolder folder;
  const std::string path = folder.file("out.csv");
  const std::uint32_t columns[] = {2, 1};
  write_dataset(path, small_data(), columns);
  EXPECT_EQ(read_bytes(path), "\"b,\"\"c\"\"\",\" d\",label\n2.5,-3,\"x,1\"\n5,0.1,y\n");
  const Dataset back = read(path);
  EXPECT_THAT(back.names, ElementsAre("b,\"c\"", " d"));
  EXPECT_EQ(back.at(1, 1), static_cast<double>(0.1f));
  EXPECT_THAT(back.labels->classes, ElementsAre("x,1", "y"));
}

TEST(Write, TsvHasTabs) {
  TemporaryFolder folder;
  write_dataset(folder.file("out.tsv"), small_data());
  EXPECT_THAT(read_bytes(folder.file("out.tsv")), HasSubstr("1\t2.5\t-3\tx,1\n"));
}

TEST(Write, CsvOfUnnamedColumnsSaysWhichTheyWere) {
  TemporaryFolder folder;
  const std::string path = folder.file("out.csv");
  const std::uint32_t columns[] = {0, 2};
  write_dataset(path, Dataset::from_vector<std::uint8_t>({1, 2, 3}, 1, 3), columns);
  EXPECT_EQ(read_bytes(path), "x0,x2\n1,3\n");
  Dataset numbered = Dataset::from_vector<std::uint8_t>({1, 2}, 1, 2);
  numbered.names = {"10", "20"};
  write_dataset(path, numbered);
  EXPECT_EQ(read(path).rows(), 1u);
}

TEST(Write, EveryTypeReadsBackBitForBit) {
  TemporaryFolder folder;
  for (int t = 0; t < 10; ++t) {
    const auto type = static_cast<ValueType>(t);
    visit_type(type, [&]<class T>() {
      std::vector<T> values;
      std::mt19937_64 random(7);
      for (int i = 0; i < 3 * 50; ++i)
        values.push_back(std::is_floating_point_v<T>
                             ? static_cast<T>(std::ldexp(static_cast<double>(random()), -64))
                             : static_cast<T>(random()));
      const Dataset data = Dataset::from_vector(values, 50, 3);
      write_dataset(folder.file("x.npy"), data);
      const Dataset npy = read(folder.file("x.npy"));
      ASSERT_EQ(npy.type(), type);
      write_dataset(folder.file("x.csv"), data);
      const Dataset csv = read(folder.file("x.csv"));
      for (std::size_t r = 0; r < 50; ++r)
        for (std::size_t f = 0; f < 3; ++f) {
          ASSERT_EQ(npy.at(r, f), data.at(r, f));
          if (size_of(type) <= 2 || type == ValueType::i32 || type == ValueType::f32) {
            ASSERT_EQ(csv.at(r, f), data.at(r, f)) << name_of(type);
          }
        }
    });
  }
}

TEST(Write, CsvKeepsValuesThatAreNotFinite) {
  TemporaryFolder folder;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  write_dataset(folder.file("x.csv"),
                Dataset::from_vector<float>({kInfinity, -kInfinity, std::nanf(""), 1}, 1, 4));
  const Dataset back = read(folder.file("x.csv"));
  EXPECT_EQ(back.at(0, 0), kInfinity);
  EXPECT_EQ(back.at(0, 1), -kInfinity);
  EXPECT_TRUE(std::isnan(back.at(0, 2)));
}

TEST(Write, SaysBeforehandWhatCannotBeWritten) {
  TemporaryFolder folder;
  const auto failure = [&](const std::string& name) {
    return error_text([&] { check_dataset_writable(folder.file(name)); });
  };
  EXPECT_THAT(failure("x.doc"), HasSubstr(".csv"));
  EXPECT_THAT(failure("missing/x.npy"), HasSubstr("cannot write"));
  check_dataset_writable(folder.file("x.npy"));
  EXPECT_FALSE(std::filesystem::exists(folder.file("x.npy")));
}

TEST(Write, RefusesBadColumnsAndEndings) {
  TemporaryFolder folder;
  const Dataset data = small_data();
  const auto failure = [&](const std::string& name, std::vector<std::uint32_t> columns) {
    return error_text([&] { write_dataset(folder.file(name), data, columns); });
  };
  EXPECT_THAT(failure("x.csv", {3}), HasSubstr("column 3"));
  EXPECT_THAT(failure("x.csv", {1, 0, 1}), HasSubstr("column 1 is given twice"));
  EXPECT_THAT(failure("x.csv", {}), HasSubstr("no columns"));
  EXPECT_THAT(failure("x.doc", {0}), HasSubstr(".csv"));
  EXPECT_THAT(failure("missing/x.npy", {0}), HasSubstr("cannot write"));
  EXPECT_FALSE(std::filesystem::exists(folder.file("x.csv")));
}

/// Names with every kind of letter, labels that are texts or numbers.
Dataset rich(bool sparse, bool text_labels) {
  Dataset data = sparse ? Dataset::from_csr<float>({0, 2, 2, 3, 5}, {0, 2, 3, 1, 3},
                                                   {1.5f, -2, 0.1f, 7, 1e-30f}, 4)
                        : Dataset::from_vector<float>({1.5f, 0, -2, 0, 0, 0, 0, 0,  //
                                                       0, 0, 0, 0.1f, 0, 7, 0, 1e-30f},
                                                      4, 4);
  data.names = {"plain", "g\xc3\xa4n", "a b", "\xe2\x82\xac 5"};
  data.labels = text_labels ? make_labels(std::vector<std::string>{"b", "\xc3\x9f", "b", "a"})
                            : make_labels(std::vector<std::string>{"2", "10", "2", "-1"});
  return data;
}

TEST(Write, EveryFormatKeepsValuesNamesAndLabels) {
  TemporaryFolder folder;
  for (const char* ending : {"csv", "tsv", "npz", "mat", "h5ad", "svm"})
    for (const bool sparse : {false, true})
      for (const bool text_labels : {false, true}) {
        SCOPED_TRACE(std::string(ending) + (sparse ? " sparse" : " dense"));
        const std::string path = folder.file(std::string("out.") + ending);
        const Dataset data = rich(sparse, text_labels);
        write_dataset(path, data);
        const Dataset back = read(path);
        ASSERT_EQ(back.rows(), 4u);
        ASSERT_EQ(back.features(), 4u);
        for (std::size_t r = 0; r < 4; ++r)
          for (std::size_t f = 0; f < 4; ++f) EXPECT_EQ(back.at(r, f), data.at(r, f)) << r << f;
        EXPECT_EQ(back.type(), ValueType::f32);
        EXPECT_EQ(back.names, data.names);
        const bool stays_sparse = sparse || std::string_view(ending) == "svm";
        EXPECT_EQ(back.is_sparse(), stays_sparse && ending[1] != 's');
        ASSERT_TRUE(back.labels);
        if (text_labels && std::string_view(ending) == "svm")
          EXPECT_THAT(label_texts(back), ElementsAre("1", "2", "1", "0"));
        else
          EXPECT_EQ(label_texts(back), label_texts(data));

        const std::uint32_t columns[] = {1, 3};
        write_dataset(path, data, columns);
        const Dataset part = read(path);
        ASSERT_EQ(part.features(), 2u);
        for (std::size_t r = 0; r < 4; ++r)
          for (std::size_t f = 0; f < 2; ++f) EXPECT_EQ(part.at(r, f), data.at(r, columns[f]));
        EXPECT_THAT(part.names, ElementsAre(data.names[1], data.names[3]));
      }
}

TEST(Write, EveryTypeComesBack) {
  TemporaryFolder folder;
  for (const char* ending : {"npy", "npz", "mat", "h5ad"})
    for (const bool sparse : {false, true})
      for (int t = 0; t < 10; ++t)
        visit_type(static_cast<ValueType>(t), [&]<class T>() {
          SCOPED_TRACE(fmt::format("{} {} {}", ending, sparse, name_of(value_type_of<T>())));
          const T low = std::numeric_limits<T>::lowest(), high = std::numeric_limits<T>::max();
          const Dataset data =
              sparse ? Dataset::from_csr<T>({0, 1, 2, 3}, {1, 0, 1}, {low, high, T{3}}, 2)
                     : Dataset::from_vector<T>({0, low, high, 0, 0, 3}, 3, 2);
          const std::string path = folder.file(std::string("types.") + ending);
          write_dataset(path, data);
          const Dataset back = read(path, with_label("none"));
          EXPECT_EQ(back.type(), data.type());
          ASSERT_EQ(back.rows(), 3u);
          for (std::size_t r = 0; r < 3; ++r)
            for (std::size_t f = 0; f < 2; ++f) EXPECT_EQ(back.at(r, f), data.at(r, f));
        });
}

/// A time as HDF5 stores it, in seconds, and as ZIP does, in local time and steps of two seconds.
std::vector<std::string> stored_times(std::time_t time) {
  const auto word = [](std::uint32_t bits) {
    return std::string(reinterpret_cast<const char*>(&bits), sizeof bits);
  };
  std::tm local{};
  localtime_r(&time, &local);
  const int date = (local.tm_year - 80) << 9 | (local.tm_mon + 1) << 5 | local.tm_mday;
  const int clock = local.tm_hour << 11 | local.tm_min << 5 | local.tm_sec / 2;
  return {word(static_cast<std::uint32_t>(time)),
          word(static_cast<std::uint32_t>(date) << 16 | static_cast<std::uint32_t>(clock))};
}

TEST(Write, TheSameDataGivesTheSameBytes) {
  TemporaryFolder folder;
  for (const char* ending : {"npz", "mat", "svm", "h5ad"}) {
    const std::time_t begin = std::time(nullptr);
    const std::string a = folder.file(std::string("a.") + ending),
                      b = folder.file(std::string("b.") + ending);
    write_dataset(a, rich(true, true));
    write_dataset(b, rich(true, true));
    const std::string bytes = read_bytes(a);
    EXPECT_TRUE(bytes == read_bytes(b)) << ending;
    // Later, too: the time of writing is not in the file.
    for (std::time_t time = begin; time <= std::time(nullptr); ++time)
      for (const std::string& stored : stored_times(time))
        EXPECT_EQ(bytes.find(stored), std::string::npos) << ending;
  }
}

TEST(Write, SaysWhatAFormatCannotKeep) {
  EXPECT_THAT(write_notes("a.npy", rich(true, true)),
              ElementsAre(HasSubstr("names"), HasSubstr("labels"), HasSubstr("all 16 values")));
  EXPECT_THAT(write_notes("a.svm", rich(true, true)), ElementsAre(HasSubstr("0 is 'a'")));
  EXPECT_THAT(write_notes("a.npz", rich(true, true)), testing::IsEmpty());
}

}  // namespace
}  // namespace quickselection
