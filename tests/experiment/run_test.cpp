// tests/experiment/run_test.cpp: whole experiments on small data.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <tuple>

#include "experiment/experiment_testing.h"
#include "experiment/tasks.h"
#include "quickselection/error.h"
#include "quickselection/selection.h"
#include "support/selecting.h"

namespace quickselection {
namespace {

using testing::AllOf;
using testing::Each;
using testing::Field;
using testing::HasSubstr;
using testing::SizeIs;

constexpr const char* kQuick = "quickselection:epochs=2:hidden=20,variance,mcfs,random";

/// Everything but times, memory and energy.
void expect_same(const std::vector<ResultRow>& a, const std::vector<ResultRow>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].data, b[i].data);
    EXPECT_EQ(a[i].method, b[i].method);
    EXPECT_EQ(a[i].k, b[i].k);
    EXPECT_EQ(a[i].run, b[i].run);
    EXPECT_EQ(a[i].status, b[i].status);
    EXPECT_EQ(a[i].selected, b[i].selected) << a[i].method;
    EXPECT_EQ(a[i].classification, b[i].classification);
    EXPECT_EQ(a[i].clustering, b[i].clustering);
    EXPECT_EQ(a[i].reconstruction, b[i].reconstruction);
  }
}

class Running : public testing::Test {
 protected:
  ExperimentFolder out(const char* name, bool go_on = false) const {
    return {folder_ / name, "compare", go_on};
  }
  TempFolder folder_;
  std::string data_ = write_small_data(folder_);
};

TEST_F(Running, TakesDataInMemoryLikeThatOfAFile) {
  ExperimentPlan from_file = small_plan(data_, kQuick), in_memory = small_plan("", kQuick);
  const Dataset whole = read(data_);
  in_memory.data[0].values = &whole;
  expect_same(run_experiment(in_memory, {}), run_experiment(from_file, {}));

  // With test rows of their own, and with missing values.
  const std::string other = write_small_data(folder_, "other.csv", 2);
  const Dataset test = read(other);
  from_file.data[0].test = other;
  in_memory.data[0].test_values = &test;
  for (ExperimentPlan* plan : {&from_file, &in_memory}) plan->data[0].read.missing = Missing::mean;
  expect_same(run_experiment(in_memory, {}), run_experiment(from_file, {}));

  in_memory.data[0].values = nullptr;
  EXPECT_THROW(run_experiment(in_memory, {}), InvalidArgument) << "neither a file nor values";
}

TEST_F(Running, GivesARowForEveryMethodKAndRun) {
  ExperimentPlan plan = small_plan(data_, kQuick);
  plan.random_forest = plan.all_features = true;
  plan.reconstruction = true;
  const auto rows = run_experiment(plan, out("out"));
  ASSERT_THAT(rows, SizeIs(2 * (4 * 2 + 1)));
  EXPECT_THAT(rows, Each(Field(&ResultRow::status, RunStatus::ok)));
  for (const ResultRow& row : rows) {
    EXPECT_TRUE(row.classification && row.random_forest && row.clustering);
    EXPECT_EQ(row.seed, static_cast<std::uint64_t>(row.run - 1));
    EXPECT_EQ(row.rows, 96u);
    EXPECT_EQ(row.features, 20u);
    if (row.method == kAllFeatures) continue;
    EXPECT_TRUE(row.reconstruction);
    EXPECT_GT(row.seconds, 0);
    EXPECT_GT(row.peak_rss_bytes, 1u << 20);
    EXPECT_THAT(row.selected, SizeIs(row.k));
    EXPECT_FALSE(row.energy_source.empty());
    EXPECT_EQ(row.parameters > 0, row.method.starts_with("quickselection"));
  }
}

TEST_F(Running, SelectsAsASelectionDoes) {
  ExperimentPlan plan = small_plan(data_, "quickselection:epochs=2:hidden=20");
  plan.data[0].read.rows = RowRange{0, 90};
  plan.data[0].test_rows = RowRange{90, 120};
  const auto rows = run_experiment(plan, {});
  const Dataset train = read(data_).slice_rows(0, 90);
  for (const ResultRow& row : rows) {
    const Selection alone = select_with(train, "quickselection",
                                        {{"epochs", "2"}, {"hidden", "20"}}, row.k, 1, row.seed);
    EXPECT_EQ(row.selected, std::vector<std::uint32_t>(
                                alone.ranking.begin(),
                                alone.ranking.begin() + static_cast<std::ptrdiff_t>(row.k)));
  }
}

