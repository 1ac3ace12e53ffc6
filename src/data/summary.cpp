// src/data/summary.cpp: see summary.h.
#include "data/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <unordered_map>

namespace quickselection {
namespace {

constexpr std::size_t kChunk = 1024;  // features looked at together: their state stays in the cache

struct FeatureState {
  double first = 0;
  std::uint64_t hash = 0;
  std::size_t nonfinite = 0;
  bool constant = true;
};

/// Equal values give equal bits: -0 is 0, and all NaN are one.
std::uint64_t bits_of(double value) {
  if (value == 0) return 0;
  if (std::isnan(value)) return ~std::uint64_t{0};
  return std::bit_cast<std::uint64_t>(value);
}

template <class T>
T value_at(const Dataset& data, std::size_t row, std::size_t feature) {
  T value;
  std::memcpy(&value, data.values().row(row) + feature * sizeof value, sizeof value);
  return value;
}

template <class T>
bool same_feature(const Dataset& data, std::size_t a, std::size_t b) {
  for (std::size_t r = 0; r < data.rows(); ++r)
    if (bits_of(static_cast<double>(value_at<T>(data, r, a))) !=
        bits_of(static_cast<double>(value_at<T>(data, r, b))))
      return false;
  return true;
}

template <class T>
void scan_values(const Dataset& data, Summary& summary, std::vector<FeatureState>& states) {
  std::size_t zeros = 0;
  for (std::size_t f0 = 0; f0 < data.features(); f0 += kChunk) {
    const std::size_t f1 = std::min(data.features(), f0 + kChunk);
    for (std::size_t r = 0; r < data.rows(); ++r)
      for (std::size_t f = f0; f < f1; ++f) {
        FeatureState& state = states[f];
        const auto value = static_cast<double>(value_at<T>(data, r, f));
        const std::uint64_t bits = bits_of(value);
        if (r == 0) state.first = value;
        state.constant &= bits == bits_of(state.first);
        state.hash = std::rotl((state.hash ^ bits) * 0x9e3779b97f4a7c15u, 29);
        zeros += value == 0;
        if (std::is_floating_point_v<T> && !std::isfinite(value)) {
          ++state.nonfinite;
          const auto& first = summary.first_nonfinite;
          if (!first || r < first->row) summary.first_nonfinite = Cell{r, f};
        }
      }
  }
  const auto count = static_cast<double>(data.rows() * data.features());
  summary.density = count == 0 ? 0 : 1 - static_cast<double>(zeros) / count;
}

template <class T>
std::size_t count_duplicates(const Dataset& data, const std::vector<FeatureState>& states) {
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> originals;
  std::size_t duplicates = 0;
  for (std::size_t f = 0; f < states.size(); ++f) {
    if (states[f].constant) continue;
    auto& alike = originals[states[f].hash];
    if (std::any_of(alike.begin(), alike.end(),
                    [&](std::size_t earlier) { return same_feature<T>(data, earlier, f); }))
      ++duplicates;
    else
      alike.push_back(f);
  }
  return duplicates;
}

std::string bytes_text(std::size_t bytes) {
  if (bytes < 1000) return fmt::format("{} bytes", bytes);
  double value = static_cast<double>(bytes);
  const char* const units[] = {"kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  for (value /= 1000; value >= 1000 && unit < 3; value /= 1000) ++unit;
  return fmt::format("{:.1f} {}", value, units[unit]);
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

  std::vector<FeatureState> states(data.features());
  visit_type(data.type(), [&](auto* tag) {
    using T = std::remove_const_t<std::remove_pointer_t<decltype(tag)>>;
    scan_values<T>(data, summary, states);
    summary.duplicated_features = count_duplicates<T>(data, states);
  });
  for (const FeatureState& state : states) {
    summary.constant_features += state.constant;
    summary.nonfinite_features += state.nonfinite > 0;
    summary.nonfinite_values += state.nonfinite;
  }
  if (data.labels) {
    for (const std::string& name : data.labels->classes) summary.classes.emplace_back(name, 0);
    for (std::int32_t code : data.labels->codes)
      ++summary.classes[static_cast<std::size_t>(code)].second;
  }
  return summary;
}

std::vector<std::pair<std::string, std::string>> describe(const Summary& summary) {
  std::vector<std::pair<std::string, std::string>> lines{
      {"data", summary.source},
      {"rows", fmt::format("{}", summary.rows)},
      {"features",
       fmt::format("{}{}", summary.features, summary.named ? " (named)" : " (without names)")},
      {"stored as", std::string(name_of(summary.type))},
      {"size", bytes_text(summary.bytes)},
      {"nonzero", fmt::format("{:.4g} %", 100 * summary.density)},
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
  if (!summary.classes.empty()) {
    constexpr std::size_t kShown = 20;
    classes = fmt::format("{} classes:", summary.classes.size());
    for (std::size_t c = 0; c < std::min(kShown, summary.classes.size()); ++c)
      classes += fmt::format("{} {} ({})", c == 0 ? "" : ",", summary.classes[c].first,
                             summary.classes[c].second);
    if (summary.classes.size() > kShown)
      classes += fmt::format(" and {} more", summary.classes.size() - kShown);
  }
  lines.emplace_back("labels", classes);
  for (const std::string& note : summary.notes) lines.emplace_back("note", note);
  return lines;
}

}  // namespace quickselection
