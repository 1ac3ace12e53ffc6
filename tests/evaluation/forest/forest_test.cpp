// tests/evaluation/forest/forest_test.cpp
#include "evaluation/forest/forest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/iota.h"
#include "evaluation/streams.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

struct Table {
  Dataset data;
  std::vector<std::uint16_t> labels;
  std::size_t classes = 0;
  CodedColumns coded;
  std::vector<std::uint32_t> columns;

  TreeData view() const { return {&coded, columns, labels, classes}; }
};

Table make_table(std::vector<float> values, std::vector<std::uint16_t> labels) {
  Table table;
  const std::size_t rows = labels.size(), columns = values.size() / rows;
  table.data = Dataset::from_vector(std::move(values), rows, columns);
  table.classes = *std::max_element(labels.begin(), labels.end()) + 1u;
  table.labels = std::move(labels);
  table.columns = iota(columns);
  Team team(1);
  const auto all = iota(rows);
  table.coded = code_columns({{&table.data, all}, table.columns}, team);
  return table;
}

/// Noisy blobs: column 0 tells the classes apart best; `distinct` limits the number of values.
Table blobs(std::size_t rows, std::size_t columns, std::size_t classes, double distinct,
            std::uint64_t seed) {
  kernels::RandomStream random(seed, kernels::Purpose::evaluation);
  std::vector<float> values;
  std::vector<std::uint16_t> labels;
  for (std::size_t r = 0; r < rows; ++r) {
    labels.push_back(static_cast<std::uint16_t>(random.below(classes)));
    for (std::size_t c = 0; c < columns; ++c) {
      const double signal = labels.back() * (c == 0 ? 2.0 : 0.3);
      values.push_back(static_cast<float>(std::round((random.normal() + signal) * distinct)));
    }
  }
  return make_table(std::move(values), std::move(labels));
}

/// Walks every row of weight > 0 down the tree and collects which rows reach which node.
std::map<std::uint32_t, std::vector<std::uint32_t>> rows_of_nodes(
    const Tree& tree, const Table& table, const std::vector<std::uint16_t>& weights) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> reached;
  for (std::uint32_t row = 0; row < table.labels.size(); ++row) {
    if (weights[row] == 0) continue;
    for (std::uint32_t at = 0;;) {
      reached[at].push_back(row);
      const TreeNode& node = tree.nodes[at];
      if (node.left == at) break;
      at = node.left + (table.data.at(row, node.column) > node.threshold);
    }
  }
  return reached;
}

/// Weighted Gini impurity of both sides, added: what a split should make small.
double impurity_after(const Table& table, const std::vector<std::uint32_t>& rows,
                      const std::vector<std::uint16_t>& weights, std::uint32_t column,
                      double threshold) {
  double total = 0;
  for (const bool right : {false, true}) {
    std::vector<double> counts(table.classes);
    double weight = 0, squares = 0;
    for (const std::uint32_t row : rows)
      if ((table.data.at(row, column) > threshold) == right) {
        counts[table.labels[row]] += weights[row];
        weight += weights[row];
      }
    if (weight == 0) return INFINITY;
    for (const double count : counts) squares += count * count;
    total += weight - squares / weight;
  }
  return total;
}

void expect_leaf(const Tree& tree, const TreeNode& node, const Table& table,
                 const std::vector<std::uint32_t>& rows,
                 const std::vector<std::uint16_t>& weights) {
  std::map<std::uint16_t, double> share;
  double weight = 0;
  for (const std::uint32_t row : rows) {
    share[table.labels[row]] += weights[row];
    weight += weights[row];
  }
  if (share.size() == 1) {
    EXPECT_EQ(node.leaf, kPureLeaf | share.begin()->first);
    return;
  }
  for (const std::uint32_t column : table.columns)
    for (const std::uint32_t row : rows)
      EXPECT_EQ(table.data.at(row, column), table.data.at(rows[0], column))
          << "a leaf of several classes could have been split";
  std::size_t at = node.leaf;
  for (auto entry = share.begin(); entry != share.end(); ++entry, ++at) {
    EXPECT_EQ(tree.shares[at].label, entry->first);
    EXPECT_DOUBLE_EQ(tree.shares[at].share, entry->second / weight);
    EXPECT_EQ(tree.shares[at].last, std::next(entry) == share.end());
  }
}