TEST_F(Running, EpochsOfOneTrainingAreShorterTrainings) {
  for (const char* method : {"quickselection", "fcae", "wast"}) {
    std::string text;
    for (const char* epochs : {"1", "3", "4"})
      text += fmt::format("{}{}:hidden=20:epochs={}", text.empty() ? "" : ",", method, epochs);
    ExperimentPlan plan = small_plan(data_, text);
    EXPECT_THAT(tasks_of(plan), SizeIs(6));
    const auto apart = run_experiment(plan, {});
    plan.share_epochs = true;
    EXPECT_THAT(tasks_of(plan), SizeIs(2)) << "one training for each run";
    auto together = run_experiment(plan, {});
    const auto order = [](const ResultRow& a, const ResultRow& b) {
      return std::tie(a.method, a.k, a.run) < std::tie(b.method, b.k, b.run);
    };
    auto sorted = apart;
    std::sort(sorted.begin(), sorted.end(), order);
    std::sort(together.begin(), together.end(), order);
    expect_same(sorted, together);
    for (const ResultRow& row : together) EXPECT_GT(row.seconds, 0);
  }
}

TEST_F(Running, MethodsThatDependOnTheirLengthAreTrainedApart) {
  ExperimentPlan plan =
      small_plan(data_,
                 "lottery_ticket:epochs=1,lottery_ticket:epochs=2,wast:epochs=1:hidden=9,"
                 "wast:epochs=2:hidden=8");
  plan.share_epochs = true;
  plan.runs = 1;
  EXPECT_THAT(tasks_of(plan), SizeIs(4));
}

TEST_F(Running, AFailedMethodIsARowAndTheRestGoesOn) {
  ExperimentPlan plan =
      small_plan(data_, "bad=quickselection:epochs=2:hidden=20:learning-rate=1e30,variance");
  plan.k = {3, 21};
  const auto rows = run_experiment(plan, out("out"));
  ASSERT_THAT(rows, SizeIs(8));
  for (const ResultRow& row : rows) {
    if (row.method == "bad") {
      EXPECT_EQ(row.status, RunStatus::failed);
      EXPECT_THAT(row.message, row.k == 3 ? HasSubstr("diverged") : HasSubstr("diverged"));
      EXPECT_FALSE(row.classification);
    } else if (row.k == 21) {
      EXPECT_EQ(row.status, RunStatus::failed);
      EXPECT_THAT(row.message, AllOf(HasSubstr("21"), HasSubstr("20 features")));
    } else {
      EXPECT_EQ(row.status, RunStatus::ok);
    }
  }
  const ExperimentSummary summary = summarize(plan, rows);
  EXPECT_THAT(describe(summary, TextFormat::plain),
              AllOf(HasSubstr("bad on small, K 3: 2 of 2 runs failed"), HasSubstr("diverged")));
}

TEST_F(Running, LimitsMakeRowsThatSaySo) {
  ExperimentPlan plan = small_plan(data_, "slow=quickselection:epochs=1000000,variance");
  plan.k = {3};
  plan.runs = 1;
  plan.time_limit = 1;
  auto rows = run_experiment(plan, {});
  EXPECT_EQ(rows[0].status, RunStatus::time_limit);
  EXPECT_THAT(rows[0].message, HasSubstr("1 s"));
  EXPECT_EQ(rows[1].status, RunStatus::ok);

  plan = small_plan(data_, "variance");
  plan.memory_limit = 1 << 20;  // less than any process needs
  rows = run_experiment(plan, {});
  EXPECT_THAT(rows, Each(AllOf(Field(&ResultRow::status, RunStatus::memory_limit),
                               Field(&ResultRow::message, HasSubstr("1.0 MB")))));
}

TEST_F(Running, LabelsDoNotChangeASelection) {
  std::string text = read_text(data_);
  // Every label becomes the same but one.
  std::string other;
  std::size_t line = 0;
  for (std::size_t at = 0; at < text.size(); ++line) {
    const std::size_t end = text.find('\n', at);
    std::string row = text.substr(at, end - at);
    if (line > 0) row = row.substr(0, row.rfind(',')) + (line % 5 == 0 ? ",1" : ",-1");
    other += row + "\n";
    at = end + 1;
  }
  write_text(folder_ / "other.csv", other);
  const auto selected = [&](const std::string& path) {
    ExperimentPlan plan = small_plan(path, kQuick);
    plan.data[0].test_rows = RowRange{90, 120};
    return run_experiment(plan, {});
  };
  const auto a = selected(data_), b = selected(folder_ / "other.csv");
  ASSERT_EQ(a.size(), b.size());
  bool judged_differently = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].selected, b[i].selected);
    judged_differently = judged_differently || a[i].classification != b[i].classification;
  }
  EXPECT_TRUE(judged_differently);
}

