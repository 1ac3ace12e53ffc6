// src/evaluation/explained/checked_selection.cpp: a selection that knows what its features explain,
// and that finds out how many are enough.
#include <fmt/format.h>

#include <algorithm>

#include "core/pace.h"
#include "core/processes/comm.h"
#include "core/team.h"
#include "core/text/counted.h"
#include "evaluation/explained/predictable.h"
#include "quickselection/error.h"
#include "quickselection/explained.h"
#include "selectors/method.h"

namespace quickselection {
namespace {

constexpr std::size_t kMostAutomatic = 1000;

bool needs_k(const SelectOptions& options) {
  const Method& method = find_method(options.method);
  return method.needs_k != nullptr && method.needs_k(options.method_options);
}

/// The smallest number of features from the beginning of `order` that explain nearly all: doubled
/// until they do, then halved between. What a chosen feature has for itself alone does not count:
/// one that varies much would be enough then, whatever the others have in common.
struct Enough {
  std::size_t k = 0;
  std::string note;
};

Enough enough(const Predictable& predictable, std::span<const std::uint32_t> order,
              std::size_t features, const RunContext& context) {
  const double wanted = kNearlyAll * predictable.together();
  const auto reaches = [&](std::size_t k) {
    check_stop(context);
    return predictable.shared(order.first(k)) >= wanted;
  };
  if (!predictable.tells())
    return {resolve_k(0, features),
            fmt::format("‹k auto›: {} features, because none can be predicted from others",
                        resolve_k(0, features))};
  const std::size_t most = std::min(order.size(), kMostAutomatic);
  std::size_t high = 1, low = 0;  // low is too few
  while (high < most && !reaches(high)) {
    low = high;
    high = std::min(2 * high, most);
  }
  if (high == most && !reaches(most))
    return {most, fmt::format("‹k auto›: {} features, and more would be needed to explain {:.0f} % "
                              "of what all features together predict",
                              most, 100 * kNearlyAll)};
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (reaches(middle) ? high : low) = middle;
  }
  return {high,
          fmt::format("‹k auto›: {} {} enough for {:.0f} % of what all features together predict "
                      "of each other",
                      counted(high, "feature"), high == 1 ? "is" : "are", 100 * kNearlyAll)};
}

Warning doubt(const Explained& found, const std::string& method) {
  // Exactly what `near_chance` asks. A choice may be clearly better than random ones and still miss
  // most of what there is to gain.
  const std::string random = fmt::format("the {:.0f} ± {:.0f} % of as many random ones",
                                         100 * found.random, 100 * found.spread);
  const std::string best = method == "cover"
                               ? fmt::format("the {:.0f} % that are possible", 100 * found.cover)
                               : fmt::format("the {:.0f} % of ‹method cover›", 100 * found.cover);
  return {WarningKind::near_chance,
          fmt::format("the {} {} {:.0f} % of what can be predicted: nearer to chance, {}, than "
                      "to {}",
                      counted(found.k, "feature"), found.k == 1 ? "explains" : "explain",
                      100 * found.chosen, random, best)};
}

}  // namespace

CheckedSelection select_checked(const Dataset& data, SelectOptions options, RepeatOptions repeat,
                                const CheckOptions& check, const RunContext& context) {
  const bool repeats = repeat.bootstrap || repeat.runs != 1;
  check_options(options);
  std::optional<Team> team;
  std::optional<Predictable> predictable;
  const auto look = [&]() -> Predictable& {
    if (!predictable) predictable.emplace(data, team.emplace(context.threads), context);
    return *predictable;
  };
  const std::size_t features = data.ranked_count();
  Enough automatic;
  // Where the ranking depends on the number, it is that of `cover`.
  if (!check.k && needs_k(options))
    automatic = enough(look(), look().cover(std::min(features, kMostAutomatic)), features, context);
  options.k = resolve_k(check.k.value_or(automatic.k), features);
  // The stability of a number that is not known yet is measured later; of all features there is
  // none.
  repeat.k =
      check.k || automatic.k > 0 ? options.k : std::clamp<std::size_t>(features - 1, 1, options.k);

  CheckedSelection result;
  if (repeats)
    static_cast<RepeatedSelection&>(result) = select_repeatedly(data, options, repeat, context);
  else
    result.selection = select_features(data, options, context);
  if (!comm::speaks()) return result;  // the rest is the business of process 0
  Selection& selection = result.selection;
  if (!check.k && automatic.k == 0) {
    automatic = enough(look(), selection.ranking, features, context);
    selection.k = automatic.k;
    if (selection.k == features)
      result.stability.reset();
    else if (result.stability)
      result.stability =
          stability(result.rankings, data.features(), selection.k, result.stability->runs_are);
  }
  if (!automatic.note.empty()) selection.notes.push_back(automatic.note);
  if (check.no_check) return result;
  if (context.memory > 0 && data.value_bytes() > context.memory / 2) {
    // The check's own matrices would go beyond the bound.
    selection.notes.push_back("what the features explain is not measured within ‹memory›");
    return result;
  }
  try {
    Predictable& known = look();
    result.explained = explained(known, selection.ranking, selection.k, *team, context);
    if (result.explained->near_chance())
      selection.warnings.push_back(doubt(*result.explained, options.method));
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    // Values that the method's scaling can take and ‹scale auto› can not: the ranking still stands.
    selection.notes.push_back(
        fmt::format("what the features explain is not known: {}", error.what()));
  }
  return result;
}

}  // namespace quickselection
