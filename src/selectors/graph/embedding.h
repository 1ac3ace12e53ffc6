// src/selectors/graph/embedding.h: spectral embedding of a graph: the eigenvectors of L y = lambda
// D y with the least eigenvalues, without the constant one.
#pragma once

#include <cstddef>
#include <vector>

#include "core/team.h"
#include "quickselection/progress.h"
#include "selectors/graph/graph.h"

namespace quickselection {

struct Embedding {
  std::size_t dimensions = 0;       ///< may be less than asked for in tiny graphs
  std::size_t parts = 0;            ///< connected parts of the graph, rows without edges left out
  std::vector<double> vectors;      // (dimensions, rows), y'Dy = 1, by ascending eigenvalue
  std::vector<double> eigenvalues;  // (dimensions)
};

/// A graph in c parts has c eigenvectors with eigenvalue 0, and only the space they span is
/// defined. Taken are the indicators of the parts, all but the largest part's, the larger first.
Embedding spectral_embedding(const Graph& graph, std::size_t dimensions, Team& team,
                             const RunContext& context);

}  // namespace quickselection
