// src/selectors/graph/graph.cpp: see graph.h.
#include "selectors/graph/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "quickselection/error.h"

namespace quickselection {

std::size_t usable_neighbours(int asked, const Dataset& data, std::string_view method,
                              std::vector<Warning>& warnings) {
  if (data.rows() < 2)
    throw Error(fmt::format("{} compares rows with their neighbours, but {} holds only one row",
                            method, data.source.empty() ? "the data" : data.source),
                "give it two rows at least");
  const auto count = static_cast<std::size_t>(asked);
  if (count < data.rows()) return count;
  warnings.push_back({WarningKind::fewer_than_asked,
                      fmt::format("‹neighbors› is {}, but there are only {} rows: each is joined "
                                  "with all others",
                                  asked, data.rows())});
  return data.rows() - 1;
}

Graph join(const Neighbours& neighbours, const GraphOptions& options) {
  const std::size_t rows = neighbours.rows, count = neighbours.count;
  double width = options.t;
  if (width == 0) {
    width = std::accumulate(neighbours.distances.begin(), neighbours.distances.end(), 0.0) /
            static_cast<double>(neighbours.distances.size());
    if (!(width > 0)) width = 1;  // all neighbours are repeated rows
  }
  const auto weight_of = [&](double distance) {
    switch (options.weights) {
      case GraphWeights::heat:
        return std::exp(-distance / width);
      case GraphWeights::binary:
        break;
      case GraphWeights::cosine:
        return std::max(0.0, 1 - distance);
    }
    return 1.0;
  };

  // Each pair both ways; a pair that was found from both ends is then kept once.
  std::vector<std::uint64_t> starts(rows + 1);
  for (std::size_t r = 0; r < rows; ++r) {
    starts[r + 1] += count;
    for (const std::uint32_t other : neighbours.of(r)) ++starts[other + 1];
  }
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  struct Edge {
    std::uint32_t row;
    double weight;
  };
  std::vector<Edge> edges(starts[rows]);
  std::vector<std::uint64_t> ends(starts.begin(), starts.end() - 1);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t other = neighbours.ids[r * count + i];
      const double weight = weight_of(neighbours.distances[r * count + i]);
      edges[ends[r]++] = {other, weight};
      edges[ends[other]++] = {static_cast<std::uint32_t>(r), weight};
    }

  Graph graph;
  graph.offsets.reserve(rows + 1);
  graph.offsets.push_back(0);
  graph.degrees.reserve(rows);
  for (std::size_t r = 0; r < rows; ++r) {
    const auto begin = edges.begin() + static_cast<long>(starts[r]);
    const auto end = edges.begin() + static_cast<long>(starts[r + 1]);
    std::sort(begin, end, [](const Edge& a, const Edge& b) { return a.row < b.row; });
    double degree = 0;
    for (auto edge = begin; edge != end; ++edge) {
      if (edge->weight == 0 || (edge != begin && edge->row == (edge - 1)->row)) continue;
      graph.ids.push_back(edge->row);
      graph.weights.push_back(edge->weight);
      degree += edge->weight;
    }
    graph.offsets.push_back(graph.ids.size());
    graph.degrees.push_back(degree);
  }
  return graph;
}

Graph neighbour_graph(const MethodInput& in, const GraphOptions& options, std::string_view method,
                      std::vector<Warning>& warnings) {
  const std::size_t count = usable_neighbours(options.neighbors, in.data, method, warnings);
  const RowReader rows({&in.data, {}, &in.scaler});
  const Metric metric =
      options.weights == GraphWeights::cosine ? Metric::cosine : Metric::euclidean;
  Graph graph = join(nearest_neighbours(rows, count, metric, in.team, in.context), options);
  const auto lonely = std::count(graph.degrees.begin(), graph.degrees.end(), 0.0);
  const bool cosine = options.weights == GraphWeights::cosine;
  if (static_cast<std::size_t>(lonely) == graph.rows())
    throw Error(
        fmt::format("all weights of the graph are 0{}",
                    cosine ? ": no row has a neighbour at less than a right angle"
                           : fmt::format(": ‹t {:g}› is too small for this data", options.t)),
        cosine ? "use ‹weights heat›" : "leave out ‹t›, or use ‹weights binary›");
  if (lonely > 0)
    warnings.push_back({WarningKind::rows_left_out,
                        fmt::format("{} of {} rows have no neighbour with a weight above 0 and do "
                                    "not count",
                                    lonely, graph.rows())});
  return graph;
}

std::vector<std::uint32_t> connected_parts(const Graph& graph) {
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> part(graph.rows(), kNone), stack;
  std::vector<std::size_t> sizes;
  for (std::size_t start = 0; start < graph.rows(); ++start) {
    if (part[start] != kNone) continue;
    const auto number = static_cast<std::uint32_t>(sizes.size());
    sizes.push_back(0);
    part[start] = number;
    stack.push_back(static_cast<std::uint32_t>(start));
    while (!stack.empty()) {
      const std::uint32_t row = stack.back();
      stack.pop_back();
      ++sizes[number];
      for (std::uint64_t e = graph.offsets[row]; e < graph.offsets[row + 1]; ++e) {
        if (part[graph.ids[e]] != kNone) continue;
        part[graph.ids[e]] = number;
        stack.push_back(graph.ids[e]);
      }
    }
  }
  std::vector<std::uint32_t> order(sizes.size()), place(sizes.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return sizes[a] > sizes[b]; });
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<std::uint32_t>(i);
  for (std::uint32_t& number : part) number = place[number];
  return part;
}

}  // namespace quickselection
