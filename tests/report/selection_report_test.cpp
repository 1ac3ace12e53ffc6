// tests/report/selection_report_test.cpp: what the report of a selection is told.
#include "report/reports.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "quickselection/error.h"
#include "report/page.h"

namespace quickselection {
namespace {

TEST(ImageShape, IsTakenFromTheTextThenFromTheData) {
  Dataset data = Dataset::from_vector(std::vector<float>(24), 2, 12);
  EXPECT_FALSE(image_shape("", data));
  EXPECT_EQ(image_shape("3x4", data)->height, 3u);
  EXPECT_EQ(image_shape("3x4", data)->width, 4u);
  data.feature_shape = {2, 6};
  EXPECT_EQ(image_shape("", data)->width, 6u);
  EXPECT_EQ(image_shape("3x4", data)->width, 4u);
  data.feature_shape = {2, 7};  // a column became the labels
  EXPECT_FALSE(image_shape("", data));
  data.feature_shape = {2, 2, 3};
  EXPECT_FALSE(image_shape("", data));
}

TEST(ImageShape, RefusesWhatIsNoShapeOrDoesNotFit) {
  const Dataset data = Dataset::from_vector(std::vector<float>(12), 1, 12);
  for (const char* text : {"x", "3x", "x4", "3x4x", "0x12", "-3x-4", "3 x 4", "12", "3X4"})
    EXPECT_THROW(image_shape(text, data), InvalidArgument) << text;
  for (const char* text : {"3x5", "4x4", "4294967296x4294967296"})
    EXPECT_THROW(image_shape(text, data), InvalidArgument) << text;
}

nlohmann::json data_of(const SelectionReport& report) {
  const std::string page = selection_report(report), mark = "id=\"report-data\">";
  const std::size_t begin = page.find(mark) + mark.size();
  return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

TEST(SelectionReport, ListsTheBestOfVeryManyFeaturesAndSamplesTheOthers) {
  if (!reports_available()) GTEST_SKIP() << "built without esbuild";
  const std::size_t features = 120'000;
  const Dataset data = Dataset::from_vector(std::vector<std::uint8_t>(2 * features), 2, features);
  Selection selection;
  selection.method = "variance";
  for (std::size_t f = 0; f < features; ++f) {
    selection.ranking.push_back(static_cast<std::uint32_t>(f));
    selection.scores.push_back(static_cast<double>(features - f));
  }
  const auto json = data_of({data, selection, 10, {}});
  EXPECT_EQ(json["ranking"].size(), 50'000u);
  EXPECT_EQ(json["tail"]["ranks"].back(), features);
  EXPECT_EQ(json["tail"]["scores"].back(), 1);
  EXPECT_GT(json["tail"]["ranks"].front(), 50'000);
}

TEST(SelectionReport, HoldsScoresWithAllDigitsInTheOrderOfTheRanking) {
  if (!reports_available()) GTEST_SKIP() << "built without esbuild";
  const Dataset data = Dataset::from_vector<float>({1, 2, 3, 4, 5, 7}, 2, 3);
  Selection selection;
  selection.method = "variance";
  selection.ranking = {2, 0, 1};
  selection.scores = {1.0 / 3, 1e-17, 2.0 / 3};
  const auto json = data_of({data, selection, 1, {}});
  EXPECT_EQ(json["scores"], (std::vector<double>{2.0 / 3, 1.0 / 3, 1e-17}));
  EXPECT_EQ(json["ranking"], (std::vector<int>{2, 0, 1}));
  EXPECT_FALSE(json.contains("names"));
  EXPECT_EQ(json["headline"][0], "1 of 3 features");
}

TEST(SelectionReport, SaysWhatTheRunsHaveInCommon) {
  if (!reports_available()) GTEST_SKIP() << "built without esbuild";
  const Dataset data = Dataset::from_vector<float>({1, 2, 3, 4, 5, 7}, 2, 3);
  Selection selection;
  selection.method = "variance";
  selection.ranking = {2, 0, 1};
  selection.scores = {2, 1, 3};
  Stability stability;
  stability.k = 2, stability.runs = 3, stability.overlap = 0.5;
  stability.frequency = {0.5, 1.0 / 3, 1};
  SelectionReport report{data, selection, 2, {}};
  stability.runs_are = "runs with other seeds";
  report.stability = stability;
  const auto json = data_of(report);
  EXPECT_EQ(json["stability"]["frequency"], (std::vector<double>{1, 0.5, 1.0 / 3}));
  EXPECT_EQ(json["stability"]["text"], describe(stability));
  EXPECT_EQ(json["headline"].back(), "two runs agree on 1 of 2");
}

}  // namespace
}  // namespace quickselection
