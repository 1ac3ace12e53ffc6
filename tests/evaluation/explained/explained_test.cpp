// tests/evaluation/explained/explained_test.cpp
#include "quickselection/explained.h"

#include <gtest/gtest.h>

#include <numeric>
#include <span>

#include "core/pace.h"
#include "evaluation/explained/predictable.h"
#include "quickselection/error.h"
#include "selectors/cover/cover_reference.h"
#include "selectors/cover/honest_r2.h"
#include "support/sample_data.h"

namespace quickselection {
namespace {

std::vector<std::uint32_t> in_order(std::size_t features) {
  std::vector<std::uint32_t> ranking(features);
  std::iota(ranking.begin(), ranking.end(), 0u);
  return ranking;
}

Dataset noise_data(std::size_t rows, std::size_t features, double scale = 1) {
  kernels::RandomStream random(4, kernels::Purpose::evaluation);
  std::vector<float> values(rows * features);
  for (float& x : values) x = static_cast<float>(scale * random.normal());
  return Dataset::from_vector(std::move(values), rows, features);
}

/// Every regression fitted by itself, on all rows but one. Chosen features are weighted.
double plain_share(const literal::Matrix& z, const literal::Vector& weight, long chosen) {
  const long n = z.rows(), d = z.cols();
  const Eigen::RowVectorXd root = weight.head(chosen).cwiseSqrt();
  double best = -1e300;
  for (const double ridge : {0.001, 0.01, 0.1, 1.0, 10.0, 100.0}) {
    double missed = 0, all = 0;
    for (long i = 0; i < n; ++i) {
      literal::Matrix rest(n - 1, d);
      for (long r = 0, to = 0; r < n; ++r)
        if (r != i) rest.row(to++) = z.row(r);
      const Eigen::RowVectorXd mean = rest.colwise().mean();
      rest = literal::centred(rest);
      const literal::Matrix x = rest.leftCols(chosen) * root.asDiagonal();
      literal::Matrix normal = x.transpose() * x;
      normal.diagonal().array() += ridge * static_cast<double>(n);
      const literal::Matrix beta = normal.ldlt().solve(x.transpose() * rest);
      const Eigen::RowVectorXd here = z.row(i) - mean;
      Eigen::RowVectorXd error = here - here.head(chosen).cwiseProduct(root) * beta;
      error.head(chosen).setZero();
      missed += error.array().square().matrix().dot(weight);
      all += here.array().square().matrix().dot(weight);
    }
    best = std::max({best, 0.0, 1 - missed / all});
  }
  return best;
}

TEST(Explained, IsWhatPlainRegressionsOnLeftOutRowsGive) {
  for (const auto& [rows, features] : {std::pair{25u, 12u}, {12u, 30u}, {11u, 11u}}) {
    const Dataset data = factor_data(rows, features);
    Team team(1);
    const Scaler scaler = fit_scaler(data, ScaleMode::automatic, 0, team);
    const literal::Matrix z = literal::scaled(data, scaler);
    const kernels::SerialBlas serial;
    const RunContext context;
    const Pace pace("test", 1, context);
    Columns columns({&data, {}, &scaler}, Look::values, team);
    const double ridge = honest_r2(columns, RidgeRule::least_error, pace).ridge;
    const literal::Vector weight = literal::honest_r2(z, ridge).cwiseMax(0);
    const Explained found = explained(data, in_order(features), 3);
    EXPECT_EQ(found.rows, rows);
    const literal::Vector squares = z.colwise().squaredNorm();
    EXPECT_NEAR(found.predictable, weight.dot(squares) / squares.sum(), 1e-4);
    EXPECT_NEAR(found.together, weight.cwiseProduct(weight).dot(squares) / weight.dot(squares),
                1e-4);
    ASSERT_EQ(found.curve.k.back(), features);
    EXPECT_EQ(found.curve.k[2], 3u);
    EXPECT_EQ(found.chosen, found.curve.chosen[2]);
    const Predictable known(data, team, context);
    const auto all = in_order(features);
    EXPECT_NEAR(known.shared(all), found.together, 1e-4);
    const literal::Vector alone = weight.array() * (1 - weight.array()) * squares.array();
    EXPECT_NEAR(known.shared(std::span(all).first(3)),
                found.chosen - alone.head(3).sum() / weight.dot(squares), 1e-4);
    for (std::size_t i = 0; i < found.curve.k.size(); ++i) {
      SCOPED_TRACE(found.curve.k[i]);
      EXPECT_NEAR(found.curve.chosen[i],
                  plain_share(z, weight, static_cast<long>(found.curve.k[i])), 1e-4);
    }
  }
}

TEST(Explained, GivesTheSameBitsForAnyThreadsAndForSparseData) {
  const Dataset data = count_data<std::uint8_t>(60, 90);
  const auto with = [&](int threads) {
    RunContext context;
    context.threads = threads;
    return explained(data, in_order(90), 20, context);
  };
  const Explained one = with(1);
  const auto expect_equal = [&](const Explained& other) {
    EXPECT_EQ(one.predictable, other.predictable);
    EXPECT_EQ(one.curve.chosen, other.curve.chosen);
    EXPECT_EQ(one.curve.random, other.curve.random);
    EXPECT_EQ(one.curve.spread, other.curve.spread);
    EXPECT_EQ(one.curve.cover, other.curve.cover);
  };
  for (const int threads : {2, 3, 7}) expect_equal(with(threads));
  expect_equal(explained(to_sparse<std::uint8_t>(data), in_order(90), 20));
}

TEST(Explained, CoverBeatsChanceAndAllFeaturesExplainEverything) {
  const Dataset data = factor_data(40, 25);
  const Explained found = explained(data, in_order(25), 2);
  EXPECT_GT(found.cover, found.random);
  EXPECT_EQ(found.curve.k, (std::vector<std::size_t>{1, 2, 5, 10, 20, 25}));
  for (const auto* line : {&found.curve.chosen, &found.curve.random, &found.curve.cover})
    EXPECT_NEAR(line->back(), 1, 1e-5);
  const Explained all = explained(data, in_order(25), 25);
  EXPECT_NEAR(all.chosen, 1, 1e-5);
  EXPECT_FALSE(all.near_chance());
}

TEST(Explained, ManyFeaturesOfNoiseThatAgreeALittleWithASignalPredictNothing) {
  // 12 features of one signal; of 4000 of pure noise 200 that happen to agree with it, but no more
  // than others predict of them.
  const std::size_t rows = 40, signals = 12, features = signals + 4000;
  kernels::RandomStream random(6, kernels::Purpose::evaluation);
  std::vector<float> values(rows * features);
  std::vector<double> agreement(features);
  for (std::size_t r = 0; r < rows; ++r) {
    const double signal = r % 2 == 0 ? 2 : -2;
    for (std::size_t f = 0; f < features; ++f) {
      const double value = random.normal() + (f < signals ? signal : 0);
      values[r * features + f] = static_cast<float>(value);
      agreement[f] += value * signal;
    }
  }
  std::vector<std::uint32_t> ranking = in_order(features);
  std::sort(ranking.begin(), ranking.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::abs(agreement[a]) > std::abs(agreement[b]);
  });
  std::rotate(ranking.begin(), ranking.begin() + 500, ranking.end());
  const Explained found =
      explained(Dataset::from_vector(std::move(values), rows, features), ranking, 200);
  EXPECT_LT(found.chosen, 0.3);
  EXPECT_GT(found.cover, 0.8);
}

TEST(Explained, OneOfManyCopiesExplainsThemAll) {
  std::vector<float> values;
  for (int r = 0; r < 50; ++r)
    for (int f = 0; f < 6; ++f) values.push_back(static_cast<float>(r * r % 17));
  const Dataset data = Dataset::from_vector(std::move(values), 50, 6);
  EXPECT_GT(explained(data, in_order(6), 1).chosen, 0.99);
}

TEST(Explained, IsNearChanceByTheRatioOfWhatIsLeft) {
  const auto near = [](double chosen, double random, double spread, double cover) {
    Explained found;
    found.rows = 100;
    found.together = 0.9;
    found.chosen = chosen;
    found.random = random;
    found.spread = spread;
    found.cover = cover;
    return found.near_chance();
  };
  // 1 - sqrt(0.8 x 0.072) = 0.76: more than half the way between the shares.
  EXPECT_TRUE(near(0.75, 0.2, 0.1, 0.928));
  EXPECT_FALSE(near(0.77, 0.2, 0.1, 0.928));
  EXPECT_TRUE(near(0.1, 0.2, 0.1, 0.928));  // worse than chance
  // Where `cover` leaves nothing, nearly all is enough.
  EXPECT_FALSE(near(0.95, 0.2, 0.1, 1));
  EXPECT_TRUE(near(0.9, 0.2, 0.1, 1));
  EXPECT_FALSE(near(1, 0.2, 0.1, 1));
  // Nothing better is known.
  EXPECT_FALSE(near(0.2, 0.2, 0.1, 0.29));
  EXPECT_FALSE(near(0.95, 0.95, 0, 0.955));
}

TEST(Explained, NoiseCanNotBePredicted) {
  for (const auto& [rows, features] : {std::pair{50u, 2000u}, {100u, 300u}, {600u, 40u}}) {
    const Explained found = explained(noise_data(rows, features), in_order(features), 10);
    EXPECT_TRUE(found.nothing_to_predict()) << found.together;
    EXPECT_FALSE(found.near_chance());
    EXPECT_NE(describe(found).find("nothing can be said"), std::string::npos);
  }
}

TEST(Explained, HasNothingToSayAboutTheSmallestData) {
  const auto expect_silence = [](const Dataset& data, std::size_t k) {
    const Explained found = explained(data, in_order(data.features()), k);
    EXPECT_TRUE(found.nothing_to_predict());
    EXPECT_FALSE(found.near_chance());
    for (const double share : found.curve.chosen) EXPECT_TRUE(std::isfinite(share));
  };
  expect_silence(noise_data(30, 1), 1);  // one feature
  expect_silence(noise_data(2, 1), 1);
  expect_silence(noise_data(1, 4), 2);                                              // one row
  expect_silence(Dataset::from_vector(std::vector<float>(60, 3.0f), 20, 3), 2);     // constant
  EXPECT_TRUE(std::isfinite(explained(factor_data(2, 5), in_order(5), 2).chosen));  // two rows
}

TEST(Explained, SamplesRowsWhenThereAreMany) {
  const Dataset data = factor_data(3000, 8);
  const Explained found = explained(data, in_order(8), 2);
  EXPECT_EQ(found.rows, 512u);
  Dataset labelled = data;
  labelled.labels = Labels{std::vector<std::int32_t>(3000, 0), {"a"}};
  EXPECT_EQ(explained(labelled, in_order(8), 2).curve.chosen, found.curve.chosen);
}

TEST(Explained, RefusesWhatIsNoRanking) {
  const Dataset data = factor_data(10, 4);
  EXPECT_THROW(explained(data, in_order(4), 0), InvalidArgument);
  EXPECT_THROW(explained(data, in_order(4), 5), InvalidArgument);
  EXPECT_THROW(explained(data, in_order(5), 3), InvalidArgument);
}

}  // namespace
}  // namespace quickselection
