// tests/selectors/methods/wast_test.cpp
#include <gtest/gtest.h>

#include "quickselection/error.h"
#include "quickselection/generators.h"
#include "support/selecting.h"

namespace quickselection {
namespace {

const std::vector<GivenOption> kSmallWast = {{"hidden", "20"}, {"epochs", "3"}};

TEST(Wast, PutsRelevantFeaturesOfGeneratedDataFirst) {
  // Its importance is mostly error, so copies that are easily rebuilt do not come first: only some
  // of the 20 relevant features do.
  const Generated generated = generate_madelon({}, 1);
  const Selection selection = select_with(generated.data, "wast", {});
  for (std::size_t r = 0; r < 7; ++r)
    EXPECT_TRUE(std::binary_search(generated.relevant.begin(), generated.relevant.end(),
                                   selection.ranking[r]))
        << "rank " << r + 1;
  expect_complete(selection, 500);
}

TEST(Wast, UsesTheDensityItIsGiven) {
  const Dataset data = signal_data(100, 50, 0, 5);
  EXPECT_EQ(select_with(data, "wast", kSmallWast).parameters, 2u * 200 + 70);
  EXPECT_EQ(
      select_with(data, "wast", {{"hidden", "20"}, {"epochs", "1"}, {"density", "1"}}).parameters,
      2u * 1000 + 70);
}

TEST(Wast, GivesTheSameBitsWithAnyNumberOfThreads) {
  const Dataset data = signal_data(300, 70, 5, 20);
  const Selection one = select_with(data, "wast", kSmallWast, 0, 1);
  expect_same_result(select_with(data, "wast", kSmallWast, 0, 2), one);
  EXPECT_NE(select_with(data, "wast", kSmallWast, 0, 1, 1).scores, one.scores);
}

TEST(Wast, SurvivesUglyData) { expect_to_survive_ugly_data("wast", kSmallWast); }

TEST(Wast, RefusesWhatItCannotUse) {
  const Dataset data = signal_data(10, 4, 0, 2);
  for (const char* name : {"epsilon", "optimizer", "output-activation", "importance"})
    EXPECT_THROW(select_with(data, "wast", {{name, "1"}}), InvalidArgument) << name;
  EXPECT_THROW(select_with(data, "wast", {{"density", "0"}}), InvalidArgument);
  EXPECT_THROW(select_with(data, "wast", {{"lambda", "1.5"}}), InvalidArgument);
  EXPECT_THROW(select_with(data, "wast", {{"hidden", "20,30"}}), InvalidArgument);
}

}  // namespace
}  // namespace quickselection
