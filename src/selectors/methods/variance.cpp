// src/selectors/methods/variance.cpp: rank by variance: the least that any method must beat.
#include "selectors/method.h"

namespace quickselection {
namespace {

MethodOutput rank_by_variance(const MethodInput& in) {
  MethodOutput out;
  out.scores = in.scaler.variance;
  // The variance that remains after scaling: with --scale standard all features tie.
  for (std::size_t f = 0; f < out.scores.size(); ++f) {
    const double scale = in.scaler.scale[f];
    out.scores[f] *= scale * scale;
  }
  return out;
}

}  // namespace

constinit const Method kVariance{
    .name = "variance",
    .class_name = "VarianceRanking",
    .summary = "The variance of each feature as stored; a baseline.",
    .scale = ScaleMode::none,
    .options = options_of<NoOptions>(),
    .run = rank_by_variance,
    .seeded = false,
};

}  // namespace quickselection
