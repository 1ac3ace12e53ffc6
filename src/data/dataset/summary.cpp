// src/data/dataset/summary.cpp: see include/quickselection/summary.h.
#include "quickselection/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/text/visible.h"
#include "data/dataset/for_each_value.h"
#include "data/dataset/missing.h"
#include "data/dataset/summary_fields.h"
#include "data/scaling/auto_scale.h"

namespace quickselection {
namespace {

constexpr std::size_t kChunk = 1024;  // features looked at together: their state stays in the cache

/// Zeros are only counted: sparse and dense data give the same.
struct FeatureState {
  std::uint64_t hash[2] = {0, 0};  // of rows and values; equal ones mean equal features
  std::uint64_t first = 0;         // bits of the first value that is not zero
  std::size_t nonzero = 0, nonfinite = 0;
  double least = 0, most = 0;  // of the finite values that are not zero
  bool same = true, integers = true, any_finite = false;

  bool is_constant(std::size_t rows) const { return nonzero == 0 || (nonzero == rows && same); }
  /// Zeros included.
  double least_of(std::size_t rows) const { return nonzero < rows ? std::min(least, 0.0) : least; }
  double most_of(std::size_t rows) const { return nonzero < rows ? std::max(most, 0.0) : most; }
};

/// Equal values give equal bits: all NaN are one.
std::uint64_t bits_of(double value) {
  if (std::isnan(value)) return ~std::uint64_t{0};
  return std::bit_cast<std::uint64_t>(value);
}

void add_value(FeatureState& state, std::size_t row, double value) {
  const std::uint64_t bits = bits_of(value);
  if (state.nonzero++ == 0) state.first = bits;
  state.same &= bits == state.first;
  const std::uint64_t mixed = (bits ^ (row + 1) * 0xff51afd7ed558ccdu) * 0xc4ceb9fe1a85ec53u;
  state.hash[0] = std::rotl((state.hash[0] ^ bits ^ row) * 0x9e3779b97f4a7c15u, 29);
  state.hash[1] += mixed ^ mixed >> 31;
  if (!std::isfinite(value)) {
    ++state.nonfinite;
    return;
  }
  state.integers &= value == std::nearbyint(value);
  state.least = state.any_finite ? std::min(state.least, value) : value;
  state.most = state.any_finite ? std::max(state.most, value) : value;
  state.any_finite = true;
}

template <class T>
void scan_values(const Dataset& data, std::vector<FeatureState>& states) {
  const std::size_t chunk = data.is_sparse() ? data.features() : kChunk;
  for (std::size_t f0 = 0; f0 < data.features(); f0 += chunk)
    for_each_value<T>(data, {0, data.rows()}, {f0, std::min(data.features(), f0 + chunk)},
                      [&](std::size_t r, std::size_t f, T value) {
                        if (value != T{0}) add_value(states[f], r, static_cast<double>(value));
                      });
}

std::size_t count_duplicates(const std::vector<FeatureState>& states, std::size_t rows) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> hashes;
  for (const FeatureState& state : states)
    if (!state.is_constant(rows)) hashes.emplace_back(state.hash[0], state.hash[1]);
  std::sort(hashes.begin(), hashes.end());
  const auto end = std::unique(hashes.begin(), hashes.end());
  return static_cast<std::size_t>(hashes.end() - end);
}

void sum_up(const std::vector<FeatureState>& states, std::size_t rows, Summary& summary) {
  std::size_t nonzero = 0;
  summary.integers = true;
  summary.least = std::numeric_limits<double>::infinity();
  summary.most = -summary.least;
  for (const FeatureState& state : states) {
    nonzero += state.nonzero;
    summary.constant_features += state.is_constant(rows);
    summary.nonfinite_features += state.nonfinite > 0;
    summary.nonfinite_values += state.nonfinite;
    summary.integers &= state.integers;
    if (state.any_finite) {
      summary.least = std::min(summary.least, state.least);
      summary.most = std::max(summary.most, state.most);
    }
    if (state.nonzero < rows) {
      summary.least = std::min(summary.least, 0.0);
      summary.most = std::max(summary.most, 0.0);
    }
  }
  if (!(summary.least <= summary.most)) summary.least = summary.most = 0;
  const double count = static_cast<double>(rows) * static_cast<double>(states.size());
  summary.density = count == 0 ? 0 : static_cast<double>(nonzero) / count;
}

std::string bytes_text(std::size_t bytes) {
  if (bytes < 1000) return fmt::format("{} bytes", bytes);
  double value = static_cast<double>(bytes);
  const char* const units[] = {"kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  for (value /= 1000; value >= 1000 && unit < 3; value /= 1000) ++unit;
  return fmt::format("{:.1f} {}", value, units[unit]);
}

/// What ‹scale auto› would do, by the same rule.
ScalingAdvice advise_scaling(const Dataset& data, const std::vector<FeatureState>& states,
                             const Summary& summary) {
  if (summary.constant_features == summary.features) return {"none", "no feature varies"};
  if (summary.nonfinite_values > 0)
    return {"auto", "the values decide, once none is missing: see ‹missing›"};
  ColumnStatistics ranges;
  for (const FeatureState& state : states) {
    ranges.least.push_back(state.least_of(data.rows()));
    ranges.most.push_back(state.most_of(data.rows()));
  }
  Team team(1);
  return {"auto", auto_scale(data, {}, ranges, team).reason};
}

}  // namespace

Summary summarize(const Dataset& data) {
  Summary summary;
  summary.source = data.source;
  summary.rows = data.rows();
  summary.features = data.features();
  summary.type = data.type();
  summary.bytes = data.value_bytes();
  summary.named = !data.names.empty();
  summary.notes = data.notes;
  summary.table = data.table;

  summary.sparse = data.is_sparse();
  std::vector<FeatureState> states(data.features());
  visit_type(data.type(), [&]<class T>() { scan_values<T>(data, states); });
  sum_up(states, data.rows(), summary);
  if (summary.nonfinite_values > 0) {
    const MissingValues missing = find_missing(data);
    summary.first_nonfinite = Cell{missing.row, missing.feature};
  }
  summary.duplicated_features = count_duplicates(states, data.rows());
  if (data.labels) {
    summary.measured_labels = data.labels->measured;
    for (const std::string& name : data.labels->classes) summary.classes.emplace_back(name, 0);
    for (std::int32_t code : data.labels->codes)
      ++summary.classes[static_cast<std::size_t>(code)].second;
  }
  summary.advised_scaling = advise_scaling(data, states, summary);
  return summary;
}

namespace {

using Lines = std::vector<std::pair<std::string, std::string>>;

/// All columns of a narrow table; of a wide one those that are more than plain numbers.
void add_columns(Lines& lines, const Summary& summary) {
  constexpr std::size_t kShown = 60;
  const bool all = summary.table.size() <= kShown;
  std::size_t shown = 0;
  for (const TableColumn& column : summary.table) {
    const bool plain =
        column.kind == ColumnKind::number && column.missing == 0 && column.use == "feature";
    if ((plain && !all) || shown == kShown) continue;
    ++shown;
    lines.emplace_back(
        "column", fmt::format("{}: {}, {:.3g} % missing, {}", column.name, name_of(column.kind),
                              100 * static_cast<double>(column.missing) /
                                  static_cast<double>(std::max<std::size_t>(summary.rows, 1)),
                              column.use));
  }
  if (shown < summary.table.size())
    lines.emplace_back("column", fmt::format("{} more{}", summary.table.size() - shown,
                                             shown < kShown ? ": numbers without gaps" : ""));
}

}  // namespace

Lines describe(const Summary& summary) {
  if (!summary.problem.empty()) {
    Lines lines{{"data", summary.source},
                {"rows", fmt::format("{}", summary.rows)},
                {"problem", summary.problem}};
    if (!summary.hint.empty()) lines.emplace_back("what to do", summary.hint);
    add_columns(lines, summary);
    for (const std::string& note : summary.notes) lines.emplace_back("note", note);
    return lines;
  }
  Lines lines{
      {"data", summary.source},
      {"rows", fmt::format("{}", summary.rows)},
      {"features",
       fmt::format("{}{}", summary.features, summary.named ? " (named)" : " (without names)")},
      {"stored as", fmt::format("{}{}", name_of(summary.type), summary.sparse ? ", sparse" : "")},
      {"size", bytes_text(summary.bytes)},
      {"nonzero", fmt::format("{:.4g} %", 100 * summary.density)},
      {"values", fmt::format("{:.6g} to {:.6g}{}", summary.least, summary.most,
                             summary.integers ? ", whole numbers" : "")},
      {"constant features", fmt::format("{}", summary.constant_features)},
      {"duplicated features", fmt::format("{}", summary.duplicated_features)},
  };
  std::string missing = fmt::format("{}", summary.nonfinite_features);
  if (summary.first_nonfinite)
    missing +=
        fmt::format(" ({} values, the first in row {}, feature {})", summary.nonfinite_values,
                    summary.first_nonfinite->row, summary.first_nonfinite->feature);
  lines.emplace_back("features with NaN or infinity", missing);
  std::string classes = "none";
  if (summary.measured_labels) {
    classes = fmt::format(
        "a measured number with {} different values (‹task classification› takes "
        "them as classes)",
        summary.classes.size());
  } else if (!summary.classes.empty()) {
    constexpr std::size_t kShown = 20;
    classes = fmt::format("{} classes:", summary.classes.size());
    for (std::size_t c = 0; c < std::min(kShown, summary.classes.size()); ++c)
      classes += fmt::format("{} {} ({})", c == 0 ? "" : ",", visible(summary.classes[c].first),
                             summary.classes[c].second);
    if (summary.classes.size() > kShown)
      classes += fmt::format(" and {} more", summary.classes.size() - kShown);
  }
  lines.emplace_back("labels", classes);
  const ScalingAdvice& advice = summary.advised_scaling;
  lines.emplace_back("advised scaling", fmt::format("‹scale {}›: {}", advice.scale, advice.reason));
  add_columns(lines, summary);
  for (const std::string& note : summary.notes) lines.emplace_back("note", note);
  return lines;
}

}  // namespace quickselection
