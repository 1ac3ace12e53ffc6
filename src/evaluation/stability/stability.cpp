// src/evaluation/stability/stability.cpp: how much selections of several runs have in common.
#include "quickselection/stability.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text/counted.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

// Nogueira et al. call an index below 0.4 poor and one above 0.75 excellent; a tenth of the way
// from chance to certainty is what a reader would call chance.
constexpr double kHardlyAboveChance = 0.1, kPoor = 0.4, kExcellent = 0.75;

constexpr double kNormal95 = 1.959963984540054;  // 97.5 % of a standard normal lies below

void check(std::span<const std::vector<std::uint32_t>> rankings, std::size_t features,
           std::size_t k) {
  if (rankings.size() < 2)
    throw InvalidArgument(
        fmt::format("the stability of {} selection is not defined", rankings.size()),
        "give at least 2, from different seeds or samples");
  if (k < 1 || k >= features)
    throw InvalidArgument(
        fmt::format("the stability of {} chosen of {} features is not defined", k, features),
        "K must be at least 1 and less than the number of features");
  std::vector<std::size_t> seen(features, 0);
  for (std::size_t run = 0; run < rankings.size(); ++run) {
    if (rankings[run].size() < k)
      throw InvalidArgument(fmt::format("ranking {} has {} features, fewer than K = {}", run + 1,
                                        rankings[run].size(), k));
    for (std::size_t i = 0; i < k; ++i) {
      const std::uint32_t feature = rankings[run][i];
      if (feature >= features || seen[feature] == run + 1)
        throw InvalidArgument(fmt::format(
            "ranking {} names feature {} {}", run + 1, feature,
            feature >= features ? fmt::format("of {}", features) : std::string("twice")));
      seen[feature] = run + 1;
    }
  }
}

}  // namespace

// Nogueira, Sechidis and Brown, "On the Stability of Feature Selection Algorithms", JMLR 18 (2018).
// With the same k in every run the mean of the features' selection variances is all that varies.
Stability stability(std::span<const std::vector<std::uint32_t>> rankings, std::size_t features,
                    std::size_t k, std::string_view runs_are) {
  check(rankings, features, k);
  const auto runs = static_cast<double>(rankings.size()), d = static_cast<double>(features);
  const double share = static_cast<double>(k) / d;

  Stability result;
  result.k = k;
  result.features = features;
  result.runs = rankings.size();
  result.overlap_by_chance = share;
  result.frequency.resize(features);
  for (const auto& ranking : rankings)
    for (std::size_t i = 0; i < k; ++i) ++result.frequency[ranking[i]];

  // The index: 1 - (mean over f of the unbiased variance of f's selection) / (share (1 - share)).
  const double by_chance = share * (1 - share);
  double variance = 0, pairs = 0;
  for (double& p : result.frequency) {
    const double times = p;
    p = times / runs;
    variance += runs / (runs - 1) * p * (1 - p);
    pairs += times * (times - 1);
  }
  result.overlap = pairs / (runs * (runs - 1) * static_cast<double>(k));
  result.index = 1 - variance / d / by_chance;

  // The index is nearly normal for many runs; its variance comes from each run's own contribution.
  // The terms that depend on k alone are equal in all runs and cancel.
  double mean = 0;
  std::vector<double> own;
  for (const auto& ranking : rankings) {
    double sum = 0;
    for (std::size_t i = 0; i < k; ++i) sum += result.frequency[ranking[i]];
    own.push_back(sum / d / by_chance);
    mean += own.back() / runs;
  }
  for (const double value : own) result.variance += (value - mean) * (value - mean);
  result.variance *= 4 / (runs * runs);
  const double margin = kNormal95 * std::sqrt(result.variance);
  result.lower = result.index - margin;
  result.upper = std::min(1.0, result.index + margin);
  result.runs_are = runs_are;
  return result;
}

bool Stability::near_chance() const { return index < kHardlyAboveChance || lower <= 0; }

std::string describe(const Stability& stability) {
  const double index = stability.index;
  const char* judgement = stability.near_chance() ? "little better than chance"
                          : index < kPoor         ? "low"
                          : index < kExcellent    ? "fair"
                                                  : "high";
  std::string text = fmt::format(
      "{} {} share {:.3g} % of their best {} on average; random choices would share "
      "{:.3g} %. Stability {:.2f} (95 %: {:.2f} to {:.2f}; 0 is chance, 1 is always the same): {}.",
      stability.runs, stability.runs_are, 100 * stability.overlap, counted(stability.k, "feature"),
      100 * stability.overlap_by_chance, index, stability.lower, stability.upper, judgement);
  if (stability.near_chance())
    text +=
        " Another run would choose mostly other features: do not read meaning into single ones.";
  return text;
}

}  // namespace quickselection
