// src/evaluation/clustering/hungarian.cpp: the Hungarian method by shortest augmenting paths, O(n^2
// m).
#include "evaluation/clustering/hungarian.h"

#include <limits>

namespace quickselection {
namespace {

/// Each row's column at the least total cost; rows <= columns.
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

}  // namespace quickselection
