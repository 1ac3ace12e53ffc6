// tests/selectors/methods/concrete_autoencoder_test.cpp
#include <gtest/gtest.h>

#include <set>

#include "kernels/random/random.h"
#include "quickselection/error.h"
#include "support/selecting.h"

namespace quickselection {
namespace {

const std::vector<GivenOption> kSmallConcreteAutoencoder = {{"epochs", "3"}};

/// Three signals with six copies each: features 0 to 5, 6 to 11 and 12 to 17. The first copy is the
/// signal itself, the others have noise: of equal ones the selector could not choose.
Dataset three_signals(std::size_t rows) {
  kernels::RandomStream random(3, kernels::Purpose::evaluation);
  std::vector<float> values;
  for (std::size_t r = 0; r < rows; ++r)
    for (int group = 0; group < 3; ++group) {
      const double signal = random.normal();
      for (int copy = 0; copy < 6; ++copy)
        values.push_back(static_cast<float>(signal + (copy == 0 ? 0 : random.normal())));
    }
  return Dataset::from_vector(std::move(values), rows, 18);
}

double measure(const Selection& selection, std::size_t which) {
  return std::visit(
      [](const auto& value) -> double {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>)
          return -1;
        else
          return static_cast<double>(value);
      },
      selection.measures.at(which).value);
}

TEST(ConcreteAutoencoder, TakesOneFeatureOfEachSignal) {
  const Selection selection =
      select_with(three_signals(600), "concrete_autoencoder",
                  {{"epochs", "150"}, {"learning-rate", "0.01"}, {"hidden", "20"}}, 3);
  const std::set<std::uint32_t> chosen(selection.ranking.begin(), selection.ranking.begin() + 3);
  EXPECT_EQ(chosen, (std::set<std::uint32_t>{0, 6, 12}));
  EXPECT_GT(measure(selection, 0), 0.99) << "the mean of the maxima";
  EXPECT_EQ(measure(selection, 1), 3);
  EXPECT_TRUE(selection.warnings.empty());
  EXPECT_LT(selection.loss.back(), 0.3 * selection.loss.front());
  EXPECT_EQ(selection.scale, ScaleMode::minmax);
}

TEST(ConcreteAutoencoder, GivesKDifferentFeaturesBeforeAllOthersWhenItHasNotConverged) {
  const Dataset data = signal_data(60, 30, 0, 5);
  const Selection selection =
      select_with(data, "concrete_autoencoder", kSmallConcreteAutoencoder, 12);
  expect_complete(selection, 30);
  EXPECT_EQ(std::count_if(selection.scores.begin(), selection.scores.end(),
                          [](double score) { return score > 1; }),
            12);
  EXPECT_LT(measure(selection, 0), 0.5);
  bool warned = false;
  for (const Warning& warning : selection.warnings)
    warned = warned || warning.kind == WarningKind::not_converged;
  EXPECT_TRUE(warned);
}

TEST(ConcreteAutoencoder, CountsItsParameters) {
  const Dataset data = signal_data(60, 30, 0, 5);
  EXPECT_EQ(select_with(data, "concrete_autoencoder", kSmallConcreteAutoencoder, 10).parameters,
            10u * 30 + 10 * 15 + 15 + 15 * 30 + 30);
}

TEST(ConcreteAutoencoder, GivesTheSameBitsWithAnyNumberOfThreads) {
  const Dataset data = signal_data(150, 70, 5, 20);
  const Selection one = select_with(data, "concrete_autoencoder", kSmallConcreteAutoencoder, 30, 1);
  expect_same_result(select_with(data, "concrete_autoencoder", kSmallConcreteAutoencoder, 30, 2),
                     one);
  EXPECT_NE(select_with(data, "concrete_autoencoder", kSmallConcreteAutoencoder, 30, 1, 1).scores,
            one.scores);
}

TEST(ConcreteAutoencoder, SurvivesUglyData) {
  expect_to_survive_ugly_data("concrete_autoencoder", kSmallConcreteAutoencoder);
}

TEST(ConcreteAutoencoder, RefusesWhatItCannotUse) {
  const Dataset data = signal_data(10, 4, 0, 2);
  for (const char* name : {"epsilon", "zeta", "optimizer", "momentum", "alpha"})
    EXPECT_THROW(select_with(data, "concrete_autoencoder", {{name, "1"}}), InvalidArgument) << name;
  EXPECT_THROW(select_with(data, "concrete_autoencoder", {{"end-temperature", "0"}}),
               InvalidArgument);
  EXPECT_THROW(select_with(data, "concrete_autoencoder", {}, 5), InvalidArgument)
      << "more features than there are";
}

}  // namespace
}  // namespace quickselection
