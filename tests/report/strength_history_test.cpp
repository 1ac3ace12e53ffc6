// tests/report/strength_history_test.cpp: which epochs are kept.
#include "report/reports.h"

#include <gtest/gtest.h>

namespace quickselection {
namespace {

/// A history of epochs 1 to `epochs`; the only feature's score is the epoch.
StrengthHistory filled(std::size_t epochs, std::size_t most) {
  StrengthHistory history(most);
  for (std::size_t e = 1; e <= epochs; ++e) {
    const double scores[] = {static_cast<double>(e)};
    history.add({e, 0, scores});
  }
  return history;
}

TEST(StrengthHistory, KeepsEveryEpochWhileThereIsRoom) {
  EXPECT_EQ(filled(5, 5).epochs(), (std::vector<std::uint32_t>{1, 2, 3, 4, 5}));
}

TEST(StrengthHistory, FreesEveryOtherPlaceWhenFull) {
  EXPECT_EQ(filled(6, 5).epochs(), (std::vector<std::uint32_t>{2, 4, 6}));
  EXPECT_EQ(filled(7, 5).epochs(), (std::vector<std::uint32_t>{2, 4, 6, 7}));
}

TEST(StrengthHistory, NeverHoldsMoreThanAskedForAndAlwaysTheLast) {
  for (std::size_t most : {2, 3, 10, 100})
    for (std::size_t epochs = 1; epochs <= 350; ++epochs) {
      const StrengthHistory history = filled(epochs, most);
      ASSERT_LE(history.size(), most);
      ASSERT_EQ(history.epochs().back(), epochs);
      for (std::size_t i = 0; i < history.size(); ++i)
        ASSERT_EQ(history.scores(i)[0], static_cast<float>(history.epochs()[i]));
      for (std::size_t i = 2; i + 1 < history.size(); ++i)
        ASSERT_EQ(history.epochs()[i] - history.epochs()[i - 1],
                  history.epochs()[1] - history.epochs()[0]);
    }
}

TEST(StrengthHistory, HoldsNothingWhenThereAreTooManyFeatures) {
  StrengthHistory history(100, 10);
  const std::vector<double> scores(6);
  history.add({1, 0, scores});
  EXPECT_EQ(history.size(), 0u);
}

}  // namespace
}  // namespace quickselection
