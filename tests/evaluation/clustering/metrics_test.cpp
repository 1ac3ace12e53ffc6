// tests/evaluation/clustering/metrics_test.cpp
#include "evaluation/clustering/metrics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/random/random.h"

namespace quickselection {
namespace {

using Codes = std::vector<std::uint32_t>;

TEST(Metrics, AgreeWithValuesWorkedOutByHand) {
  // Clusters {0,0,0,1,1,1}, classes {0,0,1,1,1,1}: the table is [2 1; 0 3].
  const Contingency table = contingency(Codes{0, 0, 0, 1, 1, 1}, Codes{0, 0, 1, 1, 1, 1});
  EXPECT_DOUBLE_EQ(matching_accuracy(table), 5.0 / 6);
  // Information: 2/6 ln 2 + 1/6 ln(1/2) + 3/6 ln(3/2); entropies: ln 2 and the one of {1/3, 2/3}.
  const double information =
      2.0 / 6 * std::log(2) + 1.0 / 6 * std::log(0.5) + 3.0 / 6 * std::log(1.5);
  const double of_classes = -(std::log(1.0 / 3) / 3 + 2 * std::log(2.0 / 3) / 3);
  EXPECT_NEAR(normalized_mutual_information(table), information / ((std::log(2) + of_classes) / 2),
              1e-12);
  // Pairs: together in both 1 + 0 + 3 = 4, in clusters 6, in classes 1 + 6 = 7, of 15.
  EXPECT_NEAR(adjusted_rand_index(table), (4 - 6 * 7 / 15.0) / ((6 + 7) / 2.0 - 6 * 7 / 15.0),
              1e-12);
}

TEST(Metrics, MatchClustersToClassesOneToOne) {
  // Both clusters hold mostly class 0, but only one may have it.
  const Contingency table = contingency(Codes{0, 0, 0, 0, 1, 1, 1}, Codes{0, 0, 0, 0, 0, 0, 1});
  EXPECT_DOUBLE_EQ(matching_accuracy(table), 5.0 / 7);
  // More clusters than classes, and fewer.
  EXPECT_DOUBLE_EQ(matching_accuracy(contingency(Codes{0, 1, 2, 3}, Codes{0, 0, 1, 1})), 0.5);
  EXPECT_DOUBLE_EQ(matching_accuracy(contingency(Codes{0, 0, 0, 0}, Codes{0, 1, 2, 2})), 0.5);
}

TEST(Metrics, ArePerfectForTheSameGroupingUnderOtherNames) {
  const Contingency table = contingency(Codes{2, 2, 0, 1, 1}, Codes{0, 0, 1, 2, 2});
  EXPECT_DOUBLE_EQ(matching_accuracy(table), 1);
  EXPECT_NEAR(normalized_mutual_information(table), 1, 1e-12);
  EXPECT_DOUBLE_EQ(adjusted_rand_index(table), 1);
}

TEST(Metrics, DoNotChangeWhenLabelsArePermuted) {
  kernels::RandomStream random(5, kernels::Purpose::evaluation);
  Codes clusters, classes;
  for (int i = 0; i < 500; ++i) {
    classes.push_back(static_cast<std::uint32_t>(random.below(4)));
    clusters.push_back(random.uniform() < 0.6 ? classes.back()
                                              : static_cast<std::uint32_t>(random.below(5)));
  }
  const Contingency before = contingency(clusters, classes);
  const std::uint32_t cluster_names[] = {3, 0, 4, 2, 1}, class_names[] = {2, 3, 1, 0};
  for (auto& c : clusters) c = cluster_names[c];
  for (auto& c : classes) c = class_names[c];
  const Contingency after = contingency(clusters, classes);
  EXPECT_DOUBLE_EQ(matching_accuracy(before), matching_accuracy(after));
  EXPECT_NEAR(normalized_mutual_information(before), normalized_mutual_information(after), 1e-12);
  EXPECT_NEAR(adjusted_rand_index(before), adjusted_rand_index(after), 1e-12);
  // Information and pairs do not know which side is the clustering.
  const Contingency turned = contingency(classes, clusters);
  EXPECT_NEAR(normalized_mutual_information(turned), normalized_mutual_information(after), 1e-12);
  EXPECT_NEAR(adjusted_rand_index(turned), adjusted_rand_index(after), 1e-12);
}

TEST(Metrics, AreNearZeroForIndependentGroupings) {
  kernels::RandomStream random(6, kernels::Purpose::evaluation);
  Codes clusters, classes;
  for (int i = 0; i < 20000; ++i) {
    clusters.push_back(static_cast<std::uint32_t>(random.below(5)));
    classes.push_back(static_cast<std::uint32_t>(random.below(3)));
  }
  const Contingency table = contingency(clusters, classes);
  EXPECT_NEAR(adjusted_rand_index(table), 0, 0.003);
  EXPECT_NEAR(normalized_mutual_information(table), 0, 0.003);
}

TEST(Metrics, TakeOneGroupAndSingleRows) {
  const Contingency one = contingency(Codes{0, 0, 0}, Codes{0, 0, 0});
  EXPECT_EQ(matching_accuracy(one), 1);
  EXPECT_EQ(normalized_mutual_information(one), 1);
  EXPECT_EQ(adjusted_rand_index(one), 1);
  const Contingency single = contingency(Codes{0, 1, 2}, Codes{2, 0, 1});
  EXPECT_EQ(adjusted_rand_index(single), 1);
  const Contingency split = contingency(Codes{0, 0, 0}, Codes{0, 1, 2});
  EXPECT_EQ(normalized_mutual_information(split), 0);
  EXPECT_EQ(adjusted_rand_index(split), 0);
}

TEST(MeanAndStd, OfTheSample) {
  const MeanStd figure = mean_and_std(std::vector<double>{1, 2, 6});
  EXPECT_DOUBLE_EQ(figure.mean, 3);
  EXPECT_DOUBLE_EQ(figure.std, std::sqrt(7.0));
  EXPECT_EQ(mean_and_std(std::vector<double>{4}).std, 0);
}

}  // namespace
}  // namespace quickselection
