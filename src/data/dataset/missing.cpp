// src/data/dataset/missing.cpp: see missing.h.
#include "data/dataset/missing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/iota.h"
#include "core/text/counted.h"
#include "data/dataset/for_each_value.h"
#include "data/dataset/subset.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

/// Adding zero times each value is NaN when one of them is not finite: a quick first look.
template <class T>
bool any_missing(const Dataset& data) {
  const auto look = [](const T* values, std::size_t count) {
    T sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += values[i] * T{0};
    return sum != sum;
  };
  if (data.is_sparse()) {
    const SparseView& sparse = data.sparse();
    return look(reinterpret_cast<const T*>(sparse.values) + sparse.offsets[0], sparse.stored());
  }
  for (std::size_t r = 0; r < data.rows(); ++r)
    if (look(reinterpret_cast<const T*>(data.values().row(r)), data.features())) return true;
  return false;
}

template <class T>
MissingValues find(const Dataset& data, std::span<const std::uint32_t> rows, bool negative) {
  MissingValues found;
  if (rows.empty() && !negative && !any_missing<T>(data)) return found;
  std::vector<bool> features(data.features());
  const auto look = [&](std::size_t r, std::size_t f, T value) {
    if (std::isfinite(value) && !(negative && value < T{0})) return;
    ++found.count;
    if (std::pair(r, f) < std::pair(found.row, found.feature)) found.row = r, found.feature = f;
    features[f] = true;
    if (found.rows.empty() || found.rows.back() != r)
      found.rows.push_back(static_cast<std::uint32_t>(r));
  };
  const Range all{0, data.features()};
  if (rows.empty()) for_each_value<T>(data, {0, data.rows()}, all, look);
  for (const std::size_t r : rows) for_each_value<T>(data, {r, r + 1}, all, look);
  for (std::uint32_t f = 0; f < features.size(); ++f)
    if (features[f]) found.features.push_back(f);
  return found;
}

/// Of the finite values in these rows, for the named features; zero for one that has none, and for
/// all others. Sparse features count their zeros.
std::vector<double> finite_means(const Dataset& data, std::span<const std::uint32_t> rows,
                                 const std::vector<std::uint32_t>& features) {
  std::vector<double> sums(data.features()), counts(data.features());
  for (const std::uint32_t r : rows)
    for (const std::uint32_t f : features)
      if (const double value = data.at(r, f); std::isfinite(value)) {
        sums[f] += value;
        counts[f] += 1;
      }
  for (const std::uint32_t f : features) sums[f] = counts[f] > 0 ? sums[f] / counts[f] : 0;
  return sums;
}

/// A copy in which the missing values have been replaced.
template <class T>
Dataset fill(const Dataset& data, const std::vector<double>& by) {
  Dataset copy = copy_rows(data, iota(data.rows()));
  for_each_value<T>(copy, {0, copy.rows()}, {0, copy.features()},
                    [&](std::size_t, std::size_t f, const T& value) {
                      // The copy was made here and nobody else has it.
                      if (!std::isfinite(value)) const_cast<T&>(value) = static_cast<T>(by[f]);
                    });
  return copy;
}

/// The numbers below `count` without those dropped, which ascend.
std::vector<std::uint32_t> without(std::size_t count, const std::vector<std::uint32_t>& dropped) {
  std::vector<std::uint32_t> kept;
  const std::vector<std::uint32_t> all = iota(count);
  std::set_difference(all.begin(), all.end(), dropped.begin(), dropped.end(),
                      std::back_inserter(kept));
  return kept;
}

template <class T>
void treat(Dataset& data, Missing what) {
  const MissingValues missing = find<T>(data, {}, false);
  if (missing.count == 0) return;
  const std::string found =
      fmt::format("{} in {} and {}", counted(missing.count, "missing value"),
                  counted(missing.features.size(), "feature"), counted(missing.rows.size(), "row"));
  if (what == Missing::error)
    throw Error(fmt::format("{} has {}; the first is in {}, feature {}", data.source, found,
                            data.row_text(missing.row), data.name(missing.feature)),
                "‹missing› mean, zero, drop-rows or drop-features decides what becomes of them");
  std::string done;
  if (what == Missing::mean || what == Missing::zero) {
    const bool mean = what == Missing::mean;
    data = fill<T>(data, mean ? finite_means(data, iota(data.rows()), missing.features)
                              : std::vector<double>(data.features(), 0.0));
    done = mean ? "the mean of each feature takes their place" : "zero takes their place";
  } else if (what == Missing::drop_rows) {
    const std::vector<std::uint32_t> kept = without(data.rows(), missing.rows);
    if (kept.empty())
      throw Error(fmt::format("{} has {}: no row is left without them", data.source, found),
                  "choose ‹missing› mean, zero or drop-features");
    data = copy_rows(data, kept);
    done = fmt::format("{} {} left out, {} stay", counted(missing.rows.size(), "row"),
                       missing.rows.size() == 1 ? "is" : "are", kept.size());
  } else {
    const std::vector<std::uint32_t> kept = without(data.features(), missing.features);
    if (kept.empty())
      throw Error(fmt::format("{} has {}: no feature is left without them", data.source, found),
                  "choose ‹missing› mean, zero or drop-rows");
    const bool named = !data.names.empty();
    std::vector<std::string> names;
    if (!named)
      for (const std::uint32_t f : kept) names.push_back(data.name(f));
    data = copy_columns(data, kept);
    if (!named) data.names = std::move(names);  // so that a column keeps its number
    done = fmt::format("{} {} left out, {} stay", counted(missing.features.size(), "feature"),
                       missing.features.size() == 1 ? "is" : "are", kept.size());
  }
  data.notes.push_back(fmt::format("{}: {}", found, done));
}

}  // namespace

MissingValues find_missing(const Dataset& data, std::span<const std::uint32_t> rows,
                           bool negative) {
  if (!is_floating(data.type()) && !negative) return {};
  return visit_type(data.type(), [&]<class T>() { return find<T>(data, rows, negative); });
}

void treat_missing(Dataset& data, Missing what) {
  if (what == Missing::keep) return;
  if (data.type() == ValueType::f32) treat<float>(data, what);
  if (data.type() == ValueType::f64) treat<double>(data, what);
}

void fill_missing(Dataset& data, const Dataset& train, std::span<const std::uint32_t> rows) {
  const MissingValues missing = find_missing(data);
  if (missing.count == 0) return;
  const std::vector<double> means = finite_means(train, rows, missing.features);
  data = data.type() == ValueType::f32 ? fill<float>(data, means) : fill<double>(data, means);
}

}  // namespace quickselection
