// tests/evaluation/forest/number_tree_test.cpp
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "core/iota.h"
#include "evaluation/forest/forest.h"
#include "evaluation/streams.h"

namespace quickselection {
namespace {

struct Numbers {
  Dataset data;
  std::vector<double> targets;
  CodedColumns coded;
  std::vector<std::uint32_t> columns;

  NumberData view() const { return {&coded, columns, targets}; }
};

Numbers make_numbers(std::vector<float> values, std::vector<double> targets) {
  Numbers made;
  const std::size_t rows = targets.size(), columns = values.size() / rows;
  made.data = Dataset::from_vector(std::move(values), rows, columns);
  made.targets = std::move(targets);
  made.columns = iota(columns);
  Team team(1);
  const auto all = iota(rows);
  made.coded = code_columns({{&made.data, all}, made.columns}, team);
  return made;
}

/// Few distinct values in some columns, a constant one, and a target that depends on two.
Numbers noisy(std::size_t rows, std::uint64_t seed) {
  kernels::RandomStream random(seed, kernels::Purpose::evaluation);
  std::vector<float> values;
  std::vector<double> targets;
  for (std::size_t r = 0; r < rows; ++r) {
    const double a = random.normal(), b = std::round(2 * random.normal());
    for (const double value : {a, b, 1.0, random.normal()})
      values.push_back(static_cast<float>(value));
    targets.push_back(a * a + b + 0.1 * random.normal());
  }
  return make_numbers(std::move(values), std::move(targets));
}

std::vector<double> weights_of(std::size_t rows, std::uint64_t seed, Classifier kind) {
  std::vector<double> weights(rows, kind == Classifier::extra_trees ? 1 : 0);
  if (kind == Classifier::extra_trees) return weights;
  auto random = stream_of(seed, Stream::bootstrap, 0);
  for (std::size_t i = 0; i < rows; ++i) ++weights[random.below(rows)];
  return weights;
}

std::map<std::uint32_t, std::vector<std::uint32_t>> rows_of(const Tree& tree, const Numbers& from,
                                                            const std::vector<double>& weights) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> reached;
  for (std::uint32_t row = 0; row < from.targets.size(); ++row) {
    if (weights[row] == 0) continue;
    for (std::uint32_t at = 0;;) {
      reached[at].push_back(row);
      const TreeNode& node = tree.nodes[at];
      const auto value = static_cast<float>(from.data.at(row, node.column));
      const std::uint32_t next = node.left + (value > node.threshold);
      if (next == at) break;
      at = next;
    }
  }
  return reached;
}

double squared_error(const Numbers& from, const std::vector<double>& weights,
                     const std::vector<std::uint32_t>& rows) {
  double weight = 0, mean = 0, error = 0;
  for (const auto row : rows) weight += weights[row];
  for (const auto row : rows) mean += weights[row] * from.targets[row] / weight;
  for (const auto row : rows) error += weights[row] * std::pow(from.targets[row] - mean, 2);
  return error;
}

double error_of_split(const Numbers& from, const std::vector<double>& weights,
                      const std::vector<std::uint32_t>& rows, std::uint32_t column,
                      double threshold) {
  std::vector<std::uint32_t> left, right;
  for (const auto row : rows)
    (from.data.at(row, column) <= threshold ? left : right).push_back(row);
  if (left.empty() || right.empty()) return std::numeric_limits<double>::infinity();
  return squared_error(from, weights, left) + squared_error(from, weights, right);
}

TEST(NumberTree, LeavesHoldTheMeanOfRowsThatCannotBeToldApart) {
  const Numbers numbers = make_numbers({1, 1, 1, 2, 2, 3}, {4, 6, 8, 1, 1, 5});
  for (const Classifier kind : {Classifier::extra_trees, Classifier::random_forest}) {
    const auto weights = weights_of(6, 9, kind);
    const Tree tree = NumberTreeGrower(numbers.view(), kind).grow(9, 0);
    for (const auto& [at, rows] : rows_of(tree, numbers, weights)) {
      if (tree.nodes[at].left != at) continue;
      double sum = 0, weight = 0;
      for (const auto row : rows) {
        EXPECT_EQ(numbers.data.at(row, 0), numbers.data.at(rows[0], 0));
        sum += weights[row] * numbers.targets[row];
        weight += weights[row];
      }
      EXPECT_NEAR(tree.values[tree.nodes[at].leaf], sum / weight, 1e-12);
    }
  }
}

TEST(NumberTree, ARandomForestSplitsWhereTheSquaredErrorIsLeast) {
  const Numbers numbers = noisy(120, 1);
  const auto weights = weights_of(120, 5, Classifier::random_forest);
  const Tree tree = NumberTreeGrower(numbers.view(), Classifier::random_forest).grow(5, 0);
  std::size_t splits = 0;
  for (const auto& [at, rows] : rows_of(tree, numbers, weights)) {
    const TreeNode& node = tree.nodes[at];
    if (node.left == at) continue;
    ++splits;
    double least = std::numeric_limits<double>::infinity();
    for (const std::uint32_t column : numbers.columns)
      for (const auto row : rows)
        least = std::min(
            least, error_of_split(numbers, weights, rows, column, numbers.data.at(row, column)));
    EXPECT_NEAR(error_of_split(numbers, weights, rows, node.column, node.threshold), least,
                1e-9 * (1 + least));
  }
  EXPECT_GT(splits, 20u);
}

TEST(NumberTree, ExtraTreesLearnTheirRowsByHeart) {
  const Numbers numbers = noisy(200, 2);
  Team team(2);
  const Forest forest = grow_forest(numbers.view(), Classifier::extra_trees, 5, 3, team);
  std::vector<float> rows;
  for (std::size_t r = 0; r < 200; ++r)
    for (std::size_t c = 0; c < 4; ++c) rows.push_back(static_cast<float>(numbers.data.at(r, c)));
  const auto predicted = predict_numbers(forest, rows, 4, team);
  for (std::size_t r = 0; r < 200; ++r) EXPECT_NEAR(predicted[r], numbers.targets[r], 1e-9);
}

TEST(NumberTree, OneTargetOrConstantColumnsMakeOneLeaf) {
  for (const Classifier kind : {Classifier::extra_trees, Classifier::random_forest}) {
    const Tree same = NumberTreeGrower(make_numbers({1, 2, 3}, {7, 7, 7}).view(), kind).grow(1, 0);
    EXPECT_EQ(same.nodes.size(), 1u);
    EXPECT_EQ(same.values, std::vector<double>{7});
    const Numbers constant = make_numbers({5, 5, 5, 5}, {1, 2, 3, 4});
    const Tree leaf = NumberTreeGrower(constant.view(), kind).grow(1, 0);
    EXPECT_EQ(leaf.nodes.size(), 1u);
  }
}

TEST(NumberTree, AForestIsTheSameForAnyNumberOfThreads) {
  const Numbers numbers = noisy(100, 4);
  std::vector<float> rows;
  for (std::size_t r = 0; r < 100; ++r)
    for (std::size_t c = 0; c < 4; ++c) rows.push_back(static_cast<float>(numbers.data.at(r, c)));
  for (const Classifier kind : {Classifier::extra_trees, Classifier::random_forest}) {
    Team one(1), three(3);
    EXPECT_EQ(predict_numbers(grow_forest(numbers.view(), kind, 9, 1, one), rows, 4, one),
              predict_numbers(grow_forest(numbers.view(), kind, 9, 1, three), rows, 4, three));
  }
}

}  // namespace
}  // namespace quickselection
