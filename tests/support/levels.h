// tests/support/levels.h: runs a test once at every SIMD level of this machine.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "kernels/dispatch.h"

namespace quickselection {

/// Derive a fixture, write TEST_P, and add QS_AT_EVERY_LEVEL(Fixture).
class AtEveryLevel : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { kernels::force_level(GetParam()); }
  void TearDown() override { kernels::force_level(""); }
};

#define QS_AT_EVERY_LEVEL(Fixture)                                                            \
  INSTANTIATE_TEST_SUITE_P(Levels, Fixture, ::testing::ValuesIn(kernels::available_levels()), \
                           [](const auto& parameter) { return parameter.param; })

}  // namespace quickselection
