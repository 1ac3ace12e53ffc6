// include/quickselection/explained.h: how much chosen features tell of all the others, without
// labels; selections that know it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "quickselection/dataset.h"
#include "quickselection/progress.h"
#include "quickselection/selection.h"
#include "quickselection/stability.h"

namespace quickselection {

/// Shares of what can be predicted, for several numbers of features.
struct ExplainedCurve {
  std::vector<std::size_t> k;  ///< ascending
  std::vector<double> chosen;  ///< the first k of the ranking
  std::vector<double> random;  ///< k features drawn at random, mean over the draws
  std::vector<double> spread;  ///< standard deviation over the draws
  std::vector<double> cover;   ///< the first k of the method `cover`
};

/// What a feature shares with others can be predicted from them; the rest is its own noise. Chosen
/// features have a part of all that can be predicted, and predict another part of it on rows that
/// were left out.
struct Explained {
  std::size_t k = 0;
  std::size_t rows = 0;    ///< that were used
  double predictable = 0;  ///< share of the variance that the other features predict
  double together = 0;     ///< share of that which all other features together predict
  double chosen = 0, random = 0, spread = 0, cover = 0;  ///< the curve at k
  ExplainedCurve curve;

  /// No feature is predicted clearly better than chance would with so few rows.
  bool nothing_to_predict() const;
  /// What the chosen features leave unexplained is nearer to what random ones leave than to what
  /// those of `cover` leave, by ratio.
  bool near_chance() const;
};

/// For the first k features of a ranking (zero-based columns, best first). Never looks at labels.
/// The same arguments give the same bits, whatever the number of threads.
Explained explained(const Dataset& data, std::span<const std::uint32_t> ranking, std::size_t k,
                    const RunContext& context = {});

/// The figures in one sentence.
std::string describe(const Explained& explained);

struct CheckOptions {
  /// Features to select; 0 = 50, or all; unset = the smallest number whose features explain
  /// kNearlyAll of what all features together predict of each other.
  std::optional<std::size_t> k = 0;
  bool no_check = false;  ///< leave out `explained` and its warning
};
inline constexpr double kNearlyAll = 0.95;

struct CheckedSelection : RepeatedSelection {
  std::optional<Explained> explained;
};

/// One selection, or several with repeat.runs above 1 or bootstrap, and what its features explain.
/// selection.k is the number of features; it takes the place of options.k and repeat.k.
CheckedSelection select_checked(const Dataset& data, SelectOptions options, RepeatOptions repeat,
                                const CheckOptions& check, const RunContext& context = {});

}  // namespace quickselection
