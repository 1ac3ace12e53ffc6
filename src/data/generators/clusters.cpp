// src/data/generators/clusters.cpp: clusters on the corners of a cube; see generators.h.
#include "data/generators/generators.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/iota.h"
#include "kernels/random/random.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

using kernels::RandomStream;

/// What a sequence of the generator's numbers is for.
enum Part : std::uint32_t {
  kCorners,
  kMixing,
  kCombinations,
  kCopies,
  kBox,
  kRowOrder,
  kColumnOrder,
  kRowValues,
  kProbes,
  kLabels,
};

RandomStream stream_of(std::uint64_t seed, Part part, std::size_t row = 0) {
  return {seed, kernels::Purpose::generator, part, static_cast<std::uint32_t>(row)};
}

void check(const ClusterRecipe& recipe) {
  const std::size_t relevant = recipe.informative + recipe.redundant + recipe.repeated;
  if (relevant > recipe.features)
    throw InvalidArgument(
        fmt::format("{} informative, {} redundant and {} repeated features are more than all {}",
                    recipe.informative, recipe.redundant, recipe.repeated, recipe.features),
        "raise ‹features›");
  const std::size_t clusters = recipe.classes * recipe.clusters_per_class;
  if (recipe.informative < 40 && clusters > (std::size_t{1} << recipe.informative))
    throw InvalidArgument(
        fmt::format("{} clusters do not fit on the {} corners of a cube in {} dimensions", clusters,
                    std::size_t{1} << recipe.informative, recipe.informative),
        "raise ‹informative›, or lower ‹classes› or ‹clusters-per-class›");
  if (!recipe.weights.empty() && recipe.weights.size() != recipe.classes)
    throw InvalidArgument(
        fmt::format("{} weights for {} classes", recipe.weights.size(), recipe.classes),
        "give one weight per class, or leave out the last");
}

/// (clusters, informative): distinct corners of the cube with sides 2 class_sep.
std::vector<double> draw_centres(const ClusterRecipe& recipe, std::uint64_t seed) {
  const std::size_t clusters = recipe.classes * recipe.clusters_per_class;
  const std::size_t informative = recipe.informative;
  std::vector<std::vector<bool>> corners;
  if (informative < 16) {
    const std::vector<std::uint32_t> all =
        kernels::random_permutation(std::size_t{1} << informative, stream_of(seed, kCorners));
    for (std::size_t k = 0; k < clusters; ++k) {
      corners.emplace_back(informative);
      for (std::size_t i = 0; i < informative; ++i) corners[k][i] = (all[k] >> i & 1) != 0;
    }
  } else {  // too many to list: draw until they differ
    RandomStream stream = stream_of(seed, kCorners);
    std::set<std::vector<bool>> seen;
    while (corners.size() < clusters) {
      std::vector<bool> corner(informative);
      for (std::size_t i = 0; i < informative; ++i) corner[i] = (stream.next_u32() & 1) != 0;
      if (seen.insert(corner).second) corners.push_back(corner);
    }
  }
  std::vector<double> centres(clusters * informative);
  for (std::size_t k = 0; k < clusters; ++k)
    for (std::size_t i = 0; i < informative; ++i)
      centres[k * informative + i] = corners[k][i] ? recipe.class_sep : -recipe.class_sep;
  if (!recipe.hypercube) {
    RandomStream box = stream_of(seed, kBox);
    std::vector<double> by_cluster(clusters), by_dimension(informative);
    for (double& factor : by_cluster) factor = box.uniform();
    for (double& factor : by_dimension) factor = box.uniform();
    for (std::size_t k = 0; k < clusters; ++k)
      for (std::size_t i = 0; i < informative; ++i)
        centres[k * informative + i] *= by_cluster[k] * by_dimension[i];
  }
  return centres;
}

/// How many rows each cluster gets; cluster k belongs to class k % classes.
std::vector<std::size_t> cluster_of_rows(const ClusterRecipe& recipe) {
  const std::size_t clusters = recipe.classes * recipe.clusters_per_class;
  std::vector<std::size_t> sizes(clusters);
  for (std::size_t k = 0; k < clusters; ++k) {
    const double weight = recipe.weights.empty() ? 1.0 / static_cast<double>(recipe.classes)
                                                 : recipe.weights[k % recipe.classes];
    sizes[k] = static_cast<std::size_t>(static_cast<double>(recipe.rows) * weight /
                                        static_cast<double>(recipe.clusters_per_class));
  }
  std::size_t given = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
  for (std::size_t k = 0; given < recipe.rows; ++k, ++given) ++sizes[k % clusters];
  std::vector<std::size_t> cluster;
  cluster.reserve(given);
  for (std::size_t k = 0; k < clusters; ++k) cluster.insert(cluster.end(), sizes[k], k);
  cluster.resize(recipe.rows);
  return cluster;
}

