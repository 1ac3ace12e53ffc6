// src/evaluation/explained/explained.cpp: chosen features beside random ones and those of `cover`.
#include "quickselection/explained.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/pace.h"
#include "core/text/counted.h"
#include "evaluation/explained/predictable.h"
#include "evaluation/streams.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr std::size_t kDraws = 8;
constexpr std::size_t kCurveEnd = 50;  // at least, when there are so many features
// Shares that differ by less are alike.
constexpr double kLeastGain = 0.01;

/// 1, 2, 5, 10, … to the end, and k.
std::vector<std::size_t> curve_places(std::size_t k, std::size_t features) {
  const std::size_t end = std::min(features, std::max(2 * k, kCurveEnd));
  std::set<std::size_t> places = {k, end};
  for (std::size_t ten = 1; ten <= end; ten *= 10)
    for (const std::size_t step : {1, 2, 5})
      if (step * ten < end) places.insert(step * ten);
  return {places.begin(), places.end()};
}

/// `count` of the features, in random order.
std::vector<std::uint32_t> draw(std::span<const std::uint32_t> from, std::size_t count,
                                std::uint32_t run) {
  auto random = stream_of(0, Stream::explained_draws, run);
  std::vector<std::uint32_t> order(from.begin(), from.end());
  count = std::min(count, order.size());
  for (std::size_t i = 0; i < count; ++i)
    std::swap(order[i], order[i + random.below(order.size() - i)]);
  order.resize(count);
  return order;
}

}  // namespace

Explained explained(Predictable& predictable, std::span<const std::uint32_t> ranking, std::size_t k,
                    Team& team, const RunContext& context) {
  Explained result;
  result.k = k;
  result.rows = predictable.rows();
  result.predictable = predictable.predictable();
  result.together = predictable.together();
  ExplainedCurve& curve = result.curve;
  curve.k = curve_places(k, ranking.size());
  const std::size_t most = curve.k.back();

  // Orders whose beginnings are compared: the ranking, that of `cover`, random ones.
  std::vector<std::vector<std::uint32_t>> orders = {
      {ranking.begin(), ranking.begin() + static_cast<std::ptrdiff_t>(most)},
      predictable.cover(most)};
  for (std::uint32_t run = 0; run < kDraws; ++run)
    orders.push_back(draw(predictable.varying(), most, run));
  std::vector<double> shares(orders.size() * curve.k.size());
  team.for_each(shares.size(), [&](std::size_t job) {
    if (stopping(context)) return;
    // The longest ones first, so that threads end together.
    const std::size_t at = shares.size() - 1 - job;
    const auto& order = orders[at % orders.size()];
    const std::size_t count = std::min(order.size(), curve.k[at / orders.size()]);
    shares[at] = predictable.share(std::span(order).first(count));
  });
  check_stop(context);

  for (std::size_t place = 0; place < curve.k.size(); ++place) {
    const std::span found = std::span(shares).subspan(place * orders.size(), orders.size());
    const std::span drawn = found.subspan(2);
    const double mean = std::accumulate(drawn.begin(), drawn.end(), 0.0) / kDraws;
    double variance = 0;
    for (const double share : drawn) variance += (share - mean) * (share - mean) / (kDraws - 1);
    curve.chosen.push_back(found[0]);
    curve.cover.push_back(found[1]);
    curve.random.push_back(mean);
    curve.spread.push_back(std::sqrt(variance));
    if (curve.k[place] != k) continue;
    result.chosen = found[0];
    result.cover = found[1];
    result.random = mean;
    result.spread = curve.spread.back();
  }
  return result;
}

Explained explained(const Dataset& data, std::span<const std::uint32_t> ranking, std::size_t k,
                    const RunContext& context) {
  if (k < 1 || k > ranking.size())
    throw InvalidArgument(
        fmt::format("‹k› is {}, but must be 1 to {}, the features ranked", k, ranking.size()));
  for (const std::uint32_t feature : ranking)
    if (feature >= data.features())
      throw InvalidArgument(
          fmt::format("the ranking names feature {} of {}", feature, data.features()));
  Team team(context.threads);
  Predictable predictable(data, team, context);
  return explained(predictable, ranking, k, team, context);
}

bool Explained::nothing_to_predict() const { return !clearly_predicted(together, rows); }

bool Explained::near_chance() const {
  // Nothing better is known where `cover` gains nothing clear, as with all features.
  if (nothing_to_predict() || cover - random <= std::max(spread, kLeastGain)) return false;
  // What is left unexplained counts by its ratio: where much is shared, a few good features among
  // many of no use explain most of it, and the rest is what they miss.
  const double left = 1 - chosen, by_cover = std::max(1 - cover, kLeastGain);
  return left > 0 && left * left > (1 - random) * by_cover;
}

std::string describe(const Explained& e) {
  if (e.nothing_to_predict())
    return "No feature of this data can be predicted from the others, so that nothing can be said "
           "about the chosen ones without labels.";
  return fmt::format(
      "The {} {} {:.0f} % of what can be predicted from other features, on rows left out; {} "
      "{:.0f} ± {:.0f} %, the first {} of cover {:.0f} %.",
      counted(e.k, "chosen feature"), e.k == 1 ? "explains" : "explain", 100 * e.chosen,
      counted(e.k, "random one"), 100 * e.random, 100 * e.spread, e.k, 100 * e.cover);
}

}  // namespace quickselection