TEST_F(Running, ADataSetMayBeJudgedOnAnotherScale) {
  ExperimentPlan plan = small_plan(data_, "random");
  const auto standard = run_experiment(plan, {});
  plan.judges.scale = ScaleMode::none;
  const auto none = run_experiment(plan, {});
  plan.judges.scale = ScaleMode::standard;
  plan.data[0].judge_scale = ScaleMode::none;
  const auto of_data = run_experiment(plan, {});
  bool differs = false;
  for (std::size_t i = 0; i < none.size(); ++i) {
    EXPECT_EQ(of_data[i].nmi, none[i].nmi);
    differs = differs || none[i].nmi != standard[i].nmi;
  }
  EXPECT_TRUE(differs);
}

TEST_F(Running, DataWithoutLabelsIsJudgedByReconstruction) {
  ExperimentPlan plan = small_plan(data_, "variance");
  plan.data[0].read.label = "none";
  const auto rows = run_experiment(plan, {});
  for (const ResultRow& row : rows) {
    EXPECT_FALSE(row.classification || row.clustering);
    EXPECT_TRUE(row.reconstruction);
  }
  EXPECT_EQ(natural_criterion(summarize(plan, rows)), Measure::reconstruction);
}

TEST_F(Running, MissingValuesBecomeMeansOfTheTrainingRows) {
  std::string text = "a,b,c,d,label\n", filled = text;
  for (int r = 0; r < 40; ++r) {
    const int a = r == 31 ? 18 : r % 7 * 3, b = r % 5, c = r % 3;
    const std::string rest = fmt::format(",{},{},{},{}\n", b, c, r % 4, r % 2);
    // Row 0 has no a. The rows to test on have large ones, which must not count.
    constexpr int kMean = 9;
    text += (r == 0 ? "" : std::to_string(r < 32 ? a : 1000 + r)) + rest;
    filled += std::to_string(r == 0 ? kMean : r < 32 ? a : 1000 + r) + rest;
  }
  write_text(folder_ / "holes.csv", text);
  write_text(folder_ / "filled.csv", filled);
  const auto rows_of = [&](const char* name, Missing missing) {
    ExperimentPlan plan = small_plan(folder_ / name, "variance:scale=none,quickselection:epochs=1");
    plan.data[0].test_rows = RowRange{32, 40};
    plan.data[0].read.missing = missing;
    plan.k = {2};
    plan.runs = 1;
    return run_experiment(plan, {});
  };
  expect_same(rows_of("holes.csv", Missing::mean), rows_of("filled.csv", Missing::keep));
  EXPECT_THAT(rows_of("holes.csv", Missing::keep),
              Each(Field(&ResultRow::status, RunStatus::failed)));
}

TEST_F(Running, ContinuesAfterAStopWithTheSameResults) {
  const ExperimentPlan plan = small_plan(data_, kQuick);
  const auto whole = run_experiment(plan, out("whole"));
  std::atomic<bool> stop{false};
  RunContext context;
  context.stop = &stop;
  std::string last;
  int tasks = 0, stops = 0;
  context.progress = [&](const Progress& progress) {
    // A task may end before the stop is seen; the next one must not take it back.
    if (std::exchange(last, progress.task) != progress.task && ++tasks % 3 == 0) stop = true;
  };
  std::vector<ResultRow> rows;
  for (bool go_on = false; rows.empty(); go_on = true) {
    stop = false;
    try {
      rows = run_experiment(plan, out("parts", go_on), context);
    } catch (const Interrupted& stopped) {
      EXPECT_THAT(stopped.what(), AllOf(HasSubstr("runs"), HasSubstr("‹continue›")));
      ++stops;
    }
  }
  EXPECT_GE(stops, 2);
  expect_same(whole, rows);
}

TEST_F(Running, DropsATornLineAndMakesMissingRowsAgain) {
  const ExperimentPlan plan = small_plan(data_, kQuick);
  const auto whole = run_experiment(plan, out("out"));
  const std::string text = read_text(folder_ / "out/results.jsonl");
  // Cut anywhere: within the last line, within the rows of one training, at the beginning.
  for (const std::size_t size :
       {text.size() - 5, text.size() / 2, std::size_t{10}, std::size_t{0}}) {
    write_text(folder_ / "out/results.jsonl", text.substr(0, size));
    expect_same(whole, run_experiment(plan, out("out", true)));
    const std::string after = read_text(folder_ / "out/results.jsonl");
    EXPECT_EQ(std::count(after.begin(), after.end(), '\n'),
              std::count(text.begin(), text.end(), '\n'));
  }
  // A line that was deleted is made again.
  write_text(folder_ / "out/results.jsonl", text.substr(text.find('\n') + 1));
  expect_same(whole, run_experiment(plan, out("out", true)));
}

