// src/evaluation/forest/number_tree.cpp: growing one tree that predicts a number.
#include <algorithm>
#include <limits>
#include <utility>

#include "evaluation/forest/forest.h"
#include "evaluation/forest/thresholds.h"
#include "evaluation/streams.h"

namespace quickselection {
namespace {

double sides_score(double left_sum, double left_weight, double right_sum, double right_weight) {
  return left_sum * left_sum / left_weight + right_sum * right_sum / right_weight;
}

}  // namespace

NumberTreeGrower::NumberTreeGrower(const NumberData& data, Classifier kind)
    : data_(data), kind_(kind) {
  if (kind != Classifier::random_forest) return;
  keys_.resize(data.targets.size());
  sorted_.resize(data.targets.size());
}

Tree NumberTreeGrower::grow(std::uint64_t seed, std::uint32_t tree_index) {
  const std::size_t count = data_.targets.size();
  rows_.assign(count, {});
  for (std::uint32_t row = 0; row < count; ++row) rows_[row] = {row, 1};
  if (kind_ == Classifier::random_forest) {
    auto draws = stream_of(seed, Stream::bootstrap, tree_index);
    for (Drawn& drawn : rows_) drawn.weight = 0;
    for (std::size_t i = 0; i < count; ++i) ++rows_[draws.below(count)].weight;
    std::erase_if(rows_, [](const Drawn& drawn) { return drawn.weight == 0; });
  }
  spare_.resize(rows_.size());
  order_.assign(data_.columns.begin(), data_.columns.end());
  auto random = stream_of(seed, Stream::tree, tree_index);

  Tree tree;
  tree.nodes.emplace_back();
  std::vector<Pending> stack{{0, 0, static_cast<std::uint32_t>(rows_.size()), 0}};
  while (!stack.empty()) {
    Pending pending = stack.back();
    stack.pop_back();
    const std::span<Drawn> node(rows_.data() + pending.begin, pending.end - pending.begin);
    weight_ = sum_ = 0;
    bool same = true;
    for (const Drawn& drawn : node) {
      weight_ += drawn.weight;
      sum_ += drawn.weight * data_.targets[drawn.row];
      same = same && data_.targets[drawn.row] == data_.targets[node[0].row];
    }
    Split split{-std::numeric_limits<double>::infinity()};
    if (same || !find_split(node, pending.constants, random, split)) {
      tree.nodes[pending.node] = {std::numeric_limits<float>::infinity(), 0, pending.node,
                                  static_cast<std::uint32_t>(tree.values.size())};
      tree.values.push_back(same ? data_.targets[node[0].row] : sum_ / weight_);
      continue;
    }
    const std::size_t left_rows =
        visit_codes(data_.table->columns[split.column], [&](const auto* codes) {
          std::size_t left = 0, right = 0;
          for (const Drawn drawn : node)
            if (codes[drawn.row] <= split.code)
              node[left++] = drawn;
            else
              spare_[right++] = drawn;
          std::copy_n(spare_.begin(), right, node.begin() + static_cast<std::ptrdiff_t>(left));
          return left;
        });
    const auto middle = static_cast<std::uint32_t>(pending.begin + left_rows);
    const auto left = static_cast<std::uint32_t>(tree.nodes.size());
    tree.nodes[pending.node] = {split.threshold, split.column, left, 0};
    tree.nodes.resize(tree.nodes.size() + 2);
    stack.push_back({left + 1, middle, pending.end, pending.constants});
    stack.push_back({left, pending.begin, middle, pending.constants});
  }
  tree.nodes.shrink_to_fit();
  return tree;
}

// The first `constants` of order_ are constant in the node and all below it. Nodes below move only
// what stands behind them, so that the other branch finds them where they were.
bool NumberTreeGrower::find_split(std::span<const Drawn> node, std::uint32_t& constants,
                                  kernels::RandomStream& random, Split& best) {
  bool any = false;
  for (std::size_t i = constants; i < order_.size(); ++i) {
    std::swap(order_[i], order_[i + random.below(order_.size() - i)]);
    const std::uint32_t column = order_[i];
    const bool varies = visit_codes(data_.table->columns[column], [&](const auto* codes) {
      return try_column(codes, column, node, random, best);
    });
    any = any || varies;
    if (!varies) std::swap(order_[i], order_[constants++]);
  }
  return any;
}

/// False when the column is constant in the node; improves `best` otherwise.
template <class Code>
bool NumberTreeGrower::try_column(const Code* codes, std::uint32_t column,
                                  std::span<const Drawn> node, kernels::RandomStream& random,
                                  Split& best) {
  Code least = codes[node[0].row], most = least;
  for (const Drawn& drawn : node) {
    least = std::min(least, codes[drawn.row]);
    most = std::max(most, codes[drawn.row]);
  }
  if (least == most) return false;
  const std::vector<float>& values = data_.table->columns[column].values;
  const auto consider = [&](double left_sum, double left_weight, std::uint32_t code,
                            double threshold) {
    const double score = sides_score(left_sum, left_weight, sum_ - left_sum, weight_ - left_weight);
    if (score > best.score) best = {score, column, code, round_down(threshold)};
  };

  if (kind_ == Classifier::extra_trees) {
    const double low = values[least], high = values[most];
    double threshold = low + random.uniform() * (high - low);
    if (threshold >= high) threshold = low;
    const std::uint32_t code = last_not_above(values.data(), least, most, threshold);
    double left_sum = 0, left_weight = 0;
    for (const Drawn& drawn : node)
      if (codes[drawn.row] <= code) {
        left_sum += data_.targets[drawn.row];
        left_weight += 1;
      }
    consider(left_sum, left_weight, code, threshold);
    return true;
  }

  for (std::size_t i = 0; i < node.size(); ++i)
    keys_[i] = std::uint64_t{codes[node[i].row]} << 32 | i;
  const std::uint64_t* keys = sort_by_code(keys_.data(), sorted_.data(), node.size(), least, most);
  double left_sum = 0, left_weight = 0;
  for (std::size_t i = 0; i + 1 < node.size(); ++i) {
    const Drawn& drawn = node[static_cast<std::uint32_t>(keys[i])];
    left_sum += drawn.weight * data_.targets[drawn.row];
    left_weight += drawn.weight;
    const std::uint64_t code = keys[i] >> 32, next = keys[i + 1] >> 32;
    if (code != next)
      consider(left_sum, left_weight, static_cast<std::uint32_t>(code),
               values[code] / 2.0 + values[next] / 2.0);
  }
  return true;
}

}  // namespace quickselection
