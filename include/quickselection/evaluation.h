// include/quickselection/evaluation.h: how good a selection of features is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "quickselection/dataset.h"
#include "quickselection/progress.h"
#include "quickselection/scale_mode.h"
#include "quickselection/setting.h"
#include "quickselection/split.h"
#include "quickselection/stability.h"

namespace quickselection {

enum class Classifier : std::uint8_t { extra_trees, random_forest };

struct EvaluationOptions {
  std::vector<std::size_t> k = {50};
  Classifier classifier = Classifier::extra_trees;
  int trees = 50;
  int runs = 5;
  int repetitions = 10;
  int restarts = 10;
  ScaleMode scale = ScaleMode::standard;
  bool classification = true;
  bool clustering = true;
  bool reconstruction = true;
  bool baselines = true;
  int draws = 10;
  int removal = 0;
  std::uint64_t seed = 0;
};

/// Names, defaults, ranges and one sentence for each option.
std::vector<OptionInfo> evaluation_options();
/// Defaults overridden by `given`. Throws InvalidArgument for an unknown name or a bad value.
EvaluationOptions parse_evaluation_options(std::span<const GivenOption> given);
/// The options as they are recorded in results.
std::vector<Setting> settings_of_evaluation(const EvaluationOptions& options);

/// Rows to learn from and rows to test on. Both may be of the same data; with several holdouts
/// (folds) all their figures are pooled. The data must outlive the evaluation.
struct Holdout {
  const Dataset* train = nullptr;
  std::vector<std::uint32_t> train_rows;
  const Dataset* test = nullptr;
  std::vector<std::uint32_t> test_rows;
};

/// All rows of both.
Holdout make_holdout(const Dataset& train, const Dataset& test);

/// Which rows are tested on: those of a file, a range, a share of all rows, or all in folds.
struct HoldoutOptions {
  std::string test, test_label;       ///< a file; its labels when those of the data are a file
  std::optional<RowRange> test_rows;  ///< counted in the whole file, as the training rows then are
  double split = 0.2;                 ///< share of the rows, when nothing else is given
  std::uint64_t split_seed = kSplitSeed;
  int folds = 0;  ///< every row is tested in one of so many folds; 0 = none
};

/// Holdouts with the data that they point into.
struct HeldOut {
  std::deque<Dataset> data;  ///< the training data first
  std::vector<Holdout> holdouts;
  std::vector<std::string> notes;

  HeldOut() = default;
  HeldOut(HeldOut&&) = default;
  HeldOut& operator=(HeldOut&&) = default;
};

/// Reads and splits. With Missing::mean, the mean of a feature in the training rows of a holdout
/// takes the place of its missing values, so that test rows have no say in it.
HeldOut read_held_out(std::span<const std::string> paths, const ReadOptions& read,
                      const HoldoutOptions& options = {});

/// The same for data in memory. `test` may be null; options.test does not count.
HeldOut hold_out(Dataset data, const Dataset* test, const HoldoutOptions& options = {},
                 bool fill_missing_values = false, std::optional<RowRange> train_rows = {});

struct Classification {
  Classifier classifier = Classifier::extra_trees;
  double mean = 0, std = 0;  ///< accuracy on the test rows, 0 to 1
  std::size_t runs = 0;
};

/// Where labels are measured numbers: how well a forest predicts them.
struct Regression {
  Classifier forest = Classifier::extra_trees;
  double r2 = 0, std = 0;  ///< share of the labels' variance on the test rows; below 0 = worse than
                           ///< their mean
  std::size_t runs = 0;
};

/// k-means on the training rows, as many clusters as classes, matched to them.
struct Clustering {
  double accuracy = 0, nmi = 0, ari = 0;
  double std = 0, nmi_std = 0, ari_std = 0;  ///< std is that of the accuracy
  std::size_t repetitions = 0;
};

struct Reconstruction {
  double r2 = 0;   ///< share of the variance of all features, on the test rows
  double std = 0;  ///< over folds or draws
};

/// What was asked for and could be judged; without labels only the reconstruction.
struct Judgement {
  std::optional<Classification> classification;
  std::optional<Regression> regression;
  std::optional<Clustering> clustering;
  std::optional<Reconstruction> reconstruction;
};

struct EvaluationOfK {
  std::size_t k = 0;
  Judgement chosen;                    ///< the first k features of the ranking
  std::optional<Judgement> random;     ///< k features drawn at random: chance
  std::optional<Judgement> all;        ///< all features: what they know together
  std::optional<Stability> stability;  ///< of several rankings, where the caller has any
};

struct RemovalPoint {
  std::size_t removed = 0, left = 0;
  double mean = 0, std = 0;  ///< accuracy on the test rows, or R² of measured labels
};

struct Removal {
  std::vector<RemovalPoint> least_important_first, most_important_first;
};

struct Evaluation {
  std::vector<EvaluationOfK> entries;  ///< one for each k, in the order asked for
  std::optional<Removal> removal;
  std::vector<std::string> notes;  ///< what the reader of the figures should know
  double seconds = 0;
};

/// Judges the first k features of a ranking (zero-based columns, best first).
Evaluation evaluate(std::span<const Holdout> holdouts, std::span<const std::uint32_t> ranking,
                    const EvaluationOptions& options, const RunContext& context = {});

}  // namespace quickselection
