// src/selectors/random.cpp: a random ranking: what chance achieves.
#include "kernels/random.h"
#include "selectors/method.h"

namespace quickselection {
namespace {

MethodOutput run(const MethodInput& in) {
  parse_options<NoOptions>(in.given, kRandom.name);
  kernels::RandomStream stream(in.seed, kernels::Purpose::selection);
  MethodOutput out;
  out.scores.resize(in.data.features());
  for (double& score : out.scores) score = stream.uniform();
  return out;
}

}  // namespace

const Method kRandom{"random", "Features in random order; a baseline.", ScaleMode::none, false,
                     describe_options<NoOptions>, run};

}  // namespace quickselection
