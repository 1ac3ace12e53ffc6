// src/evaluation/forest/tree.cpp: growing one tree.
#include "evaluation/forest/forest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "evaluation/forest/coded_columns.h"
#include "evaluation/forest/thresholds.h"
#include "evaluation/streams.h"

namespace quickselection {
namespace {

double score_of(std::uint64_t left_squares, std::uint64_t left_weight, std::uint64_t right_squares,
                std::uint64_t right_weight) {
  return static_cast<double>(left_squares) / static_cast<double>(left_weight) +
         static_cast<double>(right_squares) / static_cast<double>(right_weight);
}

}  // namespace

TreeGrower::TreeGrower(const TreeData& data, Classifier kind)
    : data_(data),
      kind_(kind),
      max_columns_(std::max<std::size_t>(
          1, static_cast<std::size_t>(std::sqrt(static_cast<double>(data.columns.size()))))),
      by_class_(data.labels.size()),
      spare_(data.labels.size()),
      constant_(data.columns.size()),
      total_(data.classes),
      right_(data.classes),
      codes_(data.labels.size()) {
  std::vector<std::size_t> starts(data.classes + 1);
  for (const std::uint16_t label : data.labels) ++starts[label + 1u];
  for (std::size_t c = 0; c < data.classes; ++c) starts[c + 1] += starts[c];
  for (std::uint32_t row = 0; row < data.labels.size(); ++row)
    by_class_[starts[data.labels[row]]++] = {row, data.labels[row], 1};
  if (kind == Classifier::random_forest) {
    keys_ = AlignedArray<std::uint64_t>(data.labels.size());
    sorted_ = AlignedArray<std::uint64_t>(data.labels.size());
  }
}

void TreeGrower::draw_samples(std::uint64_t seed, std::uint32_t tree) {
  samples_ = by_class_;
  if (kind_ == Classifier::extra_trees) return;
  auto random = stream_of(seed, Stream::bootstrap, tree);
  drawn_.assign(samples_.size(), 0);
  for (std::size_t i = 0; i < drawn_.size(); ++i) ++drawn_[random.below(drawn_.size())];
  for (Sample& sample : samples_) sample.weight = drawn_[sample.row];
  std::erase_if(samples_, [](const Sample& sample) { return sample.weight == 0; });
}

Tree TreeGrower::grow(std::uint64_t seed, std::uint32_t tree_index) {
  draw_samples(seed, tree_index);
  auto random = stream_of(seed, Stream::tree, tree_index);
  order_.assign(data_.columns.begin(), data_.columns.end());

  Tree tree;
  tree.nodes.emplace_back();
  std::vector<Pending> stack{{0, 0, static_cast<std::uint32_t>(samples_.size()), 0}};
  while (!stack.empty()) {
    Pending pending = stack.back();
    stack.pop_back();
    const std::span<Sample> node(samples_.data() + pending.begin, pending.end - pending.begin);
    find_runs(node);
    Split split;
    if (runs_.size() < 2 || !find_split(node, pending.constants, random, split)) {
      make_leaf(tree, pending.node);
      continue;
    }
    const auto middle = static_cast<std::uint32_t>(pending.begin + partition(node, split));
    const auto left = static_cast<std::uint32_t>(tree.nodes.size());
    tree.nodes[pending.node] = {split.threshold, split.column, left, 0};
    tree.nodes.resize(tree.nodes.size() + 2);
    stack.push_back({left + 1, middle, pending.end, pending.constants});
    stack.push_back({left, pending.begin, middle, pending.constants});
  }
  tree.nodes.shrink_to_fit();
  return tree;
}

void TreeGrower::find_runs(std::span<const Sample> node) {
  runs_.clear();
  weight_ = squares_ = 0;
  for (std::size_t i = 0; i < node.size();) {
    const std::uint16_t label = node[i].label;
    std::uint64_t weight = 0;
    for (; i < node.size() && node[i].label == label; ++i) weight += node[i].weight;
    runs_.push_back({label, static_cast<std::uint32_t>(i), weight});
    weight_ += weight;
    squares_ += weight * weight;
  }
}

// Columns are drawn without replacement as scikit-learn does it. `order_` is kept as
//   [constant, known from the parent | constant, found here | not drawn yet | drawn and tried]
// A constant one counts as drawn, but the search goes on until one was not constant. What was
// found constant stays so in all nodes below, which is why its place must survive them.
bool TreeGrower::find_split(std::span<const Sample> node, std::uint32_t& constants,
                            kernels::RandomStream& random, Split& best) {
  if (kind_ == Classifier::random_forest)
    for (const Run& run : runs_) total_[run.label] = run.weight;
  const std::uint32_t known = constants;
  auto undrawn_end = static_cast<std::uint32_t>(order_.size());
  std::uint32_t found = 0, drawn_constants = 0, visited = 0;
  while (undrawn_end > known + found &&
         (visited < max_columns_ || visited <= found + drawn_constants)) {
    ++visited;
    std::uint32_t pick = drawn_constants + static_cast<std::uint32_t>(
                                               random.below(undrawn_end - found - drawn_constants));
    if (pick < known) {
      std::swap(order_[drawn_constants++], order_[pick]);
      continue;
    }
    pick += found;
    const std::uint32_t column = order_[pick];
    const bool varies = visit_codes(data_.table->columns[column], [&](const auto* codes) {
      return kind_ == Classifier::extra_trees
                 ? try_random_threshold(codes, column, node, random, best)
                 : try_all_thresholds(codes, column, node, best);
    });
    if (varies) {
      std::swap(order_[--undrawn_end], order_[pick]);
    } else {
      std::swap(order_[known + found], order_[pick]);
      ++found;
    }
  }
  std::copy_n(constant_.begin(), known, order_.begin());
  std::copy_n(order_.begin() + known, found, constant_.begin() + known);
  constants = known + found;
  if (kind_ == Classifier::random_forest)
    for (const Run& run : runs_) total_[run.label] = 0;
  return best.score >= 0;
}

template <class Code>
const Code* TreeGrower::gather_codes(const Code* codes, std::span<const Sample> node, Code& least,
                                     Code& most) {
  Code* here = reinterpret_cast<Code*>(codes_.data());
  for (std::size_t i = 0; i < node.size(); ++i) here[i] = codes[node[i].row];
  least = most = here[0];
  for (std::size_t i = 1; i < node.size(); ++i) {
    least = std::min(least, here[i]);
    most = std::max(most, here[i]);
  }
  return here;
}

template <class Code>
bool TreeGrower::try_random_threshold(const Code* codes, std::uint32_t column,
                                      std::span<const Sample> node, kernels::RandomStream& random,
                                      Split& best) {
  Code least, most;
  const Code* here = gather_codes(codes, node, least, most);
  if (least == most) return false;

  const std::vector<float>& values = data_.table->columns[column].values;
  const double low = values[least], high = values[most];
  double threshold = low + random.uniform() * (high - low);
  if (threshold >= high) threshold = low;
  const std::uint32_t code = last_not_above(values.data(), least, most, threshold);

  const Code last_left = static_cast<Code>(code);
  std::uint64_t left_weight = 0, left_squares = 0, right_squares = 0;
  std::size_t i = 0;
  for (const Run& run : runs_) {
    std::uint32_t left = 0;
    for (; i < run.end; ++i) left += here[i] <= last_left;
    const std::uint64_t right = run.weight - left;
    left_weight += left;
    left_squares += std::uint64_t{left} * left;
    right_squares += right * right;
  }
  const double score = score_of(left_squares, left_weight, right_squares, weight_ - left_weight);
  if (score > best.score) best = {score, column, code, round_down(threshold)};
  return true;
}

// Samples with the least code never leave the left side, so they are not even sorted: in counts
// and images they are the most. The others move to the right, the greatest code first.
template <class Code>
bool TreeGrower::try_all_thresholds(const Code* codes, std::uint32_t column,
                                    std::span<const Sample> node, Split& best) {
  Code least, most;
  const Code* here = gather_codes(codes, node, least, most);
  if (least == most) return false;
  std::size_t count = 0;
  for (std::size_t i = 0; i < node.size(); ++i) {
    keys_[count] =
        std::uint64_t{here[i]} << 32 | std::uint32_t{node[i].label} << 16 | node[i].weight;
    count += here[i] != least;
  }
  const std::uint64_t* keys = sort_by_code(keys_.data(), sorted_.data(), count, least, most);

  std::uint64_t right_weight = 0, left_squares = squares_, right_squares = 0;
  double reached = -1;
  std::uint64_t below = 0, above = 0;
  for (std::size_t i = count; i-- > 0;) {
    const std::uint64_t key = keys[i], weight = key & 0xffff;
    const std::size_t label = key >> 16 & 0xffff;
    const std::uint64_t right = right_[label], left = total_[label] - right;
    right_[label] = right + weight;
    right_weight += weight;
    right_squares += weight * (2 * right + weight);
    left_squares -= weight * (2 * left - weight);
    const std::uint64_t code = key >> 32, next = i > 0 ? keys[i - 1] >> 32 : least;
    if (code == next) continue;
    const double score =
        score_of(left_squares, weight_ - right_weight, right_squares, right_weight);
    if (score >= reached) {  // of equals the lowest
      reached = score;
      below = next;
      above = code;
    }
  }
  for (const Run& run : runs_) right_[run.label] = 0;
  if (reached > best.score) {
    const std::vector<float>& values = data_.table->columns[column].values;
    best = {reached, column, static_cast<std::uint32_t>(below),
            round_down(values[below] / 2.0 + values[above] / 2.0)};
  }
  return true;
}

std::size_t TreeGrower::partition(std::span<Sample> node, const Split& split) {
  return visit_codes(data_.table->columns[split.column], [&](const auto* codes) {
    std::size_t left = 0, right = 0;
    for (const Sample& sample : node) {
      const bool goes_left = codes[sample.row] <= split.code;
      const Sample copy = sample;
      node[left] = copy;
      spare_[right] = copy;
      left += goes_left;
      right += !goes_left;
    }
    std::copy_n(spare_.begin(), right, node.begin() + static_cast<std::ptrdiff_t>(left));
    return left;
  });
}

void TreeGrower::make_leaf(Tree& tree, std::uint32_t node) {
  const float never = std::numeric_limits<float>::infinity();
  if (runs_.size() == 1) {
    tree.nodes[node] = {never, 0, node, kPureLeaf | runs_[0].label};
    return;
  }
  tree.nodes[node] = {never, 0, node, static_cast<std::uint32_t>(tree.shares.size())};
  for (const Run& run : runs_)
    tree.shares.push_back({run.label, &run == &runs_.back(),
                           static_cast<double>(run.weight) / static_cast<double>(weight_)});
}

}  // namespace quickselection
