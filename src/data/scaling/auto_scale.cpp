// src/data/scaling/auto_scale.cpp: see auto_scale.h.
#include "data/scaling/auto_scale.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "core/processes/comm.h"
#include "core/processes/shard_sum.h"
#include "data/dataset/for_each_value.h"
#include "data/scaling/row_reader.h"
#include "kernels/random/random.h"

namespace quickselection {
namespace {

constexpr double kFactor = 5, kShare = 0.25;
// Medians of single features are those of at most so many rows.
constexpr std::size_t kMostRows = 8192;

double median_of(std::vector<double>& values) {
  if (values.empty()) return 1;
  const auto middle = values.begin() + static_cast<long>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

/// The median of all positive values, to within 1 in 500: counted by the leading bits of floats, so
/// that the order of rows, columns and threads does not matter.
double median_positive(const Dataset& data, std::span<const std::uint32_t> rows, Team& team,
                       std::size_t shards) {
  constexpr int kDropped = 15;
  constexpr std::size_t kBins = std::size_t{1} << (31 - kDropped);
  std::vector<std::vector<std::uint64_t>> counts(static_cast<std::size_t>(team.size()));
  const std::size_t count = rows.empty() ? data.rows() : rows.size();
  const Range own = shards == 0 ? Range{0, count} : own_rows(count, shards);
  visit_type(data.type(), [&]<class T>() {
    team.run([&](int member) {
      auto& mine = counts[static_cast<std::size_t>(member)];
      mine.resize(kBins);
      const Range range = share(own.size(), member, team.size());
      for (std::size_t i = own.begin + range.begin; i < own.begin + range.end; ++i) {
        const std::size_t r = rows.empty() ? i : rows[i];
        for_each_value<T>(data, {r, r + 1}, {0, data.features()},
                          [&](std::size_t, std::size_t, T value) {
                            const float narrow = static_cast<float>(value);
                            if (narrow > 0)
                              ++mine[std::bit_cast<std::uint32_t>(narrow) >> kDropped];
                          });
      }
    });
  });
  std::vector<std::uint64_t> all(kBins);
  for (const auto& part : counts)
    for (std::size_t bin = 0; bin < kBins; ++bin) all[bin] += part[bin];
  if (shards > 0) comm::add_up(all);
  const std::uint64_t total = std::accumulate(all.begin(), all.end(), std::uint64_t{0});
  std::uint64_t below = 0;
  for (std::uint32_t bin = 0; bin < kBins; ++bin) {
    below += all[bin];
    if (2 * below < total || below == 0) continue;
    const double low = std::bit_cast<float>(bin << kDropped);
    const double high = std::bit_cast<float>((bin << kDropped) | ((1u << kDropped) - 1));
    // Whole numbers and other coarse values stand at the beginning of their bin.
    return low > 0 && std::isfinite(high) && low != std::floor(low) ? (low + high) / 2
                                                                    : std::max(low, 1e-30);
  }
  return 1;
}

/// The median of each feature's positive values, 1 where there are none.
std::vector<double> own_units(const Dataset& data, std::span<const std::uint32_t> rows,
                              Team& team) {
  constexpr std::size_t kColumns = 1024;
  std::vector<std::uint32_t> some;
  const std::size_t count = rows.empty() ? data.rows() : rows.size();
  if (count > kMostRows) {
    for (const std::uint64_t i : kernels::sample_distinct(
             count, kMostRows, kernels::RandomStream(0, kernels::Purpose::selection, 1)))
      some.push_back(rows.empty() ? static_cast<std::uint32_t>(i) : rows[i]);
    rows = some;
  }
  const RowReader reader({&data, rows, nullptr});
  std::vector<double> units(data.features());
  for (std::size_t begin = 0; begin < units.size(); begin += kColumns) {
    const std::size_t end = std::min(units.size(), begin + kColumns);
    const std::vector<float> columns = reader.gather_columns({begin, end}, team);
    team.for_each(end - begin, [&](std::size_t j) {
      std::vector<double> positive;
      for (std::size_t i = 0; i < reader.rows(); ++i)
        if (columns[j * reader.rows() + i] > 0) positive.push_back(columns[j * reader.rows() + i]);
      units[begin + j] = median_of(positive);
    });
  }
  return units;
}

struct Ranges {
  std::vector<double> size;  // (I), 0 for features that do not vary
  double middle = 1;
  bool differ = false;
};

Ranges ranges_of(const ColumnStatistics& found, std::span<const double> unit) {
  Ranges ranges;
  const auto value = [&](double x, std::size_t f) {
    return unit.empty() ? x : std::log1p(x / unit[f]);
  };
  std::vector<double> varying;
  for (std::size_t f = 0; f < found.least.size(); ++f) {
    ranges.size.push_back(value(found.most[f], f) - value(found.least[f], f));
    if (ranges.size[f] > 0) varying.push_back(ranges.size[f]);
  }
  if (varying.empty()) return ranges;
  ranges.middle = median_of(varying);
  std::size_t odd = 0;
  for (const double size : varying)
    odd += size < ranges.middle / kFactor || size > ranges.middle * kFactor;
  ranges.differ = static_cast<double>(odd) > kShare * static_cast<double>(varying.size());
  return ranges;
}

}  // namespace

AutoScale auto_scale(const Dataset& data, std::span<const std::uint32_t> rows,
                     const ColumnStatistics& as_stored, Team& team, std::size_t shards) {
  AutoScale found;
  const double least = *std::min_element(as_stored.least.begin(), as_stored.least.end());
  const double most = *std::max_element(as_stored.most.begin(), as_stored.most.end());
  Ranges ranges;
  if (least >= 0 && most > 0) {
    found.unit.assign(data.features(), median_positive(data, rows, team, shards));
    ranges = ranges_of(as_stored, found.unit);
    found.reason = "logarithms, because no value is negative; ";
    if (ranges.differ) {
      found.unit = own_units(data, rows, team);
      ranges = ranges_of(as_stored, found.unit);
      found.reason += "a unit for each feature, because their ranges differ";
    } else {
      found.reason += "one unit for all features, because their ranges are alike";
    }
    if (ranges.differ) found.reason += " and still differ then: standardised";
  } else {
    ranges = ranges_of(as_stored, {});
    found.reason = least < 0 ? "no logarithms, because some values are negative; "
                             : "no logarithms, because all values are 0; ";
    found.reason += ranges.differ ? "standardised, because the features' ranges differ"
                                  : "one unit for all features, because their ranges are alike";
  }
  found.standardise = ranges.differ;
  // A few features of other ranges among many alike are brought near the others.
  for (const double size : ranges.size)
    found.factor.push_back(
        size > 0 ? std::clamp(size, ranges.middle / kFactor, ranges.middle * kFactor) / size : 1);
  return found;
}

}  // namespace quickselection
