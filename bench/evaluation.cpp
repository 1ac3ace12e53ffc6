// bench/evaluation_driver.cpp: runs a forest or k-means on raw files, for comparisons.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "core/meters.h"
#include "core/team.h"
#include "evaluation/forest.h"
#include "evaluation/kmeans.h"

namespace qs = quickselection;

namespace {

template <class T>
std::vector<T> load(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::vector<T> values(static_cast<std::size_t>(file.tellg()) / sizeof(T));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(T)));
  return values;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = argv[1];
  const std::size_t columns = std::strtoul(argv[2], nullptr, 10);
  qs::Team team(std::atoi(argv[3]));
  auto train_values = load<float>(folder + "/A.f32");
  auto test = load<float>(folder + "/B.f32");
  auto labels = load<int>(folder + "/y.i32");
  auto test_labels = load<int>(folder + "/yt.i32");
  const std::size_t rows = labels.size();
  const qs::Dataset train = qs::Dataset::from_vector(std::move(train_values), rows, columns);
  const auto all = qs::iota(rows), features = qs::iota(columns);
  std::vector<std::uint16_t> classes(labels.begin(), labels.end());

  for (auto kind : {qs::Classifier::extra_trees, qs::Classifier::random_forest}) {
    qs::Stopwatch watch;
    const qs::CodedColumns table = qs::code_columns({&train, all}, features, team);
    const double coded = watch.seconds();
    const qs::Forest forest = qs::grow_forest({&table, features, classes, 10}, kind, 50, 0, team);
    const double grown = watch.seconds();
    const auto predicted = qs::predict(forest, test, columns, team);
    const double total = watch.seconds();
    std::size_t right = 0, nodes = 0;
    for (std::size_t i = 0; i < predicted.size(); ++i) right += predicted[i] == test_labels[i];
    for (const auto& tree : forest.trees) nodes += tree.nodes.size();
    std::printf("%d code %.3f grow %.3f predict %.3f total %.3f accuracy %.4f nodes %zu\n",
                static_cast<int>(kind), coded, grown - coded, total - grown, total,
                static_cast<double>(right) / static_cast<double>(predicted.size()),
                nodes / forest.trees.size());
  }
  {
    qs::Stopwatch watch;
    const qs::Points points = qs::make_points({&train, all}, features, team);
    const double made = watch.seconds();
    const auto result = qs::kmeans(points, {.clusters = 10}, 0, team);
    std::printf("kmeans points %.3f total %.3f inertia %.8g iterations %d\n", made, watch.seconds(),
                result.inertia, result.iterations);
  }
  (void)argc;
}