TEST_F(Running, RefusesAnotherPlanByName) {
  const ExperimentPlan plan = small_plan(data_, "variance,random");
  run_experiment(plan, out("out"));
  const auto refusal = [&](auto change) {
    ExperimentPlan other = plan;
    change(other);
    try {
      run_experiment(other, out("out", true));
    } catch (const InvalidArgument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal([](ExperimentPlan&) {}), "");
  EXPECT_THAT(refusal([](auto& p) { p.runs = 3; }), HasSubstr("‹runs› is 3, but was 2"));
  EXPECT_THAT(refusal([](auto& p) { p.k = {3}; }), HasSubstr("‹k› is [3], but was [3,5]"));
  EXPECT_THAT(refusal([](auto& p) { p.judges.trees = 9; }), HasSubstr("‹trees›"));
  EXPECT_THAT(refusal([](auto& p) { p.methods.pop_back(); }), HasSubstr("‹methods›"));
  EXPECT_THAT(refusal([](auto& p) {
                p.methods[0].options = {{"scale", "none"}};
              }),
              HasSubstr("‹methods› variance: ‹options›"));
  EXPECT_THAT(refusal([](auto& p) { p.data[0].split = 0.5; }), HasSubstr("small: ‹split›"));
  EXPECT_THAT(refusal([](auto& p) { p.time_limit = 9; }), HasSubstr("‹time-limit›"));
  try {
    run_experiment(plan, {folder_ / "out", "tune", true});
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_THAT(error.what(), HasSubstr("`compare`"));
  }
}

TEST_F(Running, RefusesAFolderThatIsNotAsExpected) {
  const ExperimentPlan plan = small_plan(data_, "variance");
  EXPECT_THROW(run_experiment(plan, out("none", true)), Error);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "none"));
  run_experiment(plan, out("out"));
  EXPECT_THROW(run_experiment(plan, out("out")), Error);
  write_text(folder_ / "out/results.jsonl", "{}\n");
  try {
    run_experiment(plan, out("out", true));
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("line 1"));
  }
}

TEST_F(Running, ReadsItsPlanBack) {
  ExperimentPlan plan = small_plan(data_, kQuick);
  plan.data[0].options = {{"mcfs", {{"clusters", "3"}}}};
  plan.data[0].test_rows = RowRange{90, 120};
  plan.data[0].judge_scale = ScaleMode::minmax;
  plan.reconstruction = false;
  plan.time_limit = 100;
  const auto rows = run_experiment(plan, out("out"));
  const ExperimentPlan again = read_plan(out("out", true));
  expect_same(rows, run_experiment(again, out("out", true)));
}

TEST_F(Running, RefusesMoreRunsThanAnybodyWaitsFor) {
  ExperimentPlan plan = small_plan(data_, kQuick);
  plan.runs = 2'000'000'000;
  EXPECT_THROW(check_plan(plan), InvalidArgument);
  Grid grid;
  grid.method = "quickselection";
  for (const char* const option : {"epsilon", "zeta", "noise", "learning-rate"}) {
    GridAxis& axis = grid.axes.emplace_back(GridAxis{option, {}});
    for (int i = 1; i < 100; ++i) axis.values.push_back(fmt::format("0.{:03}", i));
  }
  EXPECT_THROW(grid_methods(grid), InvalidArgument);
}

TEST_F(Running, RefusesPlansThatCannotWork) {
  const auto refused = [&](auto change) {
    ExperimentPlan plan = small_plan(data_, "variance,random");
    change(plan);
    EXPECT_THROW(check_plan(plan), InvalidArgument);
  };
  refused([](auto& p) { p.data.clear(); });
  refused([](auto& p) { p.methods.clear(); });
  refused([](auto& p) { p.runs = 0; });
  refused([](auto& p) { p.k = {}; });
  refused([](auto& p) { p.k = {3, 3}; });
  refused([](auto& p) { p.k = {0}; });
  refused([](auto& p) { p.data.push_back(p.data[0]); });
  refused([](auto& p) { p.methods.push_back(p.methods[0]); });
  refused([](auto& p) { p.methods[0].label = kAllFeatures; });
  refused([](auto& p) { p.data[0].split = 1; });
  refused([](auto& p) { p.data[0].options = {{"random", {{"epochs", "3"}}}}; });
  refused([](auto& p) { p.seed = UINT64_MAX; });
  ExperimentPlan missing = small_plan(folder_ / "none.csv", "variance");
  EXPECT_THROW(check_plan(missing), Error);
}

}  // namespace
}  // namespace quickselection
