// src/evaluation/clustering/metrics.cpp: see metrics.h.
#include "evaluation/clustering/metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace quickselection {
namespace {

/// The Hungarian method by shortest augmenting paths, O(rows^2 columns). Each row's column at the
/// least total cost; rows <= columns.
std::vector<std::size_t> assign(std::size_t rows, std::size_t columns, const auto& cost) {
  // Rows are added one at a time. Potentials keep every reduced cost cost - row - column at least
  // 0, and 0 on matched pairs; a shortest path of reduced costs ends at a free column.
  std::vector<double> row_potential(rows, 0.0), column_potential(columns, 0.0);
  std::vector<std::size_t> row_of(columns, kUnmatched);
  for (std::size_t added = 0; added < rows; ++added) {
    std::vector<double> distance(columns, std::numeric_limits<double>::infinity());
    std::vector<std::size_t> came_from(columns, kUnmatched);  // the column before on the path
    std::vector<bool> done(columns, false);
    std::size_t row = added, last = kUnmatched;
    double reached = 0;
    for (;;) {
      std::size_t nearest = kUnmatched;
      for (std::size_t c = 0; c < columns; ++c) {
        if (done[c]) continue;
        const double through = reached + cost(row, c) - row_potential[row] - column_potential[c];
        if (through < distance[c]) {
          distance[c] = through;
          came_from[c] = last;
        }
        if (nearest == kUnmatched || distance[c] < distance[nearest]) nearest = c;
      }
      done[nearest] = true;
      reached = distance[nearest];
      last = nearest;
      if (row_of[nearest] == kUnmatched) break;
      row = row_of[nearest];
    }
    row_potential[added] += reached;
    for (std::size_t c = 0; c < columns; ++c)
      if (done[c] && c != last) {
        row_potential[row_of[c]] += reached - distance[c];
        column_potential[c] -= reached - distance[c];
      }
    while (came_from[last] != kUnmatched) {
      row_of[last] = row_of[came_from[last]];
      last = came_from[last];
    }
    row_of[last] = added;
  }
  std::vector<std::size_t> column_of(rows, kUnmatched);
  for (std::size_t c = 0; c < columns; ++c)
    if (row_of[c] != kUnmatched) column_of[row_of[c]] = c;
  return column_of;
}

struct Margins {
  std::vector<double> clusters, classes;
};

Margins margins_of(const Contingency& table) {
  Margins margins{std::vector<double>(table.clusters), std::vector<double>(table.classes)};
  for (std::size_t i = 0; i < table.clusters; ++i)
    for (std::size_t j = 0; j < table.classes; ++j) {
      margins.clusters[i] += table.counts[i * table.classes + j];
      margins.classes[j] += table.counts[i * table.classes + j];
    }
  return margins;
}

double entropy(std::span<const double> counts, double rows) {
  double sum = 0;
  for (const double count : counts)
    if (count > 0) sum -= count / rows * std::log(count / rows);
  return sum;
}

double pairs(double count) { return count * (count - 1) / 2; }

double sum_of_pairs(std::span<const double> counts) {
  double sum = 0;
  for (const double count : counts) sum += pairs(count);
  return sum;
}

}  // namespace

std::vector<std::size_t> best_matching(std::span<const double> gain, std::size_t rows,
                                       std::size_t columns) {
  if (rows <= columns)
    return assign(rows, columns,
                  [&](std::size_t r, std::size_t c) { return -gain[r * columns + c]; });
  const auto row_of =
      assign(columns, rows, [&](std::size_t c, std::size_t r) { return -gain[r * columns + c]; });
  std::vector<std::size_t> column_of(rows, kUnmatched);
  for (std::size_t c = 0; c < columns; ++c) column_of[row_of[c]] = c;
  return column_of;
}

Contingency contingency(std::span<const std::uint32_t> clusters,
                        std::span<const std::uint32_t> classes) {
  Contingency table;
  table.rows = clusters.size();
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    table.clusters = std::max<std::size_t>(table.clusters, clusters[i] + 1u);
    table.classes = std::max<std::size_t>(table.classes, classes[i] + 1u);
  }
  table.counts.resize(table.clusters * table.classes);
  for (std::size_t i = 0; i < clusters.size(); ++i)
    ++table.counts[clusters[i] * table.classes + classes[i]];
  return table;
}

double matching_accuracy(const Contingency& table) {
  const auto match = best_matching(table.counts, table.clusters, table.classes);
  double right = 0;
  for (std::size_t i = 0; i < table.clusters; ++i)
    if (match[i] != kUnmatched) right += table.counts[i * table.classes + match[i]];
  return right / static_cast<double>(table.rows);
}

double normalized_mutual_information(const Contingency& table) {
  const Margins margins = margins_of(table);
  const auto rows = static_cast<double>(table.rows);
  const double mean = (entropy(margins.clusters, rows) + entropy(margins.classes, rows)) / 2;
  if (mean <= 0) return 1;
  double information = 0;
  for (std::size_t i = 0; i < table.clusters; ++i)
    for (std::size_t j = 0; j < table.classes; ++j) {
      const double count = table.counts[i * table.classes + j];
      if (count > 0)
        information +=
            count / rows * std::log(count * rows / (margins.clusters[i] * margins.classes[j]));
    }
  return std::clamp(information / mean, 0.0, 1.0);
}

double adjusted_rand_index(const Contingency& table) {
  const Margins margins = margins_of(table);
  const double together = sum_of_pairs(table.counts);
  const double clusters = sum_of_pairs(margins.clusters), classes = sum_of_pairs(margins.classes);
  const double all = pairs(static_cast<double>(table.rows));
  const double expected = all > 0 ? clusters * classes / all : 0;
  const double most = (clusters + classes) / 2;
  // Equal only when both are one group, or both are all single rows: the same grouping.
  if (most == expected) return 1;
  return (together - expected) / (most - expected);
}

MeanStd mean_and_std(std::span<const double> values) {
  if (values.empty()) return {};
  const auto n = static_cast<double>(values.size());
  MeanStd result{std::accumulate(values.begin(), values.end(), 0.0) / n, 0};
  for (const double value : values) result.std += (value - result.mean) * (value - result.mean);
  result.std = values.size() > 1 ? std::sqrt(result.std / (n - 1)) : 0;
  return result;
}

}  // namespace quickselection
