// src/data/scaling/scaler.cpp: see scaler.h.
#include "data/scaling/scaler.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/processes/comm.h"
#include "core/processes/shard_sum.h"
#include "data/dataset/missing.h"
#include "data/scaling/auto_scale.h"
#include "data/scaling/column_statistics.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

[[noreturn]] void refuse(const Dataset& data, const MissingValues& bad, bool log) {
  const std::string where = data.source.empty() ? "the data" : data.source;
  const double value = data.at(bad.row, bad.feature);
  const std::string first =
      fmt::format("the first is {} in {}, feature {}{}", value, data.row_text(bad.row), bad.feature,
                  data.names.empty() ? "" : " ('" + data.names[bad.feature] + "')");
  if (log && std::isfinite(value))
    throw Error(
        fmt::format("{}: {} values are negative or not finite, which ‹scale log› cannot use; {}",
                    where, bad.count, first),
        "use ‹scale center›");
  throw Error(fmt::format("{}: {} values are missing or not finite; {}", where, bad.count, first),
              "‹missing› mean, zero, drop-rows or drop-features decides what becomes of them");
}

/// Values that are finite, but whose scale does not fit a float.
[[noreturn]] void refuse_range(const Dataset& data, std::size_t feature, double deviation) {
  throw Error(fmt::format("{}: feature {}{} cannot be scaled: its values differ by {:g}",
                          data.source.empty() ? "the data" : data.source, feature,
                          data.names.empty() ? "" : " ('" + data.names[feature] + "')", deviation),
              "multiply it by a constant, so that it lies between 1e-30 and 1e30");
}

/// What all processes find, each in its own rows.
MissingValues find_missing_together(const Dataset& data, bool log, std::size_t shards) {
  const Range own = own_rows(data.rows(), shards);
  MissingValues bad;
  if (own.size() > 0) {
    std::vector<std::uint32_t> rows(own.size());
    std::iota(rows.begin(), rows.end(), static_cast<std::uint32_t>(own.begin));
    bad = find_missing(data, rows, log);
  }
  std::uint64_t count[] = {bad.count};
  comm::add_up(count);
  constexpr double kNone = std::numeric_limits<double>::max();
  double row[] = {bad.count > 0 ? static_cast<double>(bad.row) : kNone};
  comm::least(row);
  // Whoever has the first row knows its first feature.
  double feature[] = {bad.count > 0 && static_cast<double>(bad.row) == row[0]
                          ? static_cast<double>(bad.feature)
                          : kNone};
  comm::least(feature);
  bad.count = count[0];
  if (bad.count == 0) return bad;
  bad.row = static_cast<std::size_t>(row[0]);
  bad.feature = static_cast<std::size_t>(feature[0]);
  return bad;
}

}  // namespace

Scaler fit_scaler(const Dataset& data, ScaleMode mode, float clip, Team& team, std::size_t shards) {
  return fit_scaler(data, {}, mode, clip, team, shards);
}

Scaler fit_scaler(const Dataset& data, std::span<const std::uint32_t> rows, ScaleMode mode,
                  float clip, Team& team, std::size_t shards) {
  if (data.rows() == 0 || data.features() == 0)
    throw Error(fmt::format("{} holds no values: {} rows x {} features",
                            data.source.empty() ? "the data" : data.source, data.rows(),
                            data.features()));
  const std::size_t features = data.features();
  const bool log = mode == ScaleMode::log;
  std::vector<double> unit(log ? features : 0, 1.0);
  ColumnStatistics found = column_statistics(data, rows, unit, team, shards);
  // Any NaN or infinity ends up in the mean.
  for (std::size_t f = 0; f < features; ++f)
    if (!std::isfinite(found.mean[f]) || (log && found.least[f] < 0)) {
      const MissingValues bad =
          shards == 0 ? find_missing(data, rows, log) : find_missing_together(data, log, shards);
      if (bad.count > 0) refuse(data, bad, log);
      break;
    }

  AutoScale rule;
  if (mode == ScaleMode::automatic) {
    rule = auto_scale(data, rows, found, team, shards);
    unit = std::move(rule.unit);
    if (!unit.empty()) found = column_statistics(data, rows, unit, team, shards);
  }
  unit.resize(features);

  Scaler scaler{mode,
                clip,
                std::move(found.mean),
                {},
                std::vector<float>(features),
                {},
                std::move(unit),
                std::move(rule.reason),
                0};
  const auto factor = [&](std::size_t f) {
    if (mode != ScaleMode::automatic) return 1.0;
    return rule.standardise ? 1 / std::sqrt(found.variance[f]) : rule.factor[f];
  };
  double mean_variance = 0;
  for (std::size_t f = 0; f < features; ++f)
    if (found.variance[f] > 0) mean_variance += found.variance[f] * factor(f) * factor(f);
  mean_variance /= static_cast<double>(features);
  for (std::size_t f = 0; f < features; ++f) {
    const double variance = found.variance[f];
    double scale = 1;
    switch (mode) {
      case ScaleMode::standard:
      case ScaleMode::deviation:
        scale = 1 / std::sqrt(variance);
        break;
      case ScaleMode::minmax:
        scale = 1 / (found.most[f] - found.least[f]);
        break;
      case ScaleMode::center:
      case ScaleMode::log:
        scale = 1 / std::sqrt(mean_variance);
        break;
      case ScaleMode::automatic:
        scale = factor(f) / std::sqrt(mean_variance);
        break;
      case ScaleMode::none:
        break;
    }
    if (mode == ScaleMode::minmax) scaler.mean[f] = found.least[f];
    if (mode == ScaleMode::none || mode == ScaleMode::deviation) scaler.mean[f] = 0;
    // A constant feature keeps its value only when nothing is to be changed.
    if (variance == 0 && mode != ScaleMode::none) scale = 0;
    scaler.scale[f] = static_cast<float>(scale);
    // Values so small that their squares are 0: not constant, yet nothing can be told about them.
    if (variance == 0 && found.most[f] > found.least[f])
      refuse_range(data, f, found.most[f] - found.least[f]);
    if (variance != 0 && !(std::isfinite(variance) && std::isnormal(scaler.scale[f])))
      refuse_range(data, f, std::sqrt(variance));
    scaler.baseline_loss += variance * scale * scale;
  }
  scaler.baseline_loss /= static_cast<double>(features);
  scaler.narrow_mean.assign(scaler.mean.begin(), scaler.mean.end());
  scaler.variance = std::move(found.variance);
  return scaler;
}

void check_values(const Dataset& data, const Scaler& scaler, Team& team) {
  fit_scaler(data, scaler.takes_log() ? ScaleMode::log : ScaleMode::none, 0, team);
}

}  // namespace quickselection
