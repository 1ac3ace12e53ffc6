// tests/experiment/summary_test.cpp: means, tables and grids.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "experiment/tables/table.h"
#include "quickselection/error.h"
#include "quickselection/experiment.h"

namespace quickselection {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

ResultRow row(const std::string& data, const std::string& method, std::size_t k, int run,
              double classification, double seconds) {
  ResultRow made;
  made.data = data;
  made.method = method;
  made.k = k;
  made.run = run;
  made.classification = classification;
  made.clustering = classification / 2;
  made.seconds = seconds;
  made.peak_rss_bytes = 5'000'000;
  made.features = 10;
  made.rows = 100;
  return made;
}

ExperimentPlan plan_of(const std::vector<std::string>& data, const std::string& methods, int runs) {
  ExperimentPlan plan;
  for (const std::string& name : data) plan.data.emplace_back().name = name;
  plan.methods = parse_experiment_methods(methods);
  plan.runs = runs;
  return plan;
}

TEST(SummaryOfRows, WhatLooksEqualSharesAPlace) {
  const ExperimentPlan plan = plan_of({"d"}, "variance,random,mcfs,udfs", 1);
  const ExperimentSummary summary =
      summarize(plan, std::vector{row("d", "variance", 5, 1, 0.50041, 1),
                                  row("d", "random", 5, 1, 0.49961, 2),
                                  row("d", "mcfs", 5, 1, 0.48, 3), row("d", "udfs", 5, 1, 0.4, 4)});
  const auto place = [&](const char* method, Measure measure) {
    return (*summary.find("d", method, 5))[measure]->place;
  };
  EXPECT_EQ(place("variance", Measure::classification), Place::first);
  EXPECT_EQ(place("random", Measure::classification), Place::first) << "both are shown as 50.0";
  EXPECT_EQ(place("mcfs", Measure::classification), Place::second);
  EXPECT_EQ(place("udfs", Measure::classification), Place::none);
  EXPECT_EQ(place("random", Measure::seconds), Place::second);
}

TEST(SummaryOfRows, HasMeansOfFinishedRuns) {
  const ExperimentPlan plan = plan_of({"d"}, "variance,random", 3);
  std::vector<ResultRow> rows = {row("d", "variance", 5, 1, 0.5, 1),
                                 row("d", "variance", 5, 2, 0.7, 3),
                                 row("d", "random", 5, 1, 0.1, 1)};
  ResultRow bad = row("d", "variance", 5, 3, 0, 0);
  bad.status = RunStatus::time_limit;
  bad.message = "not finished after 1 s";
  rows.push_back(bad);
  const ExperimentSummary summary = summarize(plan, rows);
  const SummaryCell* const cell = summary.find("d", "variance", 5);
  ASSERT_NE(cell, nullptr);
  EXPECT_EQ(cell->finished, 2u);
  EXPECT_EQ(cell->failed, 1u);
  EXPECT_EQ(cell->failure, "time-limit: not finished after 1 s");
  EXPECT_NEAR((*cell)[Measure::classification]->mean, 0.6, 1e-12);
  EXPECT_NEAR((*cell)[Measure::classification]->std, 0.1414213562, 1e-9);
  EXPECT_NEAR((*cell)[Measure::seconds]->mean, 2, 1e-12);
  EXPECT_FALSE((*cell)[Measure::random_forest]);
  EXPECT_FALSE((*cell)[Measure::parameters]);
  EXPECT_EQ(summary.find("d", "mcfs", 5), nullptr);
  // Not all of its runs are in it, so it is not marked.
  EXPECT_THAT(describe(summary, TextFormat::markdown),
              HasSubstr("| variance | 60.0 ± 14.1 (2 of 3) |"));
}

TEST(SummaryOfRows, GroupsDataBySizeUnlessTold) {
  ExperimentPlan plan = plan_of({"small", "wide", "long", "mine"}, "variance", 1);
  plan.data[3].group = "my own";
  std::vector<ResultRow> rows;
  for (const char* name : {"small", "wide", "long", "mine"})
    rows.push_back(row(name, "variance", 5, 1, 0.5, 1));
  rows[1].features = 3289;
  rows[2].rows = 60000;
  const ExperimentSummary summary = summarize(plan, rows);
  ASSERT_THAT(summary.groups, SizeIs(4));
  EXPECT_EQ(summary.groups[1].name, "many features");
  EXPECT_EQ(summary.groups[2].name, "many rows");
  EXPECT_EQ(summary.groups[3].name, "my own");
}

TEST(SummaryOfRows, MarksBestAndSecondBestAsTheyAreShown) {
  // As in the paper's Table 3: 99.7, 99.7 and 99.6 are two best and a second best.
  const ExperimentPlan plan = plan_of({"d_1"}, "A=variance,B=random,C=mcfs,D=fcae", 2);
  std::vector<ResultRow> rows;
  for (const int run : {1, 2})
    rows.insert(rows.end(), {row("d_1", "A", 5, run, 0.9971, 4), row("d_1", "B", 5, run, 0.9969, 3),
                             row("d_1", "C", 5, run, 0.9962, 2), row("d_1", "D", 5, run, 0.5, 1)});
  const ExperimentSummary summary = summarize(plan, rows);
  const std::string text = describe(summary, TextFormat::plain);
  EXPECT_THAT(
      text, AllOf(HasSubstr("99.7 ± 0.0 *"), HasSubstr("99.6 ± 0.0 +"), HasSubstr("50.0 ± 0.0\n")));
  const std::string markdown = describe(summary, TextFormat::markdown);
  EXPECT_THAT(markdown,
              AllOf(HasSubstr("| A | **99.7 ± 0.0** |"), HasSubstr("| B | **99.7 ± 0.0** |"),
                    HasSubstr("| C | *99.6 ± 0.0* |"), HasSubstr("| D | 50.0 ± 0.0 |"),
                    HasSubstr("d\\_1 (K 5)"), HasSubstr("Score 2")));
  const std::string latex = describe(summary, TextFormat::latex);
  EXPECT_THAT(latex, AllOf(HasSubstr("A & \\textbf{99.7 $\\pm$ 0.0}"),
                           HasSubstr("C & \\textit{99.6 $\\pm$ 0.0}"), HasSubstr("d\\_1 (K 5)"),
                           HasSubstr("(\\%)"), Not(HasSubstr("±"))));
  // The least time is the best.
  EXPECT_THAT(markdown,
              AllOf(HasSubstr("| D | **1.00 ± 0.00** |"), HasSubstr("| C | *2.00 ± 0.00* |")));
}

TEST(SummaryOfRows, OneRunHasNoDeviation) {
  const std::vector<ResultRow> rows = {row("d", "variance", 5, 1, 0.5, 1),
                                       row("d", "random", 5, 1, 0.4, 1)};
  const ExperimentSummary summary = summarize(plan_of({"d"}, "variance,random", 1), rows);
  for (const TextFormat format : {TextFormat::plain, TextFormat::markdown})
    EXPECT_THAT(describe(summary, format),
                AllOf(HasSubstr("Each cell: one run;"), HasSubstr("50.0"), Not(HasSubstr("±"))));
}

TEST(SummaryOfRows, SeveralKAreColumnsOfATableForEachDataSet) {
  const ExperimentPlan plan = plan_of({"d", "e"}, "variance,random", 1);
  std::vector<ResultRow> rows;
  for (const char* data : {"d", "e"})
    for (const char* method : {"variance", "random"})
      for (const std::size_t k : {10, 5}) rows.push_back(row(data, method, k, 1, 0.5, 1));
  const ExperimentSummary summary = summarize(plan, rows);
  EXPECT_THAT(summary.ks("d"), ElementsAre(5, 10));
  EXPECT_THAT(describe(summary, TextFormat::markdown),
              AllOf(HasSubstr("### d: Classification"), HasSubstr("### e: Classification"),
                    HasSubstr("| method | K 5 | K 10 |")));
}

TEST(SummaryOfRows, ReferenceIsNotRanked) {
  ExperimentPlan plan = plan_of({"d"}, "variance,random", 1);
  std::vector<ResultRow> rows = {row("d", "variance", 5, 1, 0.5, 1),
                                 row("d", "random", 5, 1, 0.4, 1),
                                 row("d", kAllFeatures, 0, 1, 0.9, 0)};
  const ExperimentSummary summary = summarize(plan, rows);
  EXPECT_THAT(describe(summary, TextFormat::markdown),
              AllOf(HasSubstr("| variance | **50.0** |"), HasSubstr("| all features | 90.0 |")));
  EXPECT_THAT(summary.scores, SizeIs(2));
  EXPECT_EQ(summary.scores[0].score1.parts[0], 1);
}

TEST(SummaryOfRows, UnscoredMethodsAreNotRanked) {
  const ExperimentPlan plan = plan_of({"d"}, "A=variance,B=random,C=mcfs", 1);
  const std::vector<ResultRow> rows = {row("d", "A", 5, 1, 0.9, 1), row("d", "B", 5, 1, 0.8, 2),
                                       row("d", "C", 5, 1, 0.7, 3)};
  EXPECT_EQ(summarize(plan, rows).scores[2].score1.parts[0], 0);
  const std::vector<std::string> unscored = {"A"};
  const ExperimentSummary summary = summarize(plan, rows, unscored);
  ASSERT_THAT(summary.scores, SizeIs(2));
  EXPECT_EQ(summary.scores[1].method, "C");
  EXPECT_EQ(summary.scores[1].score1.parts[0], 1);
  EXPECT_EQ(summary.methods.size(), 3u);
}

TEST(SummaryOfRows, IsWrittenForMachines) {
  const ExperimentPlan plan = plan_of({"d,1"}, "variance,random", 1);
  std::vector<ResultRow> rows = {row("d,1", "variance", 5, 1, 0.5, 1)};
  rows.push_back(row("d,1", "random", 5, 1, 0, 0));
  rows.back().status = RunStatus::crashed;
  const ExperimentSummary summary = summarize(plan, rows);
  EXPECT_THAT(summary_csv(summary),
              AllOf(HasSubstr("\"d,1\",variance,5,classification,0.5,0,1,0\n"),
                    HasSubstr("\"d,1\",random,5,,,,0,1\n")));
  const auto json = nlohmann::json::parse(summary_json(plan, summary));
  EXPECT_EQ(json.at("cells").at(0).at("classification").at("mean"), 0.5);
  EXPECT_EQ(json.at("cells").at(1).at("failed"), 1);
  EXPECT_EQ(json.at("scores").at(0).at("score2").at("total"), 4);
  EXPECT_EQ(json.at("scores").at(1).at("score1").at("total"), 0);
}

Grid small_grid() {
  return {"quickselection",
          {{"hidden", "20"}},
          {{"epochs", {"10", "100"}}, {"epsilon", {"2", "5", "13"}}, {"zeta", {"0.1", "0.2"}}}};
}

TEST(GridOfOptions, MakesAMethodForEachPoint) {
  const auto methods = grid_methods(small_grid());
  ASSERT_THAT(methods, SizeIs(12));
  EXPECT_EQ(methods[0].label, "epochs=10 epsilon=2 zeta=0.1");
  EXPECT_EQ(methods[11].label, "epochs=100 epsilon=13 zeta=0.2");
  EXPECT_THAT(methods[0].options, SizeIs(4));
  const Grid again = grid_of(methods);
  EXPECT_EQ(again.method, "quickselection");
  ASSERT_THAT(again.axes, SizeIs(3));
  EXPECT_THAT(again.axes[1].values, ElementsAre("2", "5", "13"));
  ASSERT_THAT(again.fixed, SizeIs(1));
  Grid twice = small_grid();
  twice.axes[2].values = {"0.1", "0.1"};
  EXPECT_THROW(grid_methods(twice), InvalidArgument);
}

TEST(GridOfOptions, IsShownAsInThePaper) {
  const Grid grid = small_grid();
  ExperimentPlan plan = plan_of({"d"}, "variance", 1);
  plan.methods = grid_methods(grid);
  std::vector<ResultRow> rows;
  double value = 0.1;
  for (const ExperimentMethod& method : plan.methods)
    rows.push_back(row("d", method.label, 5, 1, value += 0.05, 1));
  const ExperimentSummary summary = summarize(plan, rows);
  const std::string text = describe(summary, grid, Measure::classification, TextFormat::markdown);
  EXPECT_THAT(text, AllOf(HasSubstr("### d, K 5, epochs=10"), HasSubstr("### d, K 5, epochs=100"),
                          HasSubstr("| zeta / epsilon | 2 | 5 | 13 |"),
                          HasSubstr("**20.0, 40.0** |"),  // 10 epochs, the last point
                          HasSubstr("clustering, classification in %"),
                          HasSubstr("best on d, K 5: epochs=100 epsilon=13 zeta=0.2")));
  const auto best = best_points(grid, summary, Measure::classification);
  ASSERT_THAT(best, SizeIs(1));  // one for each K, whatever the axes are
  EXPECT_EQ(best[0].label, "epochs=100 epsilon=13 zeta=0.2");
  EXPECT_NEAR(best[0].figure.mean, 0.7, 1e-9);
  EXPECT_THAT(describe(best[0], Measure::classification), HasSubstr("does not show how sure"));
}

TEST(GridOfOptions, SaysWhenTheSpreadIsLargerThanTheDifference) {
  const Grid grid{"quickselection", {}, {{"epsilon", {"2", "5", "13"}}}};
  ExperimentPlan plan = plan_of({"d"}, "variance", 2);
  plan.methods = grid_methods(grid);
  const auto best_of = [&](std::vector<std::pair<double, double>> accuracies) {
    std::vector<ResultRow> rows;
    for (std::size_t m = 0; m < 3; ++m) {
      rows.push_back(row("d", plan.methods[m].label, 5, 1, accuracies[m].first, 1));
      rows.push_back(row("d", plan.methods[m].label, 5, 2, accuracies[m].second, 1));
    }
    const auto best = best_points(grid, summarize(plan, rows), Measure::classification);
    EXPECT_THAT(best, SizeIs(1));
    return best.at(0);
  };
  const GridBest clear = best_of({{0.50, 0.52}, {0.80, 0.82}, {0.60, 0.62}});
  EXPECT_EQ(clear.label, "epsilon=5");
  EXPECT_EQ(clear.close, 0u);
  EXPECT_THAT(describe(clear, Measure::classification), HasSubstr("ahead of all others"));
  const GridBest doubtful = best_of({{0.50, 0.52}, {0.70, 0.90}, {0.74, 0.76}});
  EXPECT_EQ(doubtful.label, "epsilon=5");
  EXPECT_EQ(doubtful.close, 1u);
  EXPECT_THAT(describe(doubtful, Measure::classification),
              HasSubstr("1 of the 2 other points is behind by less than the spread"));
  EXPECT_EQ(best_of({{0.5, 0.5}, {0.5, 0.5}, {0.5, 0.5}}).close, 2u) << "ties are close";
}

TEST(GridOfOptions, OneAxisHasEpochsDown) {
  const Grid grid{"quickselection", {}, {{"epochs", {"10", "100"}}, {"noise", {"0", "0.2"}}}};
  ExperimentPlan plan = plan_of({"d"}, "variance", 1);
  plan.methods = grid_methods(grid);
  std::vector<ResultRow> rows;
  for (const ExperimentMethod& method : plan.methods)
    rows.push_back(row("d", method.label, 5, 1, 0.5, 1));
  const ExperimentSummary summary = summarize(plan, rows);
  EXPECT_THAT(describe(summary, grid, Measure::classification, TextFormat::plain),
              HasSubstr("epochs / noise"));
}

TEST(Marks, OneCandidateIsNotMarked) {
  Place a = Place::first, b = a, c = a;
  mark_places({Candidate{&a, 1, "1.0"}}, true);
  EXPECT_EQ(a, Place::none);
  mark_places({{&a, 1.01, "1.0"}, {&b, 1, "1.0"}, {&c, 2, "2.0"}}, false);
  EXPECT_EQ(a, Place::first);
  EXPECT_EQ(b, Place::first);
  EXPECT_EQ(c, Place::second);
}

}  // namespace
}  // namespace quickselection
