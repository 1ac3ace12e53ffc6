// src/selectors/graph/neighbours.h: the exact nearest neighbours of every row, in memory O(rows x
// count).
//
// Candidates come from 32-bit products with a proven error bound; whatever might be a neighbour is
// measured again in double precision, on the scaled values themselves. So equal distances are seen
// as equal, repeated rows are at distance 0, and nothing depends on threads or the SIMD level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/team.h"
#include "data/scaling/row_reader.h"
#include "quickselection/progress.h"

namespace quickselection {

enum class Metric : std::uint8_t {
  euclidean,  ///< the squared distance
  cosine,     ///< 1 - cosine of the angle; a row of zeros is at right angles to every row
};

struct Neighbours {
  std::size_t rows = 0, count = 0;
  std::vector<std::uint32_t> ids;  // (rows, count), nearest first, equals in the order of rows
  std::vector<double> distances;   // (rows, count)

  std::span<const std::uint32_t> of(std::size_t row) const {
    return {ids.data() + row * count, count};
  }
};

/// A row is never its own neighbour. count must be at least 1 and less than the number of rows.
Neighbours nearest_neighbours(const RowReader& data, std::size_t count, Metric metric, Team& team,
                              const RunContext& context);

}  // namespace quickselection
