// tests/selectors/training_words_test.cpp: what is said of a training.
#include <gtest/gtest.h>

#include "quickselection/selection.h"

namespace quickselection {
namespace {

Selection with_loss(std::vector<double> loss) {
  Selection selection;
  selection.loss = std::move(loss);
  return selection;
}

TEST(TrainingInWords, TellsConvergedFromFallingAndRising) {
  EXPECT_EQ(training_in_words(with_loss({})), "");
  EXPECT_NE(training_in_words(with_loss({1, 0.5})).find("too few epochs"), std::string::npos);
  EXPECT_EQ(training_in_words(with_loss({5, 2, 1.2, 1.05, 1.01, 1.0, 1.0})),
            "the network converged");
  EXPECT_EQ(training_in_words(with_loss({5, 4, 3, 2, 1})), "the loss was still falling");
  EXPECT_EQ(training_in_words(with_loss({5, 2, 1, 1, 2})), "the loss was rising at the end");
  EXPECT_EQ(training_in_words(with_loss({1, 1, 1, 1, 1, 1})), "the network converged");
}

TEST(TrainingInWords, SaysWhetherTheRankingSettled) {
  Selection selection = with_loss({5, 4, 3, 2, 1});
  selection.settled = true;
  EXPECT_EQ(training_in_words(selection), "the ranking settled; the loss was still falling");
  selection.settled = false;
  EXPECT_EQ(training_in_words(selection), "the ranking did not settle; the loss was still falling");
}

TEST(TrainingInWords, RepeatsThatNothingWasLearnt) {
  Selection selection = with_loss({1, 1, 1, 1, 1});
  selection.warnings = {{WarningKind::did_not_learn, "its loss stayed above …"}};
  EXPECT_EQ(training_in_words(selection), "the network did not learn");
}

}  // namespace
}  // namespace quickselection
