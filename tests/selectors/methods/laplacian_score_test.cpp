// tests/selectors/methods/laplacian_score_test.cpp
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "selectors/graph/graph_reference.h"

namespace quickselection {
namespace {

using testing::Contains;
using testing::Each;
using testing::Field;
using testing::HasSubstr;

/// He, Cai and Niyogi, equations 1 to 3, with full matrices.
std::vector<double> literal_scores(const Matrix& x, const Matrix& s) {
  const Matrix d = s.rowwise().sum().asDiagonal();
  const Matrix l = d - s;
  const Vector ones = Vector::Ones(x.rows());
  std::vector<double> scores;
  for (long f = 0; f < x.cols(); ++f) {
    const Vector column = x.col(f);
    const double mean =
        (column.transpose() * d * ones).value() / (ones.transpose() * d * ones).value();
    const Vector centered = column - mean * ones;
    const double spread = centered.transpose() * d * centered;
    scores.push_back(spread > 1e-12 ? (centered.transpose() * l * centered).value() / spread : 2);
  }
  return scores;
}

void expect_literal(const Dataset& data, std::size_t k, const std::string& weights = "heat",
                    double t = 0) {
  const Selection selection = run_method(
      data, "laplacian_score",
      {{"neighbors", std::to_string(k)}, {"weights", weights}, {"t", std::to_string(t)}}, 2);
  const Matrix x = matrix_of(data);
  const auto expected = literal_scores(x, weight_matrix(x, k, weights, t));
  for (std::size_t f = 0; f < data.features(); ++f)
    EXPECT_NEAR(-selection.scores[f], expected[f], 1e-9) << "feature " << f << " " << weights;
}

TEST(LaplacianScore, IsThatOfThePaper) {
  for (const std::string weights : {"heat", "binary", "cosine"}) {
    expect_literal(clustered_data(80, 12), 5, weights);
    expect_literal(clustered_data(50, 300), 3, weights);  // more than one block of features
  }
  expect_literal(clustered_data(80, 12), 5, "heat", 7.5);
}

TEST(LaplacianScore, IsThatOfThePaperWhereRowsTieAndRepeat) {
  for (const std::string weights : {"heat", "binary"}) {
    expect_literal(tied_data(100, 4), 5, weights);
    expect_literal(tied_data(60, 2), 20, weights);
  }
}

TEST(LaplacianScore, TwoRowsOneFeatureAndTooManyNeighbours) {
  expect_literal(Dataset::from_vector(std::vector<float>{0, 1, 3, 1}, 2, 2), 1);
  expect_literal(clustered_data(30, 1), 5);
  expect_literal(clustered_data(6, 3), 50);
}

TEST(LaplacianScore, ConstantFeaturesAreWorst) {
  std::vector<float> values;
  const Dataset base = clustered_data(40, 3);
  for (std::size_t r = 0; r < 40; ++r)
    for (std::size_t f = 0; f < 3; ++f)
      values.push_back(f == 1 ? 0.1f : static_cast<float>(base.at(r, f)));
  for (const ScaleMode scale : {ScaleMode::none, ScaleMode::minmax, ScaleMode::standard}) {
    const Selection selection =
        run_method(Dataset::from_vector(values, 40, 3), "laplacian_score", {}, 1, scale);
    EXPECT_EQ(selection.ranking.back(), 1u);
    EXPECT_EQ(selection.scores[1], -2);
  }
}

TEST(LaplacianScore, EqualRowsGiveEqualScores) {
  const Dataset data = Dataset::from_vector(std::vector<float>(20, 3.0f), 10, 2);
  EXPECT_THAT(run_method(data, "laplacian_score").scores, Each(-2.0));
}

TEST(LaplacianScore, FindsTheFeatureThatSeparatesClusters) {
  kernels::RandomStream random(5, kernels::Purpose::evaluation);
  std::vector<double> values;
  for (int r = 0; r < 200; ++r)
    for (int f = 0; f < 6; ++f)
      values.push_back(f == 4 ? 10 * (r % 2) + 0.1 * random.normal() : random.normal());
  const Selection selection = run_method(Dataset::from_vector(values, 200, 6), "laplacian_score");
  EXPECT_EQ(selection.ranking[0], 4u);
}

TEST(LaplacianScore, ScalesAsAsked) {
  // Min-max by hand gives what the method does by itself.
  const Dataset data = clustered_data(70, 5);
  Matrix x = matrix_of(data);
  for (long f = 0; f < x.cols(); ++f)
    x.col(f) =
        (x.col(f).array() - x.col(f).minCoeff()) / (x.col(f).maxCoeff() - x.col(f).minCoeff());
  const auto expected = literal_scores(x, weight_matrix(x, 5));
  const Selection selection = run_method(data, "laplacian_score", {}, 1, ScaleMode::minmax);
  for (std::size_t f = 0; f < 5; ++f) EXPECT_NEAR(-selection.scores[f], expected[f], 1e-6);
}

TEST(LaplacianScore, StoredTypeDoesNotMatter) {
  std::vector<std::uint8_t> bytes;
  std::vector<double> doubles;
  kernels::RandomStream random(5, kernels::Purpose::evaluation);
  for (int i = 0; i < 500; ++i) {
    bytes.push_back(static_cast<std::uint8_t>(random.below(256)));
    doubles.push_back(bytes.back());
  }
  EXPECT_EQ(run_method(Dataset::from_vector(bytes, 100, 5), "laplacian_score").scores,
            run_method(Dataset::from_vector(doubles, 100, 5), "laplacian_score").scores);
}

TEST(LaplacianScore, SparseDataGivesTheSameBitsAsDenseData) {
  const Dataset data = tied_data(90, 200);
  for (const ScaleMode scale : {ScaleMode::none, ScaleMode::minmax, ScaleMode::standard})
    EXPECT_EQ(run_method(sparse_copy(data), "laplacian_score", {}, 2, scale).scores,
              run_method(data, "laplacian_score", {}, 2, scale).scores);
}

TEST(LaplacianScore, SameBitsForAnyNumberOfThreads) {
  const Dataset data = clustered_data(300, 290);
  const auto expected = run_method(data, "laplacian_score").scores;
  EXPECT_EQ(run_method(data, "laplacian_score", {}, 2).scores, expected);
  EXPECT_EQ(run_method(data, "laplacian_score", {}, 3).scores, expected);
}

TEST(LaplacianScore, RefusesAWidthThatLeavesNoWeight) {
  try {
    run_method(clustered_data(50, 40), "laplacian_score", {{"t", "1e-9"}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("all weights of the graph are 0"));
    EXPECT_THAT(error.hint(), HasSubstr("‹t›"));
  }
}

TEST(LaplacianScore, SaysHowManyRowsDoNotCount) {
  std::vector<float> values;
  for (int r = 0; r < 20; ++r) values.push_back(static_cast<float>(r < 17 ? r % 5 : 1000 * r));
  const Selection selection =
      run_method(Dataset::from_vector(values, 20, 1), "laplacian_score", {{"t", "1"}});
  EXPECT_THAT(selection.warnings,
              Contains(Field(&Warning::text, HasSubstr("3 of 20 rows have no neighbour"))));
}

TEST(LaplacianScore, OneRowIsRefused) {
  EXPECT_THROW(run_method(clustered_data(1, 3), "laplacian_score"), Error);
}

TEST(LaplacianScore, OptionsOfOthersAreRefused) {
  EXPECT_THROW(run_method(clustered_data(9, 3), "laplacian_score", {{"epochs", "3"}}),
               InvalidArgument);
  EXPECT_THROW(run_method(clustered_data(9, 3), "laplacian_score", {{"neighbors", "0"}}),
               InvalidArgument);
}

TEST(LaplacianScore, StopsWhenAsked) {
  const std::atomic<bool> stop{true};
  SelectOptions options;
  options.method = "laplacian_score";
  EXPECT_THROW(select_features(clustered_data(50, 4), options, {1, {}, &stop}), Interrupted);
}

}  // namespace
}  // namespace quickselection
