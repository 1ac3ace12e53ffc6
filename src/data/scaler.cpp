// src/data/scaler.cpp: see scaler.h.
#include "data/scaler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "quickselection/error.h"

namespace quickselection {
namespace {

/// Columns handled together: their sums stay in the L1 cache while the rows stream past.
constexpr std::size_t kColumns = 256;

struct BadValues {
  std::size_t count = 0, row = SIZE_MAX, feature = SIZE_MAX;

  void add(std::size_t r, std::size_t f) {
    ++count;
    if (r < row || (r == row && f < feature)) row = r, feature = f;
  }
  void add(const BadValues& other) {
    count += other.count;
    if (other.row < row || (other.row == row && other.feature < feature))
      row = other.row, feature = other.feature;
  }
};

struct Statistics {
  std::vector<double> mean, variance, least, most;
  explicit Statistics(std::size_t n) : mean(n), variance(n), least(n), most(n) {}
};

/// Mean, variance and range of columns [begin, begin + count). Sums are of differences to the first
/// row, which keeps them accurate when values are large and close together. No rows = all of them.
template <class T>
void scan_columns(const MatrixView& values, std::span<const std::uint32_t> rows, bool log,
                  std::size_t begin, std::size_t count, Statistics& out, BadValues& bad) {
  const std::size_t row_count = rows.empty() ? values.rows : rows.size();
  double shift[kColumns], sum[kColumns] = {}, squares[kColumns] = {}, least[kColumns],
                          most[kColumns];
  const auto value_at = [&](const T* row, std::size_t i) {
    const double value = static_cast<double>(row[i]);
    return log ? std::log1p(value) : value;
  };
  const auto id = [&](std::size_t r) { return rows.empty() ? r : rows[r]; };
  const auto row_at = [&](std::size_t r) {
    return reinterpret_cast<const T*>(values.row(id(r))) + begin;
  };
  for (std::size_t i = 0; i < count; ++i) shift[i] = least[i] = most[i] = value_at(row_at(0), i);
  for (std::size_t r = 0; r < row_count; ++r) {
    const T* row = row_at(r);
    for (std::size_t i = 0; i < count; ++i) {
      const double value = value_at(row, i), difference = value - shift[i];
      sum[i] += difference;
      squares[i] += difference * difference;
      least[i] = std::min(least[i], value);
      most[i] = std::max(most[i], value);
    }
  }
  const double n = static_cast<double>(row_count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t f = begin + i;
    const double center = sum[i] / n;
    out.mean[f] = shift[i] + center;
    // Equal values must give exactly 0, whatever rounding did.
    out.variance[f] = least[i] == most[i] ? 0.0 : std::max(squares[i] / n - center * center, 0.0);
    out.least[f] = least[i];
    out.most[f] = most[i];
    // Any NaN or infinity ends up in the sum of squares: only such columns are searched again.
    const bool suspicious = !std::isfinite(squares[i]) || (log && least[i] < 0);
    if (!suspicious) continue;
    for (std::size_t r = 0; r < row_count; ++r) {
      const double value = static_cast<double>(row_at(r)[i]);
      if (!std::isfinite(value) || (log && value < 0)) bad.add(id(r), f);
    }
  }
}

[[noreturn]] void refuse(const Dataset& data, const BadValues& bad, bool log) {
  const std::string where = data.source.empty() ? "the data" : data.source;
  const double value = data.at(bad.row, bad.feature);
  const std::string first =
      fmt::format("the first is {} in row {} (counted from 0), feature {}{}", value, bad.row,
                  bad.feature, data.names.empty() ? "" : " ('" + data.names[bad.feature] + "')");
  if (log && std::isfinite(value))
    throw Error(
        fmt::format("{}: {} values are negative or not finite, which --scale log cannot use; {}",
                    where, bad.count, first),
        "use --scale center");
  throw Error(fmt::format("{}: {} values are missing or not finite; {}", where, bad.count, first),
              "fill them in or remove their rows or columns first");
}

/// Values that are finite, but whose scale does not fit a float.
[[noreturn]] void refuse_range(const Dataset& data, std::size_t feature, double deviation) {
  throw Error(fmt::format("{}: feature {}{} cannot be scaled: its standard deviation is {:g}",
                          data.source.empty() ? "the data" : data.source, feature,
                          data.names.empty() ? "" : " ('" + data.names[feature] + "')", deviation),
              "multiply it by a constant, so that it lies between 1e-30 and 1e30");
}

}  // namespace

Scaler fit_scaler(const Dataset& data, ScaleMode mode, float clip, Team& team) {
  return fit_scaler(data, {}, mode, clip, team);
}

Scaler fit_scaler(const Dataset& data, std::span<const std::uint32_t> rows, ScaleMode mode,
                  float clip, Team& team) {
  if (data.rows() == 0 || data.features() == 0)
    throw Error(fmt::format("{} holds no values: {} rows x {} features",
                            data.source.empty() ? "the data" : data.source, data.rows(),
                            data.features()));
  const std::size_t features = data.features();
  const bool log = mode == ScaleMode::log;
  Statistics found(features);
  std::vector<BadValues> bad(static_cast<std::size_t>(team.size()));
  team.run([&](int rank) {
    const Range mine = share(features, rank, team.size());
    for (std::size_t f = mine.begin; f < mine.end; f += kColumns)
      visit_type(data.type(), [&](auto* tag) {
        using T = std::remove_const_t<std::remove_pointer_t<decltype(tag)>>;
        scan_columns<T>(data.values(), rows, log, f, std::min(kColumns, mine.end - f), found,
                        bad[static_cast<std::size_t>(rank)]);
      });
  });
  BadValues all_bad;
  for (const auto& part : bad) all_bad.add(part);
  if (all_bad.count > 0) refuse(data, all_bad, log);

  Scaler scaler{mode, clip, std::move(found.mean), {}, std::vector<float>(features), {}, 0};
  double mean_variance = 0;
  for (const double variance : found.variance) mean_variance += variance;
  mean_variance /= static_cast<double>(features);
  for (std::size_t f = 0; f < features; ++f) {
    const double variance = found.variance[f];
    double scale = 1;
    switch (mode) {
      case ScaleMode::standard:
        scale = 1 / std::sqrt(variance);
        break;
      case ScaleMode::minmax:
        scale = 1 / (found.most[f] - found.least[f]);
        break;
      case ScaleMode::center:
      case ScaleMode::log:
        scale = 1 / std::sqrt(mean_variance);
        break;
      case ScaleMode::none:
        break;
    }
    if (mode == ScaleMode::minmax) scaler.mean[f] = found.least[f];
    if (mode == ScaleMode::none) scaler.mean[f] = 0;
    // A constant feature keeps its value only when nothing is to be changed.
    if (variance == 0 && mode != ScaleMode::none) scale = 0;
    scaler.scale[f] = static_cast<float>(scale);
    if (variance != 0 && !(std::isfinite(variance) && std::isnormal(scaler.scale[f])))
      refuse_range(data, f, std::sqrt(variance));
    scaler.baseline_loss += variance * scale * scale;
  }
  scaler.baseline_loss /= static_cast<double>(features);
  scaler.narrow_mean.assign(scaler.mean.begin(), scaler.mean.end());
  scaler.variance = std::move(found.variance);
  return scaler;
}

}  // namespace quickselection
