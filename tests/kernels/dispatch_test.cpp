// tests/kernels/dispatch_test.cpp: a forced SIMD level is the one that runs.
#include "kernels/dispatch.h"

#include <gmock/gmock.h>

#include <map>

#include "core/aligned.h"
#include "kernels/layer/layer.h"
#include "quickselection/error.h"
#include "support/levels.h"

namespace quickselection::kernels {
namespace {

const std::map<std::string, std::size_t> kLanesOf{
    {"SSE4", 4}, {"AVX2", 8}, {"AVX3", 16}, {"AVX3_BF16", 16}, {"NEON", 4}};
const std::map<std::string, bool> kFusesMultiplyAdd{
    {"SSE4", false}, {"AVX2", true}, {"AVX3", true}, {"AVX3_BF16", true}, {"NEON", true}};
const std::string kMultipliesPackedRows = "AVX3_BF16";

class Dispatch : public AtEveryLevel {};
QS_AT_EVERY_LEVEL(Dispatch);

TEST_P(Dispatch, NamesTheForcedLevelAndItsWidth) {
  EXPECT_EQ(level(), GetParam());
  ASSERT_TRUE(kLanesOf.contains(GetParam())) << "a new level: add it to this test";
  EXPECT_EQ(lanes(), kLanesOf.at(GetParam()));
  EXPECT_EQ(multiplies_packed_rows(), GetParam() == kMultipliesPackedRows);
}

// The kernels themselves, not only the functions that name a level: whether a product is rounded
// before it is added shows which instructions ran.
TEST_P(Dispatch, RunsTheKernelsOfTheForcedLevel) {
  const std::uint64_t offsets[] = {0, 1};
  const std::uint32_t column = 0;
  const float weight = 1 + 0x1p-12f, bias = -(1 + 0x1p-11f);
  AlignedArray<float> input(lanes()), out(lanes());
  for (float& x : input) x = 1 + 0x1p-12f;
  ForwardJob job;
  job.layer = {offsets, &column, &weight};
  job.bias = &bias;
  job.plain = input.data();
  job.sums = out.data();
  job.stride = job.samples = lanes();
  job.activation = Activation::linear;
  forward(job, 0, 1);
  for (const float x : out) EXPECT_EQ(x, kFusesMultiplyAdd.at(GetParam()) ? 0x1p-24f : 0.0f);
}

TEST(ForceLevel, ReturnsToTheBestLevel) {
  const auto levels = available_levels();
  ASSERT_FALSE(levels.empty());
  force_level(levels.back());
  EXPECT_EQ(level(), levels.back());
  force_level("");
  EXPECT_EQ(level(), levels.front());
  EXPECT_EQ(available_levels(), levels);
}

TEST(ForceLevel, RefusesAnUnknownNameAndRunsTheBestOne) {
  force_level(available_levels().back());
  EXPECT_THROW(force_level("AVX9"), InvalidArgument);
  EXPECT_EQ(level(), available_levels().front());
}

}  // namespace
}  // namespace quickselection::kernels
