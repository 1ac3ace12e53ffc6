// tests/experiment/history_test.cpp: trainings followed epoch by epoch, and images of features.
#include "experiment/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/experiment_testing.h"
#include "quickselection/error.h"
#include "support/selecting.h"

namespace quickselection {
namespace {

using testing::SizeIs;
using testing::StartsWith;

ExperimentPlan plan_with(const std::string& method) {
  ExperimentPlan plan;
  plan.data.emplace_back().name = "d";
  plan.methods = parse_experiment_methods(method);
  return plan;
}

TEST(TrainingHistory, MarksAreShorterTrainings) {
  const Dataset data = signal_data(60, 12, 2, 4);
  const History history =
      follow_training(plan_with("quickselection:epochs=4:hidden=15"), {1, 3}, data, {});
  EXPECT_THAT(history.scores, SizeIs(4));
  ASSERT_THAT(history.marks, SizeIs(2));
  for (const HistoryMark& mark : history.marks) {
    const Selection alone = select_with(data, "quickselection",
                                        {{"epochs", std::to_string(mark.epoch)}, {"hidden", "15"}});
    EXPECT_EQ(mark.ranking, alone.ranking);
  }
}

TEST(TrainingHistory, RefusesWhatItCannotFollow) {
  const Dataset data = signal_data(20, 5, 0, 2);
  EXPECT_THROW(follow_training(plan_with("variance"), {1}, data, {}), InvalidArgument);
  EXPECT_THROW(follow_training(plan_with("quickselection:epochs=2"), {3}, data, {}),
               InvalidArgument);
}

TEST(TrainingHistory, ShowsBestAndWeakest) {
  History history;
  history.scores = {{0.5, 2, 1}, {3, 1, 2}};
  history.marks = {{2, {0, 2, 1}}};
  EXPECT_EQ(chosen_csv(history, 2), "epoch,rank,feature,score\n2,1,0,3\n2,2,2,2\n");
  EXPECT_EQ(strength_csv(history, 1),
            "epoch,feature,chosen_at,place,score\n1,0,2,best,0.5\n1,1,2,weakest,2\n"
            "2,0,2,best,3\n2,1,2,weakest,1\n");
}

TEST(TrainingHistory, DrawsFeaturesAndClassAverages) {
  // Images of 1 x 2 pixels in two classes.
  Dataset data = Dataset::from_vector(std::vector<float>{10, 0, 30, 0, 0, 40}, 3, 2);
  data.feature_shape = {1, 2};
  data.labels = make_labels(std::vector<std::string>{"a", "a", "b"});
  History history;
  history.scores = {{1, 2}};
  history.marks = {{1, {1, 0}}};
  const auto pixels = [](const std::string& pgm) { return pgm.substr(pgm.find("255\n") + 4); };
  const std::string chosen = chosen_image(history.marks[0], 1, data.feature_shape);
  EXPECT_THAT(chosen, StartsWith("P5\n2 1\n255\n"));
  EXPECT_EQ(pixels(chosen), std::string("\0\xff", 2));
  // Across: the best feature alone, then all; down: the classes. The brightest is the mean 40.
  const std::string averages = class_averages_image(history, 1, data);
  EXPECT_THAT(averages, StartsWith("P5\n4 2\n255\n"));
  EXPECT_EQ(pixels(averages), std::string("\0\0\x7f\0\0\xff\0\xff", 8));
}

}  // namespace
}  // namespace quickselection
