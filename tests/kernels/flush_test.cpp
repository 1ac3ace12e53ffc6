// tests/kernels/flush_test.cpp
#include "kernels/flush.h"

#include <gtest/gtest.h>

namespace quickselection::kernels {
namespace {

float product(float a, float b) {
  volatile float x = a, y = b;
  return x * y;
}

TEST(FlushTinyNumbers, TakesThemForZeroWhileItLives) {
  EXPECT_NE(product(1e-30f, 1e-10f), 0.0f);
  {
    const FlushTinyNumbers flush;
    EXPECT_EQ(product(1e-30f, 1e-10f), 0.0f);
    EXPECT_EQ(product(1e-40f, 1.0f), 0.0f);
    EXPECT_EQ(product(1e-30f, 0.5f), 5e-31f);
    {
      const FlushTinyNumbers again;
      EXPECT_EQ(product(1e-30f, 1e-10f), 0.0f);
    }
    EXPECT_EQ(product(1e-30f, 1e-10f), 0.0f);
  }
  EXPECT_NE(product(1e-30f, 1e-10f), 0.0f);
}

}  // namespace
}  // namespace quickselection::kernels