std::vector<double> draw_symmetric(std::size_t count, RandomStream stream) {
  std::vector<double> values(count);
  for (double& value : values) value = 2 * stream.uniform() - 1;
  return values;
}

}  // namespace

Generated make_clusters(const ClusterRecipe& recipe, std::uint64_t seed) {
  check(recipe);
  const std::size_t informative = recipe.informative, redundant = recipe.redundant;
  const std::size_t features = recipe.features;
  const std::size_t clusters = recipe.classes * recipe.clusters_per_class;
  const std::size_t own = informative + redundant, relevant = own + recipe.repeated;

  const std::vector<double> centres = draw_centres(recipe, seed);
  const std::vector<double> mixing =  // (clusters, informative, informative): x = centre + A z
      draw_symmetric(clusters * informative * informative, stream_of(seed, kMixing));
  const std::vector<double> combination =  // (redundant, informative)
      draw_symmetric(redundant * informative, stream_of(seed, kCombinations));
  std::vector<std::size_t> copied(recipe.repeated);
  RandomStream copies = stream_of(seed, kCopies);
  for (std::size_t& column : copied)
    column = static_cast<std::size_t>(std::lround(static_cast<double>(own - 1) * copies.uniform()));

  // The expected spread of a relevant column, which its noise is measured by: a corner is
  // +-class_sep, and n products of a uniform and a normal number have variance n / 3.
  std::vector<double> spread(relevant);
  const double informative_variance =
      recipe.class_sep * recipe.class_sep + static_cast<double>(informative) / 3;
  for (std::size_t i = 0; i < informative; ++i) spread[i] = std::sqrt(informative_variance);
  for (std::size_t j = 0; j < redundant; ++j) {
    double squares = 0;
    for (std::size_t i = 0; i < informative; ++i)
      squares += combination[j * informative + i] * combination[j * informative + i];
    spread[informative + j] = std::sqrt(squares * informative_variance);
  }
  for (std::size_t j = 0; j < copied.size(); ++j) spread[own + j] = spread[copied[j]];

  const std::vector<std::size_t> cluster = cluster_of_rows(recipe);
  std::vector<std::uint32_t> row_at = iota(recipe.rows), column_at = iota(features);
  if (recipe.shuffle) {
    row_at = kernels::random_permutation(recipe.rows, stream_of(seed, kRowOrder));
    column_at = kernels::random_permutation(features, stream_of(seed, kColumnOrder));
  }

  std::vector<float> values(recipe.rows * features);
  Labels labels{std::vector<std::int32_t>(recipe.rows), recipe.class_names};
  std::vector<double> normals(informative), row(features);
  std::vector<float> probes(features - relevant);
  for (std::size_t r = 0; r < recipe.rows; ++r) {
    const std::size_t k = cluster[r];
    RandomStream stream = stream_of(seed, kRowValues, r);
    for (double& normal : normals) normal = stream.normal();
    for (std::size_t i = 0; i < informative; ++i) {
      row[i] = centres[k * informative + i];
      for (std::size_t z = 0; z < informative; ++z)
        row[i] += mixing[(k * informative + z) * informative + i] * normals[z];
    }
    for (std::size_t j = 0; j < redundant; ++j) {
      row[informative + j] = 0;
      for (std::size_t i = 0; i < informative; ++i)
        row[informative + j] += combination[j * informative + i] * row[i];
    }
    for (std::size_t j = 0; j < copied.size(); ++j) row[own + j] = row[copied[j]];
    if (recipe.noise > 0)
      for (std::size_t f = 0; f < relevant; ++f)
        row[f] += recipe.noise * spread[f] * stream.normal();
    kernels::fill_normal(probes.data(), probes.size(), 1, seed, kernels::Purpose::generator,
                         kProbes, static_cast<std::uint32_t>(r));
    std::copy(probes.begin(), probes.end(), row.begin() + static_cast<std::ptrdiff_t>(relevant));

    float* const out = values.data() + row_at[r] * features;
    for (std::size_t f = 0; f < features; ++f)
      out[column_at[f]] =
          static_cast<float>((row[f] + recipe.shift[f]) * recipe.scale[f] + recipe.offset);

    RandomStream chance = stream_of(seed, kLabels, r);
    const bool flip = chance.uniform() < recipe.flip_y;
    labels.codes[row_at[r]] =
        static_cast<std::int32_t>(flip ? chance.below(recipe.classes) : k % recipe.classes);
  }

  Generated result{Dataset::from_vector(std::move(values), recipe.rows, features),
                   {column_at.begin(), column_at.begin() + static_cast<std::ptrdiff_t>(relevant)}};
  std::sort(result.relevant.begin(), result.relevant.end());
  result.data.labels = std::move(labels);
  return result;
}

}  // namespace quickselection
