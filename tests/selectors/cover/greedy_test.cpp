// tests/selectors/cover/greedy_test.cpp
#include "selectors/cover/greedy.h"

#include <gtest/gtest.h>

#include "kernels/gemm.h"
#include "selectors/cover/cover_reference.h"
#include "support/sample_data.h"

namespace quickselection {
namespace {

Covered run(const Dataset& data, const Scaler& scaler, const std::vector<double>& shared,
            double noise, std::size_t count, int threads, std::size_t kept = Columns::kKept) {
  const kernels::SerialBlas serial;
  Team team(threads);
  const RunContext context;
  Pace pace("test", 1, context);
  Columns columns({&data, {}, &scaler}, Look::values, team, kept);
  std::vector<CoverPart> parts;
  parts.emplace_back(columns, shared, CoverPart::Setting{columns.rows(), noise}, team, pace);
  return cover(parts, columns.columns(), count, pace);
}

struct Case {
  Dataset data;
  Scaler scaler;
  std::vector<double> shared;
  literal::Matrix z;
  literal::Vector weights;

  Case(std::size_t rows, std::size_t features) : data(factor_data(rows, features)) {
    Team team(1);
    scaler = fit_scaler(data, ScaleMode::center, 0, team);
    z = literal::scaled(data, scaler);
    weights.resize(static_cast<long>(features));
    for (std::size_t f = 0; f < features; ++f) {
      shared.push_back(f % 5 == 4 ? 0 : 0.2 + 0.7 * static_cast<double>(f % 4) / 4);
      weights(static_cast<long>(f)) = shared.back();
    }
  }
};

TEST(CoverGreedy, ChoosesAsThePlainCovarianceDoes) {
  for (const auto& [rows, features] : {std::pair{30u, 60u}, {40u, 20u}, {10u, 50u}}) {
    const Case c(rows, features);
    for (const double noise : {0.3, 3.0, 30.0}) {
      SCOPED_TRACE(noise);
      const std::size_t count = 15;
      std::size_t rounds = 0;
      const Covered covered = run(c.data, c.scaler, c.shared, noise, count, 1);
      EXPECT_EQ(covered.order, literal::cover(c.z, c.weights, noise, count, &rounds));
      EXPECT_EQ(covered.rounds, rounds);
    }
  }
}

TEST(CoverGreedy, BeginsAgainWhenEverythingIsExplained) {
  const Case c(8, 60);
  std::size_t rounds = 0;
  const Covered covered = run(c.data, c.scaler, c.shared, 0.5, 30, 1);
  EXPECT_EQ(covered.order, literal::cover(c.z, c.weights, 0.5, 30, &rounds));
  EXPECT_GT(rounds, 0u);
  EXPECT_EQ(covered.rounds, rounds);
}

TEST(CoverGreedy, SameChoiceForAnyThreadsAndWhenNothingIsKept) {
  const Case c(50, 300);
  const Covered one = run(c.data, c.scaler, c.shared, 5, 40, 1);
  for (const int threads : {2, 3, 7}) {
    const Covered more = run(c.data, c.scaler, c.shared, 5, 40, threads);
    EXPECT_EQ(more.order, one.order);
    EXPECT_EQ(more.alone, one.alone);
  }
  EXPECT_EQ(run(c.data, c.scaler, c.shared, 5, 40, 2, 0).order, one.order);
}

TEST(CoverGreedy, NothingSharedGivesNoOrder) {
  const Case c(20, 10);
  EXPECT_TRUE(run(c.data, c.scaler, std::vector<double>(10), 1, 5, 1).order.empty());
}

}  // namespace
}  // namespace quickselection
