// bench/evaluation.cpp: forests, k-means and ridge on raw files, timed, for comparison with others.
//
//   bench_evaluation extra-trees|random-forest|kmeans|ridge FOLDER THREADS SEEDS
//
// FOLDER holds train.f32, test.f32 (row-major floats) and train.i32, test.i32 (classes from 0);
// ridge predicts all columns from the first K of them, K being given in place of SEEDS.
// For each seed from 0 one line is printed: seconds, CPU seconds and figures, separated by blanks.
// Seconds run from floats in memory to predictions in memory.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "core/iota.h"
#include "core/processes/meters.h"
#include "core/team.h"
#include "evaluation/clustering/kmeans.h"
#include "evaluation/clustering/metrics.h"
#include "evaluation/forest/forest.h"
#include "evaluation/ridge.h"

using namespace quickselection;

namespace {

template <class T>
std::vector<T> load(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw Error("cannot open " + path);
  std::vector<T> values(static_cast<std::size_t>(file.tellg()) / sizeof(T));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(T)));
  return values;
}

/// Time since its construction, as it is printed.
class Clock {
 public:
  std::string read() const {
    return fmt::format("{} {}", watch_.seconds(), cpu_seconds() - start_);
  }

 private:
  Stopwatch watch_;
  double start_ = cpu_seconds();
};

struct Files {
  Dataset train;
  std::vector<float> test;
  std::vector<std::int32_t> train_labels, test_labels;
  std::vector<std::uint32_t> rows, columns;
  std::size_t classes = 0;

  explicit Files(const std::string& folder)
      : test(load<float>(folder + "/test.f32")),
        train_labels(load<std::int32_t>(folder + "/train.i32")),
        test_labels(load<std::int32_t>(folder + "/test.i32")) {
    auto values = load<float>(folder + "/train.f32");
    const std::size_t width = values.size() / train_labels.size();
    train = Dataset::from_vector(std::move(values), train_labels.size(), width);
    rows = iota(train_labels.size());
    columns = iota(width);
    classes =
        static_cast<std::size_t>(*std::max_element(train_labels.begin(), train_labels.end())) + 1;
  }
};

void run_forest(const Files& files, Classifier kind, std::uint64_t seed, Team& team) {
  const Clock clock;
  const std::vector<std::uint16_t> labels(files.train_labels.begin(), files.train_labels.end());
  const CodedColumns table = code_columns({{&files.train, files.rows}, files.columns}, team);
  const Forest forest =
      grow_forest({&table, files.columns, labels, files.classes}, kind, 50, seed, team);
  const auto predicted = predict(forest, files.test, files.columns.size(), team);
  const std::string seconds = clock.read();
  std::size_t right = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i) right += predicted[i] == files.test_labels[i];
  fmt::print("{} {}\n", seconds,
             static_cast<double>(right) / static_cast<double>(predicted.size()));
}

void run_kmeans(const Files& files, std::uint64_t seed, Team& team) {
  const Clock clock;
  KMeansOptions options;
  options.clusters = files.classes;
  const Points points = make_points({{&files.train, files.rows}, files.columns}, team);
  const KMeansResult result = kmeans(points, options, seed, team);
  const std::string seconds = clock.read();
  const std::vector<std::uint32_t> actual(files.train_labels.begin(), files.train_labels.end());
  const Contingency table = contingency(result.labels, actual);
  fmt::print("{} {} {} {} {}\n", seconds, matching_accuracy(table),
             normalized_mutual_information(table), adjusted_rand_index(table), result.inertia);
}

void run_ridge(const Files& files, std::size_t k, Team& team) {
  const Clock clock;
  const Dataset test =
      Dataset::from_vector(files.test, files.test_labels.size(), files.columns.size());
  const auto test_rows = iota(test.rows());
  Ridge ridge({&files.train, files.rows}, {&test, test_rows}, team);
  const RidgeScore score = ridge.score(iota(k), std::vector<std::size_t>{k})[0];
  fmt::print("{} {} {}\n", clock.read(), score.r2, score.penalty);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    fmt::print(stderr, "usage: bench_evaluation WHAT FOLDER THREADS SEEDS\n");
    return 2;
  }
  const std::string what = argv[1];
  Team team(std::atoi(argv[3]));
  const std::uint64_t count = std::strtoull(argv[4], nullptr, 10);
  try {
    const Files files(argv[2]);
    if (what == "ridge") {
      run_ridge(files, count, team);
      return 0;
    }
    for (std::uint64_t seed = 0; seed < count; ++seed) {
      if (what == "kmeans")
        run_kmeans(files, seed, team);
      else
        run_forest(files,
                   what == "extra-trees" ? Classifier::extra_trees : Classifier::random_forest,
                   seed, team);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
}
