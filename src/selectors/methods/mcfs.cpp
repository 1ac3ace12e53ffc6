// src/selectors/methods/mcfs.cpp: Multi-Cluster Feature Selection (Cai, Zhang and He, 2010):
// features that a few of them predict the spectral embedding of the rows from.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/pace.h"
#include "selectors/graph/embedding.h"
#include "selectors/graph/graph.h"
#include "selectors/graph/lasso_path.h"
#include "selectors/graph/products.h"
#include "selectors/method.h"

namespace quickselection {
namespace {

struct McfsOptions {
  GraphOptions graph;
  int clusters = 5;
};

void for_each_field(OptionsOf<McfsOptions> auto& o, auto&& field) {
  for_each_field(o.graph, field);
  field("clusters", o.clusters, between(1, 1e4),
        "Eigenvectors that the features must predict; best the number of groups in the data.");
}

/// Follows all paths at the same time: in each round they share one pass over the data for the
/// Gram columns that are new.
void follow(std::vector<LassoPath>& paths, const RowReader& data, std::size_t most, Team& team,
            const RunContext& context) {
  Pace pace("regress", static_cast<double>(most), context);
  GramColumns gram(data.columns());
  for (std::size_t round = 0;; ++round) {
    pace.check_stop();
    std::vector<std::uint32_t> missing;
    for (const LassoPath& path : paths)
      if (!path.finished() && gram[path.entering()].empty()) missing.push_back(path.entering());
    std::sort(missing.begin(), missing.end());
    missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
    const std::vector<float> columns =
        RowReader(data.from(), missing).gather_columns({0, missing.size()}, team);
    const std::vector<double> added =
        products(data, std::vector<double>(columns.begin(), columns.end()), team, pace);
    for (std::size_t i = 0; i < missing.size(); ++i) {
      const auto begin = added.begin() + static_cast<long>(i * data.columns());
      gram[missing[i]].assign(begin, begin + static_cast<long>(data.columns()));
    }
    if (std::all_of(paths.begin(), paths.end(), [](const auto& path) { return path.finished(); }))
      return;
    team.for_each(paths.size(), [&](std::size_t i) { paths[i].advance(gram); });
    pace.reach(static_cast<double>(std::min(round + 1, most)));
  }
}

MethodOutput rank_by_mcfs(const MethodInput& in) {
  const auto options = parse_options<McfsOptions>(in.given, kMcfs.name);
  MethodOutput out;
  const Graph graph = neighbour_graph(in, options.graph, kMcfs.name, out.warnings);
  const auto clusters = static_cast<std::size_t>(options.clusters);
  const Embedding embedding = spectral_embedding(graph, clusters, in.team, in.context);
  if (embedding.dimensions < clusters)
    out.warnings.push_back({WarningKind::fewer_than_asked,
                            fmt::format("‹clusters› is {}, but {} rows have only {} eigenvectors",
                                        clusters, in.data.rows(), embedding.dimensions)});
  const RowReader data({&in.data, {}, &in.scaler});
  const std::size_t features = data.columns(), most = std::min(in.k, features);
  const std::vector<double> correlations =
      products(data, embedding.vectors, in.team, Pace("regress", 0, in.context));
  std::vector<LassoPath> paths;
  for (std::size_t i = 0; i < embedding.dimensions; ++i) {
    const auto begin = correlations.begin() + static_cast<long>(i * features);
    paths.emplace_back(std::vector<double>(begin, begin + static_cast<long>(features)), most);
  }
  follow(paths, data, most, in.team, in.context);

  // Features that no regression uses are ranked by how near they came to it, below all others.
  out.scores.assign(features, -1.0);
  for (const LassoPath& path : paths) {
    const std::vector<double> coefficients = path.coefficients();
    for (std::size_t f = 0; f < features; ++f) {
      const double share =
          path.penalty() > 0 ? std::min(1.0, std::abs(path.correlations()[f]) / path.penalty()) : 0;
      const double score = coefficients[f] != 0 ? std::abs(coefficients[f]) : share - 1;
      out.scores[f] = std::max(out.scores[f], score);
    }
  }
  out.options = settings_of(options);
  return out;
}

}  // namespace

constinit const Method kMcfs{
    .name = "mcfs",
    .class_name = "MCFS",
    .summary =
        "Features from which L1 regressions predict the clusters of the rows "
        "(spectral embedding).",
    .scale = ScaleMode::minmax,
    .options = options_of<McfsOptions>(),
    .run = rank_by_mcfs,
    .seeded = false,
    .needs_k = always_needs_k,
};

}  // namespace quickselection