void expect_sound_tree(const Table& table, Classifier kind, std::uint64_t seed) {
  const Tree tree = TreeGrower(table.view(), kind).grow(seed, 3);
  std::vector<std::uint16_t> weights(table.labels.size(), 1);
  if (kind == Classifier::random_forest) {
    weights.assign(weights.size(), 0);
    auto random = stream_of(seed, Stream::bootstrap, 3);
    for (std::size_t i = 0; i < weights.size(); ++i) ++weights[random.below(weights.size())];
  }
  const auto reached = rows_of_nodes(tree, table, weights);
  ASSERT_EQ(reached.size(), tree.nodes.size()) << "a node has no rows";
  for (const auto& [index, rows] : reached) {
    const TreeNode& node = tree.nodes[index];
    if (node.left == index) {
      expect_leaf(tree, node, table, rows, weights);
      continue;
    }
    std::set<float> values;
    for (const std::uint32_t row : rows)
      values.insert(static_cast<float>(table.data.at(row, node.column)));
    EXPECT_GE(node.threshold, *values.begin());
    EXPECT_LT(node.threshold, *values.rbegin());
    if (kind == Classifier::extra_trees) continue;
    // No other threshold on the chosen column is better.
    const double reached_impurity =
        impurity_after(table, rows, weights, node.column, node.threshold);
    for (auto low = values.begin(), high = std::next(low); high != values.end(); ++low, ++high)
      EXPECT_GE(impurity_after(table, rows, weights, node.column, (*low + *high) / 2.0),
                reached_impurity - 1e-9);
  }
}

TEST(Tree, SplitsSoundlyOnBytesOnTwoBytesAndWithFewDistinctValues) {
  for (const Classifier kind : {Classifier::extra_trees, Classifier::random_forest}) {
    expect_sound_tree(blobs(400, 6, 3, 10, 1), kind, 5);
    expect_sound_tree(blobs(900, 4, 4, 1000, 2), kind, 6);
    expect_sound_tree(blobs(300, 2, 2, 0.7, 3), kind, 7);  // leaves that cannot be split
    expect_sound_tree(blobs(2, 1, 2, 1e6, 4), kind, 8);
  }
}

TEST(Tree, SplitsSoundlyOnMoreThan65536DistinctValues) {
  Table table = blobs(90000, 1, 2, 1e6, 9);
  ASSERT_EQ(table.coded.columns[0].code_bytes, 4);
  const Forest forest = [&] {
    Team team(1);
    return grow_forest(table.view(), Classifier::extra_trees, 1, 0, team);
  }();
  std::vector<float> rows;
  for (std::size_t r = 0; r < table.labels.size(); ++r)
    rows.push_back(static_cast<float>(table.data.at(r, 0)));
  Team team(1);
  const auto predicted = predict(forest, rows, 1, team);
  std::size_t right = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) right += predicted[r] == table.labels[r];
  EXPECT_GT(right, rows.size() * 95 / 100);  // only rows with equal values can be wrong
}

/// Share of 3000 trees whose root splits on column 0, the only one that separates the classes.
double share_of_best_root(const Table& table, Classifier kind) {
  TreeGrower grower(table.view(), kind);
  int best = 0;
  for (std::uint32_t t = 0; t < 3000; ++t) best += grower.grow(11, t).nodes[0].column == 0;
  return best / 3000.0;
}

/// 16 columns; column 0 separates the classes whatever the threshold, `noise` others hardly do,
/// the rest is constant.
Table needle(std::size_t noise) {
  kernels::RandomStream random(4, kernels::Purpose::evaluation);
  std::vector<float> values;
  std::vector<std::uint16_t> labels;
  for (std::size_t r = 0; r < 40; ++r) {
    labels.push_back(r % 2);
    values.push_back(static_cast<float>(r % 2));
    for (std::size_t c = 1; c < 16; ++c)
      values.push_back(c <= noise ? static_cast<float>(random.uniform()) : 1.0f);
  }
  return make_table(std::move(values), std::move(labels));
}

TEST(Tree, DrawsTheRootOfTheNumberOfColumns) {
  for (const Classifier kind : {Classifier::extra_trees, Classifier::random_forest})
    EXPECT_NEAR(share_of_best_root(needle(15), kind), 4.0 / 16, 0.03);
}

TEST(Tree, CountsConstantColumnsButGoesOnUntilOneVaries) {
  // Column 0 among the first 4 drawn, or none of the 4 varying ones among them and column 0 first
  // of those drawn later: 4/16 + C(12,4)/C(16,4) / 4.
  const double expected = 4.0 / 16 + 495.0 / 1820 / 4;
  for (const Classifier kind : {Classifier::extra_trees, Classifier::random_forest})
    EXPECT_NEAR(share_of_best_root(needle(3), kind), expected, 0.03);
}

TEST(Tree, FindsTheOnlyVaryingColumnHoweverManyAreConstant) {
  EXPECT_EQ(share_of_best_root(needle(0), Classifier::extra_trees), 1.0);
}

