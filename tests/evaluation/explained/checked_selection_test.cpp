// tests/evaluation/explained/checked_selection_test.cpp
#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include "core/team.h"
#include "evaluation/explained/predictable.h"
#include "kernels/random/random.h"
#include "quickselection/error.h"
#include "quickselection/explained.h"
#include "support/sample_data.h"

namespace quickselection {
namespace {

/// The first `signal` features share three factors; all others are noise of their own.
Dataset signal_data(std::size_t rows, std::size_t features, std::size_t signal) {
  kernels::RandomStream random(5, kernels::Purpose::evaluation);
  std::vector<double> loading(3 * signal);
  for (double& x : loading) x = random.normal();
  std::vector<float> values;
  for (std::size_t r = 0; r < rows; ++r) {
    const double factor[] = {random.normal(), random.normal(), random.normal()};
    for (std::size_t f = 0; f < features; ++f) {
      double value = 0.5 * random.normal();
      for (std::size_t i = 0; i < 3 && f < signal; ++i) value += factor[i] * loading[3 * f + i];
      values.push_back(static_cast<float>(value));
    }
  }
  return Dataset::from_vector(std::move(values), rows, features);
}

bool warns(const CheckedSelection& found) {
  return std::any_of(
      found.selection.warnings.begin(), found.selection.warnings.end(),
      [](const Warning& warning) { return warning.kind == WarningKind::near_chance; });
}

CheckedSelection check(const Dataset& data, const std::string& method, std::optional<std::size_t> k,
                       bool no_check = false) {
  SelectOptions options;
  options.method = method;
  return select_checked(data, options, {.runs = 1}, {.k = k, .no_check = no_check});
}

TEST(CheckedSelection, WarnsOfRandomFeaturesAndOfNothingBetter) {
  const Dataset data = signal_data(80, 400, 40);
  const CheckedSelection random = check(data, "random", 20);
  ASSERT_TRUE(warns(random));
  EXPECT_EQ(random.selection.warnings.back().option, "method");
  EXPECT_NE(random.selection.warnings.back().text.find("‹method cover›"), std::string::npos);
  for (const char* method : {"cover", "variance"}) {
    const CheckedSelection good = check(data, method, 20);
    EXPECT_FALSE(warns(good));
    EXPECT_GT(good.explained->chosen, random.explained->chosen);
    EXPECT_EQ(good.explained->random, random.explained->random);
  }
}

TEST(CheckedSelection, IsTheSameSelectionWithAndWithoutACheck) {
  const Dataset data = signal_data(50, 60, 10);
  const CheckedSelection with = check(data, "variance", 5),
                         without = check(data, "variance", 5, true);
  EXPECT_EQ(with.selection.ranking, without.selection.ranking);
  EXPECT_EQ(with.selection.k, 5u);
  EXPECT_TRUE(with.explained.has_value());
  EXPECT_FALSE(without.explained.has_value());
  EXPECT_FALSE(warns(check(data, "random", 5, true)));
  EXPECT_EQ(check(data, "variance", 0).selection.k, 50u);
  EXPECT_THROW(check(data, "variance", 61), InvalidArgument);
}

TEST(CheckedSelection, AutomaticIsTheSmallestNumberThatExplainsNearlyAll) {
  const Dataset data = signal_data(100, 200, 30);
  Team team(1);
  const RunContext context;
  const Predictable known(data, team, context);
  for (const char* method : {"variance", "random"}) {
    const CheckedSelection found = check(data, method, std::nullopt);
    const std::size_t k = found.selection.k;
    ASSERT_GT(k, 1u);
    const double wanted = kNearlyAll * found.explained->together;
    EXPECT_EQ(found.explained->k, k);
    const auto first = [&](std::size_t count) {
      return known.shared(std::span(found.selection.ranking).first(count));
    };
    EXPECT_GE(first(k), wanted);
    EXPECT_LT(first(k - 1), wanted);
    EXPECT_NE(found.selection.notes.back().find("‹k auto›"), std::string::npos);
  }
  EXPECT_LT(check(data, "variance", std::nullopt).selection.k,
            check(data, "random", std::nullopt).selection.k);
}

TEST(CheckedSelection, AutomaticTakesTheNumberOfCoverWhereTheRankingDependsOnIt) {
  const Dataset data = signal_data(100, 200, 30);
  const CheckedSelection cover = check(data, "cover", std::nullopt);
  EXPECT_LT(cover.selection.k, 30u);
  EXPECT_GE(cover.explained->cover, kNearlyAll * cover.explained->together);
  EXPECT_GE(cover.selection.k, 3u);  // as many as there are factors
  EXPECT_EQ(check(data, "mcfs", std::nullopt).selection.k, cover.selection.k);
  EXPECT_FALSE(check(data, "cover", std::nullopt, true).explained.has_value());
}

TEST(CheckedSelection, AutomaticFallsBackWhereNothingCanBePredicted) {
  const Dataset noise = signal_data(60, 80, 0);
  const Dataset constant = Dataset::from_vector(std::vector<float>(60, 3.0f), 20, 3);
  for (const char* method : {"variance", "cover"}) {
    EXPECT_EQ(check(noise, method, std::nullopt).selection.k, 50u);
    EXPECT_EQ(check(constant, method, std::nullopt).selection.k, 3u);
    EXPECT_EQ(check(signal_data(30, 1, 1), method, std::nullopt).selection.k, 1u);
  }
}

TEST(CheckedSelection, SeveralRunsHaveTheStabilityOfTheAutomaticNumber) {
  const Dataset data = signal_data(60, 30, 12);
  SelectOptions options;
  options.method = "random";
  const CheckedSelection found = select_checked(data, options, {.runs = 3}, {.k = std::nullopt});
  ASSERT_TRUE(found.stability.has_value());
  EXPECT_EQ(found.stability->k, found.selection.k);
  EXPECT_EQ(found.stability->runs_are, "runs with different seeds");
  EXPECT_EQ(found.rankings.size(), 3u);
}

}  // namespace
}  // namespace quickselection
