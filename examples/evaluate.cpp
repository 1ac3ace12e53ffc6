// examples/evaluate.cpp: how stable and how good a selection is, as in docs/evaluation.md.
#include <quickselection/evaluation.h>
#include <quickselection/split.h>
#include <quickselection/stability.h>

#include <cstdio>

int main(int, char** argv) {
  namespace qs = quickselection;
  const qs::Dataset data = qs::read(argv[1]);
  const qs::Split split = qs::split_rows(data, 0.2);

  // Ten selections, ranked by their mean.
  const qs::RepeatedSelection chosen = qs::select_repeatedly(data, {}, {.runs = 10, .k = 50});
  std::puts(qs::describe(*chosen.stability).c_str());

  qs::EvaluationOptions options;
  options.k = {10, 25, 50};
  options.clustering = false;
  const qs::Holdout holdout{&data, split.train, &data, split.test};
  const qs::Evaluation found = qs::evaluate({&holdout, 1}, chosen.selection.ranking, options);
  for (const qs::EvaluationOfK& entry : found.entries)
    std::printf("%zu: %.3f, by chance %.3f\n", entry.k, entry.chosen.classification->mean,
                entry.random->classification->mean);
}
