// src/data/generators/generators.h: the generators' options, each described once, and what two of
// them share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/text/options.h"
#include "quickselection/generators.h"

namespace quickselection {

void for_each_field(OptionsOf<MadelonOptions> auto& o, auto&& field) {
  field("rows", o.rows, at_least(1), "Number of rows.");
  field("features", o.features, at_least(1), "Number of features, noise included.");
  field("informative", o.informative, between(1, 16),
        "Features that place the clusters; there is one cluster on each corner of their cube.");
  field("redundant", o.redundant, at_least(0), "Features made from the informative ones.");
  field("repeated", o.repeated, at_least(0),
        "How many of the redundant features are noisy copies; the others are random linear "
        "combinations.");
  field("class-sep", o.class_sep, at_least(0), "Half the side of the cube.");
  field("noise", o.noise, at_least(0),
        "Noise added to each relevant feature, as a share of its standard deviation.");
  field("flip-y", o.flip_y, between(0, 1), "Share of rows whose label is drawn at random.");
  field("shuffle", o.shuffle, yes_or_no(), "Mix the rows and the columns.");
}

void for_each_field(OptionsOf<ClassificationOptions> auto& o, auto&& field) {
  field("rows", o.rows, at_least(1), "Number of rows.");
  field("features", o.features, at_least(1), "Number of features, noise included.");
  field("informative", o.informative, at_least(1), "Features that place the clusters.");
  field("redundant", o.redundant, at_least(0), "Random linear combinations of the informative.");
  field("repeated", o.repeated, at_least(0), "Copies of informative or redundant features.");
  field("classes", o.classes, at_least(1), "Number of classes.");
  field("clusters-per-class", o.clusters_per_class, at_least(1), "Clusters in each class.");
  field("weights", o.weights, between(0, 1),
        "Shares of the classes, the last may be left out; equal when not given.");
  field("flip-y", o.flip_y, between(0, 1), "Share of rows whose label is drawn at random.");
  field("class-sep", o.class_sep, at_least(0),
        "Half the side of the cube that holds the clusters.");
  field("hypercube", o.hypercube, yes_or_no(),
        "Clusters on the corners of a cube (otherwise of a random box).");
  field("shift", o.shift, Limits{}, "Added to every feature.");
  field("random-shift", o.random_shift, yes_or_no(),
        "Add a random number within class-sep to each feature instead of the shift.");
  field("scale", o.scale, Limits{}, "Every feature is multiplied by this, after the shift.");
  field("random-scale", o.random_scale, yes_or_no(),
        "Multiply each feature by a random number from 1 to 100 instead of the scale.");
  field("shuffle", o.shuffle, yes_or_no(), "Mix the rows and the columns.");
}

void for_each_field(OptionsOf<GaussianOptions> auto& o, auto&& field) {
  field("rows", o.rows, at_least(1), "Number of rows.");
  field("features", o.features, at_least(1), "Number of features.");
}

// Clusters on the corners of a cube: what two of the generators share.

/// Columns before mixing: informative, redundant (linear combinations), repeated, probes N(0,1).
struct ClusterRecipe {
  std::size_t rows = 0, features = 0;
  std::size_t informative = 0, redundant = 0, repeated = 0;
  std::size_t classes = 2, clusters_per_class = 1;
  std::vector<double> weights;  ///< one share per class; empty = equal
  double class_sep = 1, flip_y = 0;
  double noise = 0;  ///< on relevant features, as a share of their standard deviation
  bool hypercube = true, shuffle = true;
  std::vector<double> shift, scale;  ///< one per column before mixing: (x + shift) * scale
  double offset = 0;                 ///< added at the end
  std::vector<std::string> class_names;
};

/// Throws InvalidArgument when the numbers do not fit together.
Generated make_clusters(const ClusterRecipe& recipe, std::uint64_t seed);

}  // namespace quickselection
