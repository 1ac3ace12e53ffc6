// src/selectors/methods/variance.cpp: rank by variance: the least that any method must beat.
#include "selectors/method.h"

namespace quickselection {
namespace {

void check(std::span<const GivenOption> given) { parse_options<NoOptions>(given, kVariance.name); }

MethodOutput run(const MethodInput& in) {
  check(in.given);
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

const Method kVariance{"variance",
                       "The variance of each feature as stored; a baseline.",
                       ScaleMode::none,
                       false,
                       describe_options<NoOptions>,
                       check,
                       run,
                       false};

}  // namespace quickselection
