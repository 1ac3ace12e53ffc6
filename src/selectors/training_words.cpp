// src/selectors/training_words.cpp: what the losses of a training say.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "quickselection/selection.h"

namespace quickselection {
namespace {

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::string losses_in_words(std::span<const double> loss) {
  if (loss.size() < 5) return "too few epochs to see whether the network converged";
  const std::size_t tenth = (loss.size() + 9) / 10;
  const double last = mean(loss.last(tenth));
  const double before = mean(loss.subspan(loss.size() - 2 * tenth, tenth));
  const double range = std::abs(loss.front() - last);
  constexpr double kStill = 0.02;  // share of the whole way that counts as standing still
  if (before - last > kStill * range) return "the loss was still falling";
  if (last - before > kStill * range) return "the loss was rising at the end";
  return "the network converged";
}

}  // namespace

std::string training_in_words(const Selection& selection) {
  if (selection.loss.empty()) return "";
  for (const Warning& warning : selection.warnings)
    if (warning.kind == WarningKind::did_not_learn) return "the network did not learn";
  const std::string losses = losses_in_words(selection.loss);
  if (!selection.settled) return losses;
  return (*selection.settled ? "the ranking settled; " : "the ranking did not settle; ") + losses;
}

}  // namespace quickselection
