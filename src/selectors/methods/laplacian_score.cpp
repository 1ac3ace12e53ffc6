// src/selectors/methods/laplacian_score.cpp: Laplacian Score (He, Cai and Niyogi, 2005): a good
// feature changes little between neighbours and much over all rows.
#include <algorithm>
#include <atomic>

#include "core/pace.h"
#include "selectors/graph/graph.h"
#include "selectors/method.h"

namespace quickselection {
namespace {

// Features scored together: their sums stay in the L1 cache while the edges stream past.
constexpr std::size_t kBlock = 128;
// The Laplacian Score is at most 2; a feature without spread has none and gets the worst.
constexpr double kWorst = 2;

/// The scores of at most kBlock features.
class BlockScores {
 public:
  BlockScores(const RowReader& data, const Graph& graph, Range features)
      : data_(data), graph_(graph), features_(features) {}

  /// Writes features.size() scores; false when it was told to stop.
  bool run(const Pace& pace, double* scores) {
    const std::size_t count = features_.size();
    double total = 0, mean[kBlock] = {}, spread[kBlock] = {}, change[kBlock] = {};
    float x[kBlock], y[kBlock];
    for (std::size_t r = 0; r < graph_.rows(); ++r) {
      data_.read(r, features_, x);
      total += graph_.degrees[r];
      for (std::size_t j = 0; j < count; ++j) mean[j] += graph_.degrees[r] * x[j];
    }
    for (std::size_t j = 0; j < count; ++j) mean[j] /= total;
    for (std::size_t r = 0; r < graph_.rows(); ++r) {
      if (r % 1024 == 0 && pace.stopping()) return false;
      data_.read(r, features_, x);
      for (std::size_t j = 0; j < count; ++j) {
        const double difference = x[j] - mean[j];
        spread[j] += graph_.degrees[r] * difference * difference;
      }
      for (std::uint64_t e = graph_.offsets[r]; e < graph_.offsets[r + 1]; ++e) {
        if (graph_.ids[e] > r) break;  // each edge once
        data_.read(graph_.ids[e], features_, y);
        for (std::size_t j = 0; j < count; ++j) {
          const double difference = double{x[j]} - y[j];
          change[j] += graph_.weights[e] * difference * difference;
        }
      }
    }
    for (std::size_t j = 0; j < count; ++j)
      scores[j] = spread[j] > 0 ? -change[j] / spread[j] : -kWorst;
    return true;
  }

 private:
  const RowReader& data_;
  const Graph& graph_;
  const Range features_;
};

MethodOutput rank_by_laplacian_score(const MethodInput& in) {
  const auto options = parse_options<GraphOptions>(in.given, kLaplacianScore.name);
  MethodOutput out;
  const Graph graph = neighbour_graph(in, options, kLaplacianScore.name, out.warnings);
  const RowReader data({&in.data, {}, &in.scaler});
  const std::size_t features = data.columns(), blocks = (features + kBlock - 1) / kBlock;
  out.scores.resize(features);
  Pace pace("score", static_cast<double>(features), in.context);
  std::atomic<std::size_t> next{0}, done{0};
  in.team.run([&](int member) {
    for (std::size_t block; (block = next++) < blocks;) {
      const Range mine{block * kBlock, std::min(features, (block + 1) * kBlock)};
      if (!BlockScores(data, graph, mine).run(pace, out.scores.data() + mine.begin)) return;
      done += mine.size();
      if (member == 0) pace.reach(static_cast<double>(done));
    }
  });
  pace.check_stop();
  // Rounding may leave a trace of spread in a feature whose scaled values are all equal.
  for (std::size_t f = 0; f < features; ++f)
    if (in.scaler.is_constant(f)) out.scores[f] = -kWorst;
  out.options = settings_of(options);
  return out;
}

}  // namespace

constinit const Method kLaplacianScore{
    .name = "laplacian_score",
    .class_name = "LaplacianScore",
    .summary =
        "Prefers features that change little between neighbouring rows and much over all rows.",
    .scale = ScaleMode::minmax,
    .options = options_of<GraphOptions>(),
    .run = rank_by_laplacian_score,
    .seeded = false,
};

}  // namespace quickselection
