// tests/selectors/methods/mcfs_test.cpp
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <string>

#include "selectors/graph/graph_reference.h"
#include "selectors/graph/lasso_reference.h"
#include "support/slow_eigen.h"

namespace quickselection {
namespace {

using testing::Contains;
using testing::Field;
using testing::HasSubstr;

Selection run_mcfs(const Dataset& data, std::size_t k, std::size_t clusters, int threads = 1,
                   ScaleMode scale = ScaleMode::none, const std::string& weights = "heat") {
  SelectOptions options;
  options.method = "mcfs";
  options.k = k;
  options.method_options = {{"clusters", std::to_string(clusters)}, {"weights", weights}};
  options.scale = scale;
  return select_features(data, options, {threads, {}, nullptr});
}

/// Cai, Zhang and He: the generalised eigenproblem with full matrices, then for each eigenvector
/// the L1 regression with k coefficients, then the greatest of a feature's absolute coefficients.
Vector literal_scores(const Matrix& x, const Matrix& s, long k, long clusters) {
  const Matrix d = s.rowwise().sum().asDiagonal();
  const Matrix vectors = slow_eigen(d - s, d).vectors;
  Vector scores = Vector::Zero(x.cols());
  for (long i = 1; i <= clusters; ++i)
    scores = scores.cwiseMax(sparse_regression(x, vectors.col(i), k).cwiseAbs());
  return scores;
}

void expect_literal(const Dataset& data, std::size_t k, std::size_t clusters,
                    const std::string& weights = "heat") {
  const Matrix x = matrix_of(data);
  const Vector expected = literal_scores(x, weight_matrix(x, 5, weights), static_cast<long>(k),
                                         static_cast<long>(clusters));
  const auto found = run_mcfs(data, k, clusters, 2, ScaleMode::none, weights).scores;
  for (std::size_t f = 0; f < data.features(); ++f)
    EXPECT_NEAR(std::max(0.0, found[f]), expected(static_cast<long>(f)), 1e-6) << f;
}

TEST(Mcfs, IsThatOfThePaper) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    expect_literal(clustered_data(60, 9, 3, seed), 4, 3);
    expect_literal(clustered_data(60, 9, 3, seed), 4, 3, "binary");
    expect_literal(clustered_data(240, 7, 3, seed), 3, 2);  // the sparse solver
  }
}

TEST(Mcfs, IsThatOfThePaperWhereRowsTieAndRepeat) {
  expect_literal(tied_data(45, 6, 2), 3, 2);
  expect_literal(tied_data(60, 8, 3), 3, 2, "binary");
}

TEST(Mcfs, OneFeature) { expect_literal(clustered_data(40, 1), 1, 2); }

TEST(Mcfs, TwoRows) {
  const Selection selection =
      run_mcfs(Dataset::from_vector(std::vector<float>{0, 1, 5, 1, 1, 0}, 2, 3), 1, 5);
  EXPECT_EQ(selection.ranking[0], 2u);
  EXPECT_EQ(selection.ranking[2], 1u);  // constant
  EXPECT_THAT(selection.warnings,
              Contains(Field(&Warning::text, HasSubstr("only 1 eigenvectors"))));
}

TEST(Mcfs, AtLeastKFeaturesAreAboveZeroAndTheRestBelow) {
  const Dataset data = clustered_data(150, 40);
  for (const std::size_t k : {1u, 5u, 20u}) {
    const auto scores = run_mcfs(data, k, 3).scores;
    const auto positive =
        std::count_if(scores.begin(), scores.end(), [](double s) { return s > 0; });
    EXPECT_GE(positive, static_cast<long>(k));
    EXPECT_LE(positive, static_cast<long>(3 * k));
    // Those below zero are told apart as well; the next one of each regression is at 0.
    EXPECT_GE(std::set<double>(scores.begin(), scores.end()).size(), 40u - 2u);
    for (const double score : scores) EXPECT_GE(score, -1);
  }
}

TEST(Mcfs, MoreFeaturesThanThereAreAreRefused) {
  const Dataset data = clustered_data(50, 6);
  EXPECT_THROW(run_mcfs(data, 50, 2), InvalidArgument);
  EXPECT_NO_THROW(run_mcfs(data, 6, 2));
}

TEST(Mcfs, ConstantAndRepeatedFeatures) {
  std::vector<float> values;
  const Dataset base = clustered_data(80, 5);
  for (std::size_t r = 0; r < 80; ++r)
    for (std::size_t f = 0; f < 8; ++f)
      values.push_back(f == 2 ? 7.0f : static_cast<float>(base.at(r, f % 5)));
  const Selection selection =
      run_mcfs(Dataset::from_vector(values, 80, 8), 4, 3, 1, ScaleMode::minmax);
  EXPECT_EQ(selection.ranking.back(), 2u);
  EXPECT_LE(selection.scores[5], 0);  // repeats feature 0 and adds nothing
}

TEST(Mcfs, FindsTheFeaturesThatMakeTheClusters) {
  kernels::RandomStream random(5, kernels::Purpose::evaluation);
  std::vector<double> values;
  for (int r = 0; r < 300; ++r)
    for (int f = 0; f < 20; ++f) {
      const double center = f == 7 ? 6.0 * (r % 3 == 0) : f == 11 ? 6.0 * (r % 3 == 1) : 0;
      values.push_back(center + random.normal());
    }
  const auto ranking = run_mcfs(Dataset::from_vector(values, 300, 20), 2, 2).ranking;
  EXPECT_EQ((std::set<std::uint32_t>{ranking[0], ranking[1]}), (std::set<std::uint32_t>{7, 11}));
}

TEST(Mcfs, GraphInPartsWorks) {
  const Selection selection = run_mcfs(clustered_data(300, 12, 4, 1, 100), 5, 4);
  for (const double score : selection.scores) EXPECT_TRUE(std::isfinite(score));
  EXPECT_GT(selection.scores[selection.ranking[4]], 0);
}

TEST(Mcfs, SparseDataGivesTheSameBitsAsDenseData) {
  const Dataset data = tied_data(90, 150);
  EXPECT_EQ(run_mcfs(sparse_copy(data), 10, 3).scores, run_mcfs(data, 10, 3).scores);
}

TEST(Mcfs, SameBitsForAnyNumberOfThreads) {
  const Dataset data = clustered_data(400, 300);
  const auto expected = run_mcfs(data, 20, 4, 1, ScaleMode::minmax).scores;
  EXPECT_EQ(run_mcfs(data, 20, 4, 2, ScaleMode::minmax).scores, expected);
  EXPECT_EQ(run_mcfs(data, 20, 4, 3, ScaleMode::minmax).scores, expected);
}

TEST(Mcfs, OptionsOfOthersAreRefused) {
  SelectOptions options;
  options.method = "mcfs";
  options.method_options = {{"gamma", "1"}};
  EXPECT_THROW(check_options(options), InvalidArgument);
  options.method_options = {{"clusters", "0"}};
  EXPECT_THROW(check_options(options), InvalidArgument);
}

TEST(Mcfs, ReportsProgressAndStopsWhenAsked) {
  std::atomic<bool> stop{false};
  std::set<std::string> tasks;
  SelectOptions options;
  options.method = "mcfs";
  const auto note = [&](const Progress& progress) {
    tasks.insert(progress.task);
    EXPECT_LE(progress.done, progress.total);
    if (progress.task == "regress") stop = true;
  };
  EXPECT_THROW(select_features(clustered_data(200, 60), options, {2, note, &stop}), Interrupted);
  EXPECT_THAT(tasks, Contains("regress"));
}

}  // namespace
}  // namespace quickselection
