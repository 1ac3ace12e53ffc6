// tests/core/text/counted_test.cpp: one of something, or several.
#include "core/text/counted.h"

#include <gtest/gtest.h>

namespace quickselection {
namespace {

TEST(Counted, OneIsNotSeveral) {
  EXPECT_EQ(counted(0, "feature"), "0 features");
  EXPECT_EQ(counted(1, "feature"), "1 feature");
  EXPECT_EQ(counted(2, "missing value"), "2 missing values");
}

}  // namespace
}  // namespace quickselection
