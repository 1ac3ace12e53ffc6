// src/selectors/methods/random.cpp: a random ranking: what chance achieves.
#include "kernels/random/random.h"
#include "selectors/method.h"

namespace quickselection {
namespace {

MethodOutput rank_at_random(const MethodInput& in) {
  kernels::RandomStream stream(in.seed, kernels::Purpose::selection);
  MethodOutput out;
  out.scores.resize(in.data.features());
  for (double& score : out.scores) score = stream.uniform();
  return out;
}

}  // namespace

constinit const Method kRandom{
    .name = "random",
    .summary = "Features in random order; a baseline.",
    .scale = ScaleMode::none,
    .options = options_of<NoOptions>(),
    .run = rank_at_random,
};

}  // namespace quickselection
