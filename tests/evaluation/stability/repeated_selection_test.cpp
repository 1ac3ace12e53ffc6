// tests/evaluation/stability/repeated_selection_test.cpp
#include <gmock/gmock.h>

#include <algorithm>
#include <limits>

#include "quickselection/error.h"
#include "quickselection/stability.h"
#include "support/sample_data.h"

namespace quickselection {
namespace {

using ::testing::HasSubstr;

SelectOptions quick(std::uint64_t seed = 0) {
  SelectOptions options;
  options.method_options = {{"epochs", "3"}, {"hidden", "20"}};
  options.seed = seed;
  return options;
}

RepeatOptions repeat(int runs, std::size_t k, bool bootstrap = false) {
  return {.runs = runs, .bootstrap = bootstrap, .k = k};
}

TEST(RepeatedSelection, RanksByTheMeanOfSingleRunsWithFollowingSeeds) {
  const Dataset data = factor_data(80, 12);
  const RepeatedSelection found = select_repeatedly(data, quick(5), repeat(3, 4));
  std::vector<double> mean(12), loss(3);
  for (std::uint64_t run = 0; run < 3; ++run) {
    const Selection single = select_features(data, quick(5 + run));
    EXPECT_EQ(found.rankings[run], single.ranking);
    for (std::size_t f = 0; f < 12; ++f) mean[f] += single.scores[f] / 3;
    for (std::size_t e = 0; e < 3; ++e) loss[e] += single.loss[e] / 3;
  }
  for (std::size_t f = 0; f < 12; ++f) EXPECT_DOUBLE_EQ(found.selection.scores[f], mean[f]);
  for (std::size_t e = 0; e < 3; ++e) EXPECT_DOUBLE_EQ(found.selection.loss[e], loss[e]);
  for (std::size_t r = 1; r < 12; ++r)
    EXPECT_GE(mean[found.selection.ranking[r - 1]], mean[found.selection.ranking[r]]);
  EXPECT_EQ(found.selection.seed, 5u);
  ASSERT_TRUE(found.stability);
  const Stability expected = stability(found.rankings, 12, 4);
  EXPECT_EQ(found.stability->index, expected.index);
  EXPECT_EQ(found.stability->frequency, expected.frequency);
}

TEST(RepeatedSelection, KeepsKAndTheMeanOfWhatTheMethodSaysOfItself) {
  const Dataset data = factor_data(80, 12);
  SelectOptions options;
  options.method = "concrete_autoencoder";
  options.method_options = {{"epochs", "3"}};
  options.k = 4;
  const Selection found = select_repeatedly(data, options, repeat(2, 4)).selection;
  EXPECT_EQ(found.k, 4u);
  ASSERT_FALSE(found.measures.empty());
  double mean = 0;
  for (const std::uint64_t seed : {0, 1}) {
    options.seed = seed;
    mean += std::get<double>(select_features(data, options).measures[0].value) / 2;
  }
  EXPECT_DOUBLE_EQ(std::get<double>(found.measures[0].value), mean);
}

TEST(RepeatedSelection, IsTheSameForAnyNumberOfThreads) {
  const Dataset data = factor_data(70, 15);
  for (const bool bootstrap : {false, true}) {
    const auto one = select_repeatedly(data, quick(), repeat(5, 4, bootstrap), {1, {}, nullptr});
    const auto four = select_repeatedly(data, quick(), repeat(5, 4, bootstrap), {4, {}, nullptr});
    EXPECT_EQ(one.selection.scores, four.selection.scores);
    EXPECT_EQ(one.selection.loss, four.selection.loss);
    EXPECT_EQ(one.rankings, four.rankings);
    EXPECT_EQ(one.selection.warnings, four.selection.warnings);
  }
}

TEST(RepeatedSelection, OverSamplesShowsWhatTheRowsDoToMethodsWithoutRandomness) {
  SelectOptions options;
  options.method = "variance";
  // Feature 0 varies by far the most, the others alike.
  std::vector<float> values;
  const Dataset noise = whole_data<float>(60, 8);
  for (std::size_t r = 0; r < 60; ++r)
    for (std::size_t f = 0; f < 8; ++f)
      values.push_back(static_cast<float>(noise.at(r, f) * (f == 0 ? 100 : 1)));
  const Dataset data = Dataset::from_vector(values, 60, 8);
  const RepeatedSelection found = select_repeatedly(data, options, repeat(12, 2, true));
  EXPECT_EQ(found.stability->frequency[0], 1);
  EXPECT_GT(std::count_if(found.stability->frequency.begin(), found.stability->frequency.end(),
                          [](double share) { return share > 0 && share < 1; }),
            1);
  EXPECT_EQ(found.selection.ranking[0], 0u);
}

TEST(RepeatedSelection, DrawsOtherSamplesForOtherSeeds) {
  SelectOptions options;
  options.method = "variance";
  const Dataset data = whole_data<float>(40, 10);
  const auto first = select_repeatedly(data, options, repeat(4, 3, true));
  const auto again = select_repeatedly(data, options, repeat(4, 3, true));
  options.seed = 1;
  const auto other = select_repeatedly(data, options, repeat(4, 3, true));
  EXPECT_EQ(first.selection.scores, again.selection.scores);
  EXPECT_NE(first.selection.scores, other.selection.scores);
}

TEST(RepeatedSelection, ConstantFeaturesComeLastAndAreSaidOnce) {
  // Feature 1 is constant; feature 2 is constant in many samples only.
  std::vector<float> values;
  const Dataset noise = factor_data(30, 4);
  for (std::size_t r = 0; r < 30; ++r)
    for (std::size_t f = 0; f < 4; ++f)
      values.push_back(f == 1 ? 7 : f == 2 ? (r == 0 ? 1 : 0) : static_cast<float>(noise.at(r, f)));
  const Dataset data = Dataset::from_vector(values, 30, 4);
  const RepeatedSelection found = select_repeatedly(data, quick(), repeat(10, 2, true));
  EXPECT_EQ(found.selection.ranking.back(), 1u);
  EXPECT_EQ(found.selection.constant_features, 1u);
  EXPECT_GT(found.selection.scores[2], 0);
  std::vector<std::string> constant;
  for (const Warning& warning : found.selection.warnings)
    if (warning.kind == WarningKind::constant_features) constant.push_back(warning.text);
  EXPECT_THAT(constant, ::testing::ElementsAre("1 of 4 features are constant and ranked last"));
}

TEST(RepeatedSelection, WorksOnSparseData) {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> columns;
  std::vector<std::uint8_t> values;
  kernels::RandomStream random(3, kernels::Purpose::evaluation);
  for (int r = 0; r < 50; ++r) {
    for (std::uint32_t f = 0; f < 20; ++f)
      if (random.uniform() < 0.3) {
        columns.push_back(f);
        values.push_back(static_cast<std::uint8_t>(1 + random.below(9)));
      }
    offsets.push_back(columns.size());
  }
  const Dataset data = Dataset::from_csr(offsets, columns, values, 20);
  for (const bool bootstrap : {false, true}) {
    const auto found = select_repeatedly(data, quick(), repeat(3, 5, bootstrap));
    EXPECT_EQ(found.selection.scale, ScaleMode::deviation);
    EXPECT_EQ(found.selection.notes.size(), 1u);
    EXPECT_EQ(found.rankings.size(), 3u);
  }
}

TEST(RepeatedSelection, WithAllFeaturesSelectedHasNoStability) {
  const auto found = select_repeatedly(factor_data(30, 5), quick(), repeat(2, 5));
  EXPECT_FALSE(found.stability);
  ASSERT_FALSE(found.selection.notes.empty());
  EXPECT_THAT(found.selection.notes.back(), HasSubstr("smaller ‹k›"));
}

TEST(RepeatedSelection, NamesTheRowOfABadValueEvenWhenRowsAreDrawn) {
  std::vector<float> values(40, 1);
  values[4 * 7 + 2] = std::numeric_limits<float>::quiet_NaN();
  const Dataset data = Dataset::from_vector(values, 10, 4);
  try {
    select_repeatedly(data, quick(), repeat(3, 2, true));
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("row 7"));
  }
}

TEST(RepeatedSelection, NamesTheRunThatFailed) {
  SelectOptions options = quick();
  options.method_options.push_back({"learning-rate", "1e30"});
  try {
    select_repeatedly(factor_data(60, 10), options, repeat(3, 2), {1, {}, nullptr});
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("run 1 of 3 (seed 0): training diverged"));
    EXPECT_THAT(error.hint(), HasSubstr("‹learning-rate›"));
  }
}

