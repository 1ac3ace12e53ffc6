// src/selectors/ranking.cpp: see ranking.h.
#include "selectors/ranking.h"

#include <fmt/format.h>

#include <algorithm>

#include "selectors/method.h"

namespace quickselection {

namespace {

std::vector<std::uint32_t> sort_features(std::span<const double> scores, const Dataset& data,
                                         auto constant) {
  std::vector<std::uint32_t> order = data.ranked();
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const bool constant_a = constant(a), constant_b = constant(b);
    if (constant_a != constant_b) return constant_b;
    return scores[a] > scores[b];
  });
  return order;
}

}  // namespace

bool is_constant(std::uint32_t feature, const Dataset& data, const Scaler& scaler) {
  if (data.groups.empty()) return scaler.is_constant(feature);
  const auto columns = data.columns_of({&feature, 1});
  return std::all_of(columns.begin(), columns.end(),
                     [&](std::uint32_t column) { return scaler.is_constant(column); });
}

void share_scores(std::vector<double>& scores, const Dataset& data, const Scaler& scaler) {
  for (const FeatureGroup& group : data.groups) {
    std::optional<double> best;
    for (std::uint32_t c = group.begin; c < group.end; ++c)
      if (!scaler.is_constant(c)) best = std::max(best.value_or(scores[c]), scores[c]);
    for (std::uint32_t c = group.begin; best && c < group.end; ++c) scores[c] = *best;
  }
}

std::vector<std::uint32_t> rank_features(std::span<const double> scores, const Dataset& data,
                                         const Scaler& scaler) {
  return sort_features(scores, data, [&](std::uint32_t f) { return is_constant(f, data, scaler); });
}

std::vector<std::uint32_t> rank_features(std::vector<double> scores, const Dataset& data,
                                         const Selection& selection) {
  std::vector<bool> constant(scores.size());
  for (const FeatureGroup& group : data.groups)
    scores[group.begin] =
        *std::max_element(scores.begin() + group.begin, scores.begin() + group.end);
  const std::size_t ranked = selection.ranking.size();
  for (std::size_t r = ranked - selection.constant_features; r < ranked; ++r) {
    const std::uint32_t feature = selection.ranking[r];
    constant[feature] = true;
    scores[feature] = std::min(scores[feature], 0.0);
  }
  return sort_features(scores, data, [&](std::uint32_t f) { return constant[f]; });
}

ScaleMode scale_used(const SelectOptions& options, const Dataset& data) {
  if (options.scale) return *options.scale;
  const ScaleMode wanted = find_method(options.method).scale;
  // Centring would make every zero of sparse data another number: it is left to those who ask.
  return data.is_sparse() && wanted == ScaleMode::standard ? ScaleMode::deviation : wanted;
}

Warning constant_warning(std::size_t constant, std::size_t features) {
  return {WarningKind::constant_features,
          fmt::format("{} of {} features are constant and ranked last", constant, features)};
}

}  // namespace quickselection
