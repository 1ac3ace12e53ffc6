// src/selectors/methods/cover.cpp: features that cover what can be predicted: each is chosen for
// what it tells of all others, and noise, which nothing predicts, does not count.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/pace.h"
#include "data/io/pages.h"
#include "kernels/gemm.h"
#include "kernels/random/random.h"
#include "selectors/cover/columns.h"
#include "selectors/cover/greedy.h"
#include "selectors/cover/honest_r2.h"
#include "selectors/method.h"

namespace quickselection {
namespace {

// More rows than this are sampled. With few features the sums over rows are cheap.
constexpr std::size_t kFewFeatures = 2000, kRows = 1500, kRowsOfFew = 8000;
constexpr std::size_t kMagnitudeRows = 1000;

/// `count` rows in ascending order, the same for every number of features. None = all.
std::vector<std::uint32_t> sample_rows(std::size_t rows, std::size_t count) {
  std::vector<std::uint32_t> some;
  if (rows > count)
    for (const std::uint64_t row : kernels::sample_distinct(
             rows, count, kernels::RandomStream(0, kernels::Purpose::selection, 2)))
      some.push_back(static_cast<std::uint32_t>(row));
  return some;
}

/// The mean noise of the features that vary.
double mean_noise(std::span<const double> squares, std::span<const double> shared) {
  double sum = 0, count = 0;
  for (std::size_t f = 0; f < squares.size(); ++f) {
    if (!(squares[f] > 0)) continue;
    sum += (1 - shared[f]) * squares[f];
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

/// Features whose magnitudes the others predict clearly better than their values, and by how much.
struct Curved {
  std::vector<std::uint32_t> features;
  std::vector<double> shared;
};

Curved find_curved(Columns& magnitudes, std::span<const double> r2, const Pace& pace) {
  const HonestR2 found = honest_r2(magnitudes, RidgeRule::most_predicted, pace);
  const double clear = 2 / std::sqrt(static_cast<double>(magnitudes.rows()));
  Curved curved;
  for (std::size_t f = 0; f < r2.size(); ++f) {
    const double more = std::min(found.r2[f], 1.0) - std::max(r2[f], 0.0);
    if (!(more > clear)) continue;
    curved.features.push_back(static_cast<std::uint32_t>(f));
    curved.shared.push_back(more);
  }
  return curved;
}

MethodOutput run(const MethodInput& in) {
  parse_options<NoOptions>(in.given, kCover.name);
  const kernels::SerialBlas serial;
  const std::size_t features = in.data.features();
  const auto rows = sample_rows(in.data.rows(), features < kFewFeatures ? kRowsOfFew : kRows);
  Pace pace("cover", static_cast<double>(in.k), in.context);
  Columns values({&in.data, rows, &in.scaler}, Look::values, in.team);
  const std::size_t n = values.rows();

  ColumnMatrix basis;
  const HonestR2 honest = honest_r2(values, RidgeRule::least_error, pace, &basis);
  std::vector<double> shared(features);
  for (std::size_t f = 0; f < features; ++f) shared[f] = std::clamp(honest.r2[f], 0.0, 1.0);

  std::vector<CoverPart> parts;
  const double noise = mean_noise(values.squares(), shared);
  // A column that may be chosen takes its rows, and a number for each choice.
  const CoverPart::Setting setting{n, noise, 1, Columns::kKept / sizeof(float) / (n + in.k), in.k};
  if (basis.columns > 0) {
    std::vector<std::uint32_t> all(features);
    for (std::size_t f = 0; f < features; ++f) all[f] = static_cast<std::uint32_t>(f);
    parts.emplace_back(basis, shared, std::move(all), setting, in.team, pace);
  } else if (n > 1 && honest.ridge > 0) {
    parts.emplace_back(values, shared, setting, in.team, pace);
  }

  const auto few_rows = sample_rows(in.data.rows(), kMagnitudeRows);
  Curved curved;
  ColumnMatrix bent;
  {
    Columns magnitudes({&in.data, few_rows, &in.scaler}, Look::magnitudes, in.team,
                       values.kept() ? Columns::kKept : 0);
    curved = find_curved(magnitudes, honest.r2, pace);
    bent = magnitudes.gather(curved.features);
    if (!curved.features.empty()) {
      std::vector<double> squares;
      for (const std::uint32_t f : curved.features) squares.push_back(magnitudes.squares()[f]);
      const auto of_rows = static_cast<double>(n) / static_cast<double>(magnitudes.rows());
      parts.emplace_back(
          bent, curved.shared, curved.features,
          CoverPart::Setting{magnitudes.rows(), mean_noise(squares, curved.shared), of_rows},
          in.team, pace);
    }
  }

  Covered covered = cover(parts, features, in.k, pace);
  release_rows(in.data, 0, in.data.rows());  // whoever looks at them next needs the room
  MethodOutput out;
  out.scores.resize(features);
  const double most =
      std::max(1e-300, *std::max_element(covered.alone.begin(), covered.alone.end()));
  const double widest =
      std::max(1e-300, *std::max_element(values.squares().begin(), values.squares().end()));
  for (std::size_t f = 0; f < features; ++f)
    out.scores[f] =
        covered.alone[f] > 0 ? covered.alone[f] / most : values.squares()[f] / widest - 1;
  for (std::size_t i = 0; i < covered.order.size(); ++i)
    out.scores[covered.order[i]] = 2 - static_cast<double>(i) / static_cast<double>(in.k);
  out.measures = {{"rows used", static_cast<double>(n)},
                  {"ridge", honest.ridge},
                  {"noise", noise / static_cast<double>(std::max<std::size_t>(n, 1))},
                  {"curved features", static_cast<double>(curved.features.size())},
                  {"rounds", static_cast<double>(covered.rounds + 1)}};
  return out;
}

}  // namespace

constinit const Method kCover{
    .name = "cover",
    .class_name = "Cover",
    .summary =
        "Covers what can be predicted: each feature is chosen for what it tells of the others.",
    .scale = ScaleMode::automatic,
    .options = options_of<NoOptions>(),
    .run = run,
    .seeded = false,
    .needs_k = always_needs_k,
};

}  // namespace quickselection
