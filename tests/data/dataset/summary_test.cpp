// tests/data/dataset/summary_test.cpp
#include "quickselection/summary.h"

#include <cmath>
#include <limits>

#include "data/data_testing.h"

namespace quickselection {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

TEST(Summary, CountsWhatStandsOut) {
  const float nan = std::nanf(""), inf = std::numeric_limits<float>::infinity();
  // columns: varying, constant, copy of the first, constant zero, NaN later, infinity, copy of 4
  Dataset data = Dataset::from_vector<float>({1, 5, 1, 0,    3,   inf, 3,    //
                                              2, 5, 2, -0.f, nan, 1,   nan,  //
                                              0, 5, 0, 0,    4,   2,   4},
                                             3, 7);
  data.labels = make_labels(std::vector<std::string>{"b", "a", "b"});
  const Summary summary = summarize(data);
  EXPECT_EQ(summary.rows, 3u);
  EXPECT_EQ(summary.features, 7u);
  EXPECT_EQ(summary.bytes, 84u);
  EXPECT_DOUBLE_EQ(summary.density, 16.0 / 21);
  EXPECT_EQ(summary.constant_features, 2u);
  EXPECT_EQ(summary.duplicated_features, 2u);
  EXPECT_EQ(summary.nonfinite_features, 3u);
  EXPECT_EQ(summary.nonfinite_values, 3u);
  EXPECT_EQ(summary.first_nonfinite->row, 0u);
  EXPECT_EQ(summary.first_nonfinite->feature, 5u);
  EXPECT_THAT(summary.classes, ElementsAre(Pair("a", 1), Pair("b", 2)));
  EXPECT_THAT(describe(summary), Contains(Pair("labels", "2 classes: a (1), b (2)")));
}

TEST(Summary, WorksOnEveryTypeAndOnMoreFeaturesThanAChunk) {
  for (int t = 0; t < 10; ++t)
    visit_type(static_cast<ValueType>(t), [&]<class T>() {
      const std::size_t features = 3000;
      std::vector<T> values(2 * features);
      for (std::size_t f = 0; f < features; ++f) values[features + f] = static_cast<T>(f % 100);
      const Summary summary = summarize(Dataset::from_vector(values, 2, features));
      EXPECT_EQ(summary.constant_features, 30u);            // f % 100 == 0
      EXPECT_EQ(summary.duplicated_features, 2970u - 99u);  // one of each other value is new
      EXPECT_DOUBLE_EQ(summary.density, 2970.0 / 6000);
    });
}

TEST(Summary, IsTheSameForSparseData) {
  // columns: empty, constant, varying, twin of the one before, NaN
  const float nan = std::nanf("");
  const Summary sparse = summarize(Dataset::from_csr<float>({0, 4, 5, 8}, {1, 2, 3, 4, 1, 1, 2, 3},
                                                            {5, 1, 1, nan, 5, 5, -2, -2}, 5));
  const Summary dense = summarize(
      Dataset::from_vector<float>({0, 5, 1, 1, nan, 0, 5, 0, 0, 0, 0, 5, -2, -2, 0}, 3, 5));
  for (const Summary& summary : {sparse, dense}) {
    EXPECT_EQ(summary.constant_features, 2u);
    EXPECT_EQ(summary.duplicated_features, 1u);
    EXPECT_EQ(summary.nonfinite_values, 1u);
    EXPECT_DOUBLE_EQ(summary.density, 8.0 / 15);
    EXPECT_EQ(summary.least, -2);
    EXPECT_EQ(summary.most, 5);
    EXPECT_TRUE(summary.integers);
  }
  EXPECT_TRUE(sparse.sparse);
  EXPECT_FALSE(dense.sparse);
}

TEST(Summary, TakesOneRowAsConstant) {
  const Summary summary = summarize(Dataset::from_vector<float>({1, 2, std::nanf("")}, 1, 3));
  EXPECT_EQ(summary.constant_features, 3u);
  EXPECT_EQ(summary.duplicated_features, 0u);
  EXPECT_EQ(summary.nonfinite_features, 1u);
}

TEST(Summary, ShowsNotesAndManyClasses) {
  Dataset data = Dataset::from_vector(std::vector<float>(30), 30, 1);
  std::vector<std::string> texts;
  for (int i = 0; i < 30; ++i) texts.push_back(std::to_string(i));
  data.labels = make_labels(texts);
  EXPECT_THAT(describe(summarize(data)),
              Contains(Pair("labels", HasSubstr("a measured number with 30 different values"))));
  data.labels = make_labels(texts, LabelTask::classification);
  data.notes = {"something"};
  const auto lines = describe(summarize(data));
  EXPECT_THAT(lines, Contains(Pair("labels", HasSubstr("and 10 more"))));
  EXPECT_THAT(lines, Contains(Pair("note", "something")));
}

}  // namespace
}  // namespace quickselection
