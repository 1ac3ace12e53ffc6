// tests/evaluation/evaluate_test.cpp
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/iota.h"
#include "kernels/random/random.h"
#include "quickselection/error.h"
#include "quickselection/evaluation.h"
#include "quickselection/split.h"

namespace quickselection {
namespace {

/// Features 0 and 1 tell the classes apart, 2 copies 0, the others are noise.
Dataset make_data(std::size_t rows, const std::vector<std::string>& classes, std::uint64_t seed = 1,
                  std::size_t features = 12) {
  kernels::RandomStream random(seed, kernels::Purpose::evaluation);
  std::vector<float> values;
  std::vector<std::string> texts;
  for (std::size_t r = 0; r < rows; ++r) {
    const std::size_t c = r % classes.size();
    texts.push_back(classes[c]);
    std::vector<double> row(features);
    for (double& x : row) x = random.normal();
    row[0] += 8 * static_cast<double>(c % 2);
    row[1] += 8 * static_cast<double>(c / 2);
    if (features > 2) row[2] = row[0];
    for (const double x : row) values.push_back(static_cast<float>(x));
  }
  Dataset data = Dataset::from_vector(values, rows, features);
  data.labels = make_labels(texts);
  return data;
}

Holdout split(const Dataset& data, double share = 0.25) {
  Split rows = split_rows(data, share);
  return {&data, rows.train, &data, rows.test};
}

EvaluationOptions quick(std::vector<std::size_t> ks) {
  EvaluationOptions options;
  options.k = std::move(ks);
  options.trees = 15;
  options.runs = 3;
  options.repetitions = 2;
  options.restarts = 4;
  options.draws = 6;
  return options;
}

Evaluation run(const Dataset& data, const EvaluationOptions& options,
               const RunContext& context = {}) {
  const Holdout holdout = split(data);
  return evaluate({&holdout, 1}, iota(data.features()), options, context);
}

/// Whether a note holds these words.
bool says(const Evaluation& evaluation, const std::string& words) {
  return std::any_of(evaluation.notes.begin(), evaluation.notes.end(),
                     [&](const auto& note) { return note.find(words) != std::string::npos; });
}

TEST(Evaluate, ShowsGoodFeaturesAboveChanceAndBesideAll) {
  const Dataset data = make_data(240, {"a", "b", "c", "d"});
  const Evaluation found = run(data, quick({2, 3}));
  ASSERT_EQ(found.entries.size(), 2u);
  const EvaluationOfK& best = found.entries[0];
  EXPECT_EQ(best.k, 2u);
  EXPECT_GT(best.chosen.classification->mean, 0.97);
  EXPECT_GT(best.chosen.clustering->accuracy, 0.97);
  EXPECT_GT(best.chosen.clustering->nmi, 0.9);
  EXPECT_GT(best.chosen.clustering->ari, 0.9);
  EXPECT_LT(best.random->classification->mean, 0.8);
  EXPECT_GT(best.random->classification->std, 0.02);
  EXPECT_GT(best.all->classification->mean, 0.95);
  EXPECT_EQ(best.chosen.classification->runs, 3u);
  EXPECT_EQ(best.chosen.clustering->repetitions, 2u);
  EXPECT_EQ(best.random->classification->runs, 6u);
  EXPECT_EQ(best.random->clustering->repetitions, 6u);
  // Of 12 features of equal size 2 are known, and the copy.
  EXPECT_NEAR(best.chosen.reconstruction->r2, 3 / 12.0, 0.06);
  EXPECT_NEAR(best.random->reconstruction->r2, 2 / 12.0, 0.1);
  EXPECT_EQ(best.all->reconstruction->r2, 1);
}

TEST(Evaluate, IsTheSameForAnyNumberOfThreadsAndDependsOnTheSeed) {
  const Dataset data = make_data(150, {"a", "b", "c"}, 2);
  EvaluationOptions options = quick({1, 4});
  options.classifier = Classifier::random_forest;
  const Evaluation one = run(data, options, {1, {}, nullptr});
  const Evaluation three = run(data, options, {3, {}, nullptr});
  for (std::size_t i = 0; i < 2; ++i)
    for (auto side : {&EvaluationOfK::random, &EvaluationOfK::all}) {
      const Judgement &a = *(one.entries[i].*side), &b = *(three.entries[i].*side);
      EXPECT_EQ(a.classification->mean, b.classification->mean);
      EXPECT_EQ(a.clustering->accuracy, b.clustering->accuracy);
      EXPECT_EQ(a.clustering->nmi, b.clustering->nmi);
      EXPECT_EQ(a.reconstruction->r2, b.reconstruction->r2);
    }
  options.seed = 1;
  const Evaluation other = run(data, options);
  EXPECT_NE(other.entries[0].random->classification->mean,
            one.entries[0].random->classification->mean);
}

TEST(Evaluate, LeavesOutWhatIsNotAskedFor) {
  const Dataset data = make_data(80, {"a", "b"}, 3);
  EvaluationOptions options = quick({2});
  options.clustering = options.baselines = false;
  const Evaluation found = run(data, options);
  EXPECT_TRUE(found.entries[0].chosen.classification);
  EXPECT_FALSE(found.entries[0].chosen.clustering);
  EXPECT_TRUE(found.entries[0].chosen.reconstruction);
  EXPECT_FALSE(found.entries[0].random);
  EXPECT_FALSE(found.entries[0].all);
  options.classification = options.reconstruction = false;
  options.clustering = true;
  const Evaluation clusters = run(data, options);
  EXPECT_FALSE(clusters.entries[0].chosen.classification);
  EXPECT_TRUE(clusters.entries[0].chosen.clustering);
  EXPECT_FALSE(clusters.entries[0].chosen.reconstruction);
}

TEST(Evaluate, PoolsFolds) {
  const Dataset data = make_data(90, {"a", "b"}, 4);
  std::vector<Holdout> folds;
  for (const Split& fold : split_folds(data, 3))
    folds.push_back({&data, fold.train, &data, fold.test});
  const Evaluation found = evaluate(folds, iota(12), quick({3}));
  EXPECT_EQ(found.entries[0].chosen.classification->runs, 9u);
  EXPECT_EQ(found.entries[0].chosen.clustering->repetitions, 6u);
  EXPECT_GT(found.entries[0].chosen.classification->mean, 0.9);
}

TEST(Evaluate, RemovalFallsLateFromTheLeastAndEarlyFromTheMostImportant) {
  const Dataset data = make_data(240, {"a", "b", "c", "d"}, 5);
  EvaluationOptions options = quick({2});
  options.removal = 11;  // one at a time
  const std::vector<std::uint32_t> ranking{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const Holdout holdout = split(data);
  const Evaluation found = evaluate({&holdout, 1}, ranking, options);
  ASSERT_TRUE(found.removal);
  const auto &least = found.removal->least_important_first,
             &most = found.removal->most_important_first;
  ASSERT_EQ(least.size(), 12u);
  ASSERT_EQ(most.size(), 12u);
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_EQ(least[i].removed, i);
    EXPECT_EQ(most[i].left, 12 - i);
  }
  EXPECT_EQ(least[0].mean, most[0].mean);
  EXPECT_GT(least[10].mean, 0.97);  // features 0 and 1 are left
  EXPECT_LT(least[11].mean, 0.7);   // only feature 0
  EXPECT_LT(most[3].mean, 0.45);    // 0, 1 and 2 are gone
}

TEST(Evaluate, RemovalStepsAreSpreadAndNeverRepeat) {
  const Dataset data = make_data(40, {"a", "b"}, 6);
  EvaluationOptions options = quick({});
  options.trees = 2;
  options.runs = 1;
  options.removal = 100;  // more than there are features
  EXPECT_EQ(run(data, options).removal->least_important_first.size(), 12u);
  options.removal = 2;
  const auto points = run(data, options).removal->least_important_first;
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[0].left, 12u);
  EXPECT_EQ(points[2].left, 1u);
}

TEST(Evaluate, WithoutLabelsJudgesTheReconstructionOnly) {
  Dataset data = make_data(80, {"a", "b"}, 7);
  data.labels.reset();
  const Evaluation found = run(data, quick({3}));
  EXPECT_FALSE(found.entries[0].chosen.classification);
  EXPECT_FALSE(found.entries[0].chosen.clustering);
  EXPECT_GT(found.entries[0].chosen.reconstruction->r2, 0);
  EXPECT_TRUE(says(found, "no labels"));
}

TEST(Evaluate, SaysThatOneClassTellsNothing) {
  const Dataset data = make_data(40, {"only"}, 8);
  const Evaluation found = run(data, quick({2}));
  EXPECT_FALSE(found.entries[0].chosen.classification);
  EXPECT_TRUE(found.entries[0].chosen.reconstruction);
  EXPECT_TRUE(says(found, "same class"));
}

TEST(Evaluate, TakesAClassWithOneRow) {
  Dataset data = make_data(61, {"a", "b"}, 9);
  data.labels->classes.push_back("rare");
  data.labels->codes[60] = 2;
  const Evaluation found = run(data, quick({2}));
  EXPECT_GT(found.entries[0].chosen.classification->mean, 0.9);
}

TEST(Evaluate, CountsUnseenClassesAsWrongAndSaysSo) {
  const Dataset train = make_data(80, {"10", "9"}, 10);
  const Dataset test = make_data(60, {"10", "9", "new"}, 11);  // numbered differently
  const Holdout holdout = make_holdout(train, test);
  const Evaluation found = evaluate({&holdout, 1}, iota(12), quick({2}));
  EXPECT_NEAR(found.entries[0].chosen.classification->mean, 2 / 3.0, 0.05);
  EXPECT_TRUE(says(found, "20 of 60 test rows"));
}

TEST(Evaluate, RefusesBadArgumentsWithTheValueAndTheLimit) {
  const Dataset data = make_data(40, {"a", "b"}, 12);
  const auto message = [&](const EvaluationOptions& options,
                           const std::vector<std::uint32_t>& ranking) -> std::string {
    const Holdout holdout = split(data);
    try {
      evaluate({&holdout, 1}, ranking, options);
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(message(quick({13}), iota(12)).find("K is 13, but the data has only 12"),
            std::string::npos);
  EXPECT_NE(message(quick({5}), iota(4)).find("ranking has only 4"), std::string::npos);
  EXPECT_NE(message(quick({0}), iota(12)).find("‹k› is '0'"), std::string::npos);
  EXPECT_NE(message(quick({}), iota(12)).find("no K"), std::string::npos);
  EXPECT_NE(message(quick({1}), {12}).find("names feature 12"), std::string::npos);
  EXPECT_NE(message(quick({1}), {3, 3}).find("twice"), std::string::npos);
  EvaluationOptions removal = quick({1});
  removal.removal = 3;
  EXPECT_NE(message(removal, {3, 4}).find("removal needs all"), std::string::npos);
  EvaluationOptions trees = quick({1});
  trees.trees = 0;
  EXPECT_NE(message(trees, iota(12)).find("‹trees›"), std::string::npos);
}

TEST(Evaluate, RefusesSidesThatDoNotFit) {
  const Dataset train = make_data(40, {"a", "b"}, 13), narrow = make_data(40, {"a", "b"}, 14, 11);
  Dataset unlabelled = make_data(40, {"a", "b"}, 15);
  unlabelled.labels.reset();
  const Holdout wrong_width = make_holdout(train, narrow),
                no_labels = make_holdout(train, unlabelled);
  EXPECT_THROW(evaluate({&wrong_width, 1}, iota(12), quick({2})), Error);
  EXPECT_THROW(evaluate({&no_labels, 1}, iota(12), quick({2})), Error);
  const Holdout nothing{&train, iota(40), &train, {}};
  EXPECT_THROW(evaluate({&nothing, 1}, iota(12), quick({2})), InvalidArgument);
  const Holdout beyond{&train, iota(41), &train, iota(40)};
  EXPECT_THROW(evaluate({&beyond, 1}, iota(12), quick({2})), InvalidArgument);
  EXPECT_THROW(evaluate({}, iota(12), quick({2})), InvalidArgument);
}

TEST(Evaluate, ReportsProgressToTheEnd) {
  const Dataset data = make_data(60, {"a", "b"}, 16);
  std::vector<Progress> seen;
  EvaluationOptions options = quick({2});
  options.removal = 3;
  run(data, options, {0, [&](const Progress& progress) { seen.push_back(progress); }, nullptr});
  ASSERT_FALSE(seen.empty());
  for (std::size_t i = 1; i < seen.size(); ++i) EXPECT_GE(seen[i].done, seen[i - 1].done);
  EXPECT_EQ(seen.back().done, seen.back().total);
  EXPECT_NEAR(seen.back().seconds_left, 0, 1e-6);
}

TEST(Evaluate, StopsWhenAsked) {
  const Dataset data = make_data(60, {"a", "b"}, 17);
  std::atomic<bool> stop{false};
  const RunContext context{0, [&](const Progress&) { stop = true; }, &stop};
  EXPECT_THROW(run(data, quick({2}), context), Interrupted);
}

TEST(EvaluationOptions, AreParsedAndRecordedByName) {
  const std::vector<GivenOption> given{
      {"k", "10,25"}, {"classifier", "random-forest"}, {"baselines", "no"}, {"scale", "minmax"}};
  const EvaluationOptions options = parse_evaluation_options(given);
  EXPECT_EQ(options.k, (std::vector<std::size_t>{10, 25}));
  EXPECT_EQ(options.classifier, Classifier::random_forest);
  EXPECT_FALSE(options.baselines);
  EXPECT_EQ(options.scale, ScaleMode::minmax);
  EXPECT_EQ(to_text(settings_of_evaluation(options)[0].value), "10,25");
  EXPECT_EQ(evaluation_options().size(), settings_of_evaluation(options).size());
  EXPECT_THROW(parse_evaluation_options(std::vector<GivenOption>{{"tree", "5"}}), InvalidArgument);
}

}  // namespace
}  // namespace quickselection
