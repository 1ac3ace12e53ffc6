// src/selectors/methods/mcfs.cpp: Multi-Cluster Feature Selection (Cai, Zhang and He, 2010):
// features that a few of them predict the spectral embedding of the rows from.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/pace.h"
#include "selectors/graph/embedding.h"
#include "selectors/graph/graph.h"
#include "selectors/graph/lasso_path.h"
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

// Rows taken together: each sum is loaded and stored once for all of them.
constexpr std::size_t kRowsTogether = 4;
// Sums of one pass; they stay in the L2 cache while the rows stream past.
constexpr std::size_t kSums = 16384;

/// sums += a weighted sum of kRowsTogether rows, added one after the other, so that rounding does
/// not depend on which features are summed together.
void add_rows(const float* rows, std::size_t width, const double* weights, double* sums) {
  const float *a = rows, *b = a + width, *c = b + width, *d = c + width;
  for (std::size_t j = 0; j < width; ++j)
    sums[j] = (((sums[j] + weights[0] * a[j]) + weights[1] * b[j]) + weights[2] * c[j]) +
              weights[3] * d[j];
}

/// V X, X being the scaled data (rows, features), block by block and never stored, in double
/// precision. vectors: V, (count, rows); returns (count, features). Throws Interrupted when the
/// pace's caller wants to stop.
std::vector<double> products(const RowReader& data, std::span<const double> vectors, Team& team,
                             const Pace& pace) {
  const std::size_t rows = data.rows(), features = data.columns(), count = vectors.size() / rows;
  std::vector<double> out(count * features);
  if (count == 0) return out;
  const std::size_t parts = static_cast<std::size_t>(team.size());
  const std::size_t width =
      std::min((features + parts - 1) / parts, std::max<std::size_t>(64, kSums / count));
  team.for_each((features + width - 1) / width, [&](std::size_t block) {
    const Range mine{block * width, std::min(features, (block + 1) * width)};
    std::vector<float> values(kRowsTogether * mine.size());
    for (std::size_t begin = 0; begin < rows; begin += kRowsTogether) {
      if (pace.stopping()) return;
      const std::size_t length = std::min(kRowsTogether, rows - begin);
      for (std::size_t r = 0; r < length; ++r)
        data.read(begin + r, mine, values.data() + r * mine.size());
      for (std::size_t v = 0; v < count; ++v) {
        double weights[kRowsTogether] = {};  // 0 for the rows that the last few lack
        std::copy_n(vectors.data() + v * rows + begin, length, weights);
        add_rows(values.data(), mine.size(), weights, out.data() + v * features + mine.begin);
      }
    }
  });
  pace.check_stop();
  return out;
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
