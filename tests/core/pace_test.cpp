// tests/core/pace_test.cpp: when progress is told, and what it says.
#include "core/pace.h"

#include <gtest/gtest.h>

#include <vector>

namespace quickselection {
namespace {

TEST(Pace, TellsTheBeginningAndTheEndAndNotEveryStep) {
  std::vector<Progress> heard;
  RunContext context;
  context.progress = [&](const Progress& progress) { heard.push_back(progress); };
  Pace pace("count", 1e6, context);
  for (int i = 0; i < 1'000'000; ++i) pace.advance(1);
  ASSERT_GE(heard.size(), 2u);
  EXPECT_EQ(heard.front().done, 1u);
  EXPECT_EQ(heard.back().done, 1'000'000u);
  EXPECT_EQ(heard.back().task, "count");
  EXPECT_EQ(heard.back().seconds_left, 0);
  for (std::size_t i = 2; i + 1 < heard.size(); ++i)
    EXPECT_GE(heard[i].seconds - heard[i - 1].seconds, 0.099);
}

TEST(Pace, TellsANewTaskAtOnceWithWhatItKnows) {
  std::vector<Progress> heard;
  RunContext context;
  context.progress = [&](const Progress& progress) { heard.push_back(progress); };
  Pace pace("first", 100, context, 40);
  pace.reach(40);
  pace.reach(50, {.task = "second", .epoch = 3, .epochs = 7, .loss = 0.5});
  ASSERT_EQ(heard.size(), 2u);
  EXPECT_LT(heard[0].seconds_left, 0) << "nothing is known of the speed";
  EXPECT_NEAR(heard[1].seconds_left, 5 * heard[1].seconds, 1e-9) << "what was done before is free";
  EXPECT_EQ(heard[1].epochs, 7u);
}

TEST(Pace, StopsWhenAsked) {
  std::atomic<bool> stop{false};
  RunContext context;
  EXPECT_FALSE(stopping(context));
  context.stop = &stop;
  EXPECT_NO_THROW(check_stop(context));
  stop = true;
  EXPECT_TRUE(stopping(context));
  EXPECT_THROW(Pace("x", 1, context).check_stop(), Interrupted);
}

}  // namespace
}  // namespace quickselection