TEST(Tree, DrawsThresholdsUniformlyBetweenTheExtremes) {
  const Table table = make_table({-1, 3}, {0, 1});
  TreeGrower grower(table.view(), Classifier::extra_trees);
  int quarter[4] = {};
  for (std::uint32_t t = 0; t < 4000; ++t) {
    const float threshold = grower.grow(0, t).nodes[0].threshold;
    ASSERT_GE(threshold, -1);
    ASSERT_LT(threshold, 3);
    ++quarter[static_cast<int>((threshold + 1))];
  }
  for (const int count : quarter) EXPECT_NEAR(count, 1000, 120);
}

TEST(Tree, PutsTheForestsThresholdHalfWay) {
  const Table table = make_table({1, 1, 4, 4, 1, 4}, {0, 0, 1, 1, 0, 1});
  EXPECT_EQ(TreeGrower(table.view(), Classifier::random_forest).grow(0, 0).nodes[0].threshold,
            2.5f);
}

TEST(Forest, LearnsWhatNoSingleSplitCan) {  // exclusive or
  std::vector<float> values;
  std::vector<std::uint16_t> labels;
  for (int i = 0; i < 200; ++i) {
    const int a = i % 2, b = i / 2 % 2;
    values.insert(values.end(), {static_cast<float>(a), static_cast<float>(b)});
    labels.push_back(static_cast<std::uint16_t>(a ^ b));
  }
  const Table table = make_table(values, labels);
  Team team(2);
  for (const Classifier kind : {Classifier::extra_trees, Classifier::random_forest})
    EXPECT_EQ(predict(grow_forest(table.view(), kind, 10, 1, team), values, 2, team), labels);
}

TEST(Forest, IsTheSameForAnyNumberOfThreads) {
  const Table table = blobs(500, 5, 3, 20, 12), test = blobs(700, 5, 3, 20, 13);
  std::vector<float> rows;
  for (std::size_t r = 0; r < 700; ++r)
    for (std::size_t c = 0; c < 5; ++c) rows.push_back(static_cast<float>(test.data.at(r, c)));
  for (const Classifier kind : {Classifier::extra_trees, Classifier::random_forest}) {
    Team one(1), three(3);
    const Forest a = grow_forest(table.view(), kind, 9, 2, one);
    const Forest b = grow_forest(table.view(), kind, 9, 2, three);
    for (std::size_t t = 0; t < 9; ++t) {
      ASSERT_EQ(a.trees[t].nodes.size(), b.trees[t].nodes.size());
      for (std::size_t i = 0; i < a.trees[t].nodes.size(); ++i) {
        EXPECT_EQ(a.trees[t].nodes[i].threshold, b.trees[t].nodes[i].threshold);
        EXPECT_EQ(a.trees[t].nodes[i].left, b.trees[t].nodes[i].left);
      }
    }
    EXPECT_EQ(predict(a, rows, 5, one), predict(b, rows, 5, three));
    const Forest other = grow_forest(table.view(), kind, 9, 3, one);
    EXPECT_NE(a.trees[0].nodes[0].threshold, other.trees[0].nodes[0].threshold);
  }
}

TEST(Forest, AveragesSharesAndGivesTiesToTheLowerClass) {
  // Nothing can be split: every tree is one leaf with the shares of the classes.
  const Table even = make_table({7, 7, 7, 7}, {1, 0, 1, 0}),
              uneven = make_table({7, 7, 7}, {1, 0, 1});
  Team team(1);
  const std::vector<float> row{7};
  EXPECT_EQ(predict(grow_forest(even.view(), Classifier::extra_trees, 5, 0, team), row, 1, team)[0],
            0);
  EXPECT_EQ(
      predict(grow_forest(uneven.view(), Classifier::extra_trees, 5, 0, team), row, 1, team)[0], 1);
}

TEST(Forest, UsesOnlyTheColumnsItMay) {
  Table table = blobs(100, 4, 2, 10, 20);
  table.columns = {1, 3};
  Team team(1);
  const Forest forest = grow_forest(table.view(), Classifier::random_forest, 5, 0, team);
  for (const Tree& tree : forest.trees)
    for (std::uint32_t i = 0; i < tree.nodes.size(); ++i)
      if (tree.nodes[i].left != i) {
        EXPECT_EQ(tree.nodes[i].column % 2, 1u);
      }
}

TEST(Forest, StopsWhenAsked) {
  const Table table = blobs(100, 2, 2, 10, 21);
  Team team(2);
  const std::atomic<bool> stop{true};
  EXPECT_THROW(grow_forest(table.view(), Classifier::extra_trees, 5, 0, team, &stop), Interrupted);
}

}  // namespace
}  // namespace quickselection
