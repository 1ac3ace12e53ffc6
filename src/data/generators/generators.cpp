// src/data/generators/generators.cpp: the generators and their registry.
#include "data/generators/generators.h"

#include <fmt/format.h>

#include <numeric>

#include "kernels/random/random.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

using kernels::Purpose;
using kernels::RandomStream;

/// Sequences of the generator's numbers beside those in clusters.cpp, which count from 0.
enum ArtificialPart : std::uint32_t { kShift = 100, kScale, kGaussianRows };

std::size_t size(std::int64_t number) { return static_cast<std::size_t>(number); }

template <class Options>
Generator describe_generator(std::string name, std::string summary,
                             Generated (*make)(const Options&, std::uint64_t), bool labels = true) {
  return {name, std::move(summary), describe_options<Options>(),
          [name, make](std::span<const GivenOption> given, std::uint64_t seed) {
            return make(parse_options<Options>(given, name), seed);
          },
          labels};
}

}  // namespace

Generated generate_madelon(const MadelonOptions& options, std::uint64_t seed) {
  validate_options(options);
  if (options.repeated > options.redundant)
    throw InvalidArgument(fmt::format("‹repeated› is {}, but must be at most ‹redundant›, {}",
                                      options.repeated, options.redundant));
  ClusterRecipe recipe;
  recipe.rows = size(options.rows);
  recipe.features = size(options.features);
  recipe.informative = size(options.informative);
  recipe.redundant = size(options.redundant - options.repeated);
  recipe.repeated = size(options.repeated);
  recipe.classes = 2;
  recipe.clusters_per_class = std::size_t{1} << (options.informative - 1);
  recipe.class_sep = options.class_sep;
  recipe.noise = options.noise;
  recipe.flip_y = options.flip_y;
  recipe.shuffle = options.shuffle;
  recipe.class_names = {"-1", "1"};
  // As measured on the original: scales uniform up to 44, means within one scale above 476.
  constexpr double kLargestScale = 44, kOffset = 476;
  RandomStream shifts(seed, Purpose::generator, kShift), scales(seed, Purpose::generator, kScale);
  for (std::size_t f = 0; f < recipe.features; ++f) {
    recipe.shift.push_back(shifts.uniform());
    recipe.scale.push_back(kLargestScale * (1 - scales.uniform()));  // never zero
  }
  recipe.offset = kOffset;
  Generated result = make_clusters(recipe, seed);
  result.data.source = fmt::format("madelon, seed {}", seed);
  return result;
}

Generated generate_classification(const ClassificationOptions& options, std::uint64_t seed) {
  validate_options(options);
  ClusterRecipe recipe;
  recipe.rows = size(options.rows);
  recipe.features = size(options.features);
  recipe.informative = size(options.informative);
  recipe.redundant = size(options.redundant);
  recipe.repeated = size(options.repeated);
  recipe.classes = size(options.classes);
  recipe.clusters_per_class = size(options.clusters_per_class);
  recipe.weights = options.weights;
  const double given = std::accumulate(options.weights.begin(), options.weights.end(), 0.0);
  if (options.weights.size() + 1 == recipe.classes && !options.weights.empty())
    recipe.weights.push_back(1 - given);
  constexpr double kRounding = 1e-9;
  if (!options.weights.empty() && given > 1 + kRounding)
    throw InvalidArgument(fmt::format("‹weights› add up to {}, but must make at most 1", given));
  recipe.class_sep = options.class_sep;
  recipe.flip_y = options.flip_y;
  recipe.hypercube = options.hypercube;
  recipe.shuffle = options.shuffle;
  for (std::size_t c = 0; c < recipe.classes; ++c) recipe.class_names.push_back(std::to_string(c));
  RandomStream shifts(seed, Purpose::generator, kShift), scales(seed, Purpose::generator, kScale);
  for (std::size_t f = 0; f < recipe.features; ++f) {
    const double shift = (2 * shifts.uniform() - 1) * options.class_sep;
    const double scale = 1 + 100 * scales.uniform();
    recipe.shift.push_back(options.random_shift ? shift : options.shift);
    recipe.scale.push_back(options.random_scale ? scale : options.scale);
  }
  Generated result = make_clusters(recipe, seed);
  result.data.source = fmt::format("classification, seed {}", seed);
  return result;
}

Generated generate_gaussian(const GaussianOptions& options, std::uint64_t seed) {
  validate_options(options);
  const std::size_t rows = size(options.rows), features = size(options.features);
  std::vector<float> values(rows * features);
  for (std::size_t r = 0; r < rows; ++r)
    kernels::fill_normal(values.data() + r * features, features, 1, seed, Purpose::generator,
                         kGaussianRows, static_cast<std::uint32_t>(r));
  Generated result{Dataset::from_vector(std::move(values), rows, features), {}};
  result.data.source = fmt::format("gaussian, seed {}", seed);
  return result;
}

const std::vector<Generator>& generators() {
  static const std::vector<Generator> all{
      describe_generator<MadelonOptions>(
          "madelon", "clusters on the corners of a cube, hidden among noise (NIPS 2003 challenge)",
          generate_madelon),
      describe_generator<ClassificationOptions>(
          "classification", "clusters with known classes, as scikit-learn's make_classification",
          generate_classification),
      describe_generator<GaussianOptions>(
          "gaussian", "independent normal values without any signal", generate_gaussian, false)};
  return all;
}

const Generator& find_generator(const std::string& name) {
  std::vector<std::string> names;
  for (const Generator& generator : generators()) {
    if (generator.name == name) return generator;
    names.push_back(generator.name);
  }
  throw InvalidArgument(fmt::format("there is no generator '{}'", name),
                        fmt::format("known generators: {}", fmt::join(names, ", ")));
}

}  // namespace quickselection
