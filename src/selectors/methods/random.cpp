// src/selectors/methods/random.cpp: a random ranking: what chance achieves.
#include "kernels/random/random.h"
#include "selectors/method.h"

namespace quickselection {
namespace {

void check(std::span<const GivenOption> given) { parse_options<NoOptions>(given, kRandom.name); }

MethodOutput run(const MethodInput& in) {
  check(in.given);
  kernels::RandomStream stream(in.seed, kernels::Purpose::selection);
  MethodOutput out;
  out.scores.resize(in.data.features());
  for (double& score : out.scores) score = stream.uniform();
  return out;
}

}  // namespace

const Method kRandom{"random",
                     "Features in random order; a baseline.",
                     ScaleMode::none,
                     false,
                     describe_options<NoOptions>,
                     check,
                     run};

}  // namespace quickselection
