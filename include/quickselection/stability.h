// include/quickselection/stability.h: select several times: a steadier ranking, and how steady one
// selection is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quickselection/dataset.h"
#include "quickselection/progress.h"
#include "quickselection/selection.h"

namespace quickselection {

/// How much the top k of several rankings have in common.
struct Stability {
  std::size_t k = 0, features = 0, runs = 0;
  double overlap = 0;             ///< mean share of the top k that two runs have in common
  double overlap_by_chance = 0;   ///< the same for random selections: k / features
  double index = 0;               ///< Nogueira et al. 2018: 0 is chance, 1 is always the same
  double variance = 0;            ///< of the index
  double lower = 0, upper = 0;    ///< 95 % confidence interval of the index
  std::vector<double> frequency;  ///< for each feature: the share of runs that chose it
  std::string runs_are;           ///< what was repeated, for example "runs with other seeds"

  /// A reader should take it for chance: the index, or its lower end, is hardly above 0.
  bool near_chance() const;
};

Stability stability(std::span<const std::vector<std::uint32_t>> rankings, std::size_t features,
                    std::size_t k, std::string_view runs_are = "rankings");

/// The figures in two or three sentences, with a judgement.
std::string describe(const Stability& stability);

struct RepeatOptions {
  int runs = 10;
  bool bootstrap = false;  ///< each run sees another sample of the rows, drawn with replacement
  std::size_t k = 50;      ///< the stability is that of the best k
};

struct RepeatedSelection {
  Selection selection;  ///< ranked by the mean score; its loss is the mean of the runs as well
  std::vector<std::vector<std::uint32_t>> rankings;  ///< of each run, best first
  std::optional<Stability> stability;                ///< unset when k is all features
  int at_once = 1;                                   ///< runs that were made side by side
};

/// Run r has the seed options.seed + r. Runs are made side by side where threads and memory allow;
/// the result does not depend on that.
RepeatedSelection select_repeatedly(const Dataset& data, const SelectOptions& options,
                                    const RepeatOptions& repeat, const RunContext& context = {});

/// Throws InvalidArgument for anything that select_repeatedly would refuse, before data is read.
void check_options(const SelectOptions& options, const RepeatOptions& repeat);

}  // namespace quickselection
