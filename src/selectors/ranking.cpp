// src/selectors/ranking.cpp: see ranking.h.
#include "selectors/ranking.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/iota.h"
#include "selectors/method.h"

namespace quickselection {

namespace {

std::vector<std::uint32_t> sort_features(std::span<const double> scores, auto is_constant) {
  std::vector<std::uint32_t> order = iota(scores.size());
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const bool constant_a = is_constant(a), constant_b = is_constant(b);
    if (constant_a != constant_b) return constant_b;
    return scores[a] > scores[b];
  });
  return order;
}

}  // namespace

std::vector<std::uint32_t> rank_features(std::span<const double> scores, const Scaler& scaler) {
  return sort_features(scores, [&](std::uint32_t f) { return scaler.is_constant(f); });
}

std::vector<std::uint32_t> rank_features(std::vector<double> scores, const Selection& selection) {
  std::vector<bool> constant(scores.size());
  const std::size_t varying = scores.size() - selection.constant_features;
  for (std::size_t r = varying; r < scores.size(); ++r) {
    const std::uint32_t feature = selection.ranking[r];
    constant[feature] = true;
    scores[feature] = std::min(scores[feature], 0.0);
  }
  return sort_features(scores, [&](std::uint32_t f) { return constant[f]; });
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
