// src/selectors/graph/graph.h: the weighted graph of nearest neighbours that the graph methods
// share.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/text/options.h"
#include "selectors/graph/neighbours.h"
#include "selectors/method.h"

namespace quickselection {

enum class GraphWeights : std::uint8_t { heat, binary, cosine };
inline constexpr std::string_view kGraphWeightNames[] = {"heat", "binary", "cosine"};
template <>
inline constexpr std::span<const std::string_view> kChoices<GraphWeights> = kGraphWeightNames;

struct GraphOptions {
  int neighbors = 5;
  GraphWeights weights = GraphWeights::heat;
  double t = 0;
};

void for_each_field(OptionsOf<GraphOptions> auto& o, auto&& field) {
  field("neighbors", o.neighbors, between(1, 1e6), "Nearest rows that each row is joined with.");
  field("weights", o.weights, choices_of<GraphWeights>(),
        "Weight of an edge: exp(-distance^2 / t), 1, or the cosine of the angle.");
  field("t", o.t, at_least(0),
        "Width of the heat weights; 0 = the mean squared distance to the neighbours.");
}

/// Symmetric, without loops; edges of weight 0 are left out. Row i's edges are
/// [offsets[i], offsets[i + 1]), by ascending row.
struct Graph {
  std::vector<std::uint64_t> offsets;  // (rows + 1)
  std::vector<std::uint32_t> ids;
  std::vector<double> weights;
  std::vector<double> degrees;  // (rows), sum of the weights

  std::size_t rows() const { return degrees.size(); }
};

/// The number of neighbours that can be had: less than the rows. Adds a warning when it is less
/// than asked for. Throws Error when there is only one row.
std::size_t usable_neighbours(int asked, const Dataset& data, std::string_view method,
                              std::vector<Warning>& warnings);

/// Joins i and j when one is among the neighbours of the other.
Graph join(const Neighbours& neighbours, const GraphOptions& options);

/// Both at once, with warnings. Throws Error when all weights are 0.
Graph neighbour_graph(const MethodInput& in, const GraphOptions& options, std::string_view method,
                      std::vector<Warning>& warnings);

/// The connected part of each row, numbered by size, largest first; equals by their first row.
std::vector<std::uint32_t> connected_parts(const Graph& graph);

}  // namespace quickselection