TEST(RepeatedSelection, RefusesWhatMakesNoSense) {
  const auto refusal = [](const SelectOptions& options, const RepeatOptions& asked) {
    try {
      check_options(options, asked);
    } catch (const InvalidArgument& error) {
      return error.what() + std::string(" | ") + error.hint();
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refusal(quick(), repeat(2, 5)), "accepted");
  EXPECT_THAT(refusal(quick(), repeat(1, 5)), HasSubstr("‹runs› is 1"));
  SelectOptions saved = quick(), resumed = quick(), variance;
  saved.checkpoint = "file";
  EXPECT_THAT(refusal(saved, repeat(3, 5)), HasSubstr("‹checkpoint› keeps one training"));
  resumed.resume = "file";
  EXPECT_THAT(refusal(resumed, repeat(3, 5)), HasSubstr("‹resume› keeps one training"));
  variance.method = "variance";
  EXPECT_THAT(refusal(variance, repeat(3, 5)), HasSubstr("add ‹bootstrap›"));
  EXPECT_EQ(refusal(variance, repeat(3, 5, true)), "accepted");
  const auto last = std::numeric_limits<std::uint64_t>::max();
  EXPECT_THAT(refusal(quick(last), repeat(2, 5)), HasSubstr("no seeds"));
  EXPECT_EQ(refusal(quick(last - 1), repeat(2, 5)), "accepted");
  EXPECT_THROW(select_repeatedly(factor_data(20, 5), quick(), repeat(2, 6)), InvalidArgument);
  EXPECT_THROW(select_repeatedly(factor_data(20, 5), quick(), repeat(2, 0)), InvalidArgument);
}

}  // namespace
}  // namespace quickselection
