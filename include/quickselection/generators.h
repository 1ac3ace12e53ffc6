// include/quickselection/generators.h: artificial data whose relevant features are known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "quickselection/dataset.h"
#include "quickselection/setting.h"

namespace quickselection {

struct Generated {
  Dataset data;
  std::vector<std::size_t> relevant;  ///< columns that carry signal, ascending
};

/// Guyon's recipe for the Madelon set of the NIPS 2003 challenge.
struct MadelonOptions {
  std::int64_t rows = 2000;
  std::int64_t features = 500;
  std::int64_t informative = 5;
  std::int64_t redundant = 15;
  std::int64_t repeated = 10;
  double class_sep = 2.0;
  double noise = 0.1;
  double flip_y = 0.01;
  bool shuffle = true;
};
Generated generate_madelon(const MadelonOptions& options, std::uint64_t seed);

/// The options and the distribution of scikit-learn's make_classification.
struct ClassificationOptions {
  std::int64_t rows = 100;
  std::int64_t features = 20;
  std::int64_t informative = 2;
  std::int64_t redundant = 2;
  std::int64_t repeated = 0;
  std::int64_t classes = 2;
  std::int64_t clusters_per_class = 2;
  std::vector<double> weights;
  double flip_y = 0.01;
  double class_sep = 1.0;
  bool hypercube = true;
  double shift = 0.0;
  bool random_shift = false;
  double scale = 1.0;
  bool random_scale = false;
  bool shuffle = true;
};
Generated generate_classification(const ClassificationOptions& options, std::uint64_t seed);

/// Independent standard normal values without any signal; no labels.
struct GaussianOptions {
  std::int64_t rows = 1000;
  std::int64_t features = 100;
};
Generated generate_gaussian(const GaussianOptions& options, std::uint64_t seed);

/// A generator as the command line sees it.
struct Generator {
  std::string name;
  std::string summary;
  std::vector<OptionInfo> options;
  std::function<Generated(std::span<const GivenOption>, std::uint64_t seed)> make;
  bool labels;  ///< its rows have classes
};

const std::vector<Generator>& generators();

/// The generator of that name. Throws InvalidArgument when there is none.
const Generator& find_generator(const std::string& name);

}  // namespace quickselection
