// src/network/training/settling.cpp: see settling.h.
#include "network/training/settling.h"

#include <cmath>
#include <numeric>

namespace quickselection {
namespace {

constexpr std::size_t kEpochsBetween = 5;
constexpr std::uint64_t kLeastSteps = 300;  // with few rows an epoch is a step or two
constexpr double kAgreement = 0.9;  // correlation of the scores with those of the look before
constexpr double kLossFall =
    0.08;  // in the second half of the epochs, as a share of the first loss

/// Of two lists of equal length; 1 when neither varies, 0 when only one does.
double correlation(std::span<const double> a, std::span<const double> b) {
  const auto count = static_cast<double>(a.size());
  const double mean_a = std::accumulate(a.begin(), a.end(), 0.0) / count;
  const double mean_b = std::accumulate(b.begin(), b.end(), 0.0) / count;
  double aa = 0, bb = 0, ab = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
    ab += (a[i] - mean_a) * (b[i] - mean_b);
  }
  if (aa == 0 || bb == 0) return aa == bb ? 1 : 0;
  return ab / std::sqrt(aa) / std::sqrt(bb);
}

}  // namespace

bool has_settled(std::span<const double> before, std::span<const double> scores,
                 std::span<const double> loss) {
  const double fall = loss[loss.size() / 2 - 1] - loss.back();
  return fall <= kLossFall * loss.front() && correlation(before, scores) >= kAgreement;
}

bool Settling::looks_after(std::size_t epochs) { return epochs % kEpochsBetween == 0; }

void Settling::look(std::span<const double> scores, std::span<const double> loss,
                    std::uint64_t steps) {
  // Before the second look there is nothing to compare with.
  settled_[0] = steps >= kLeastSteps && loss.size() >= 2 * kEpochsBetween &&
                has_settled(before_, scores, loss);
  before_.assign(scores.begin(), scores.end());
}

}  // namespace quickselection
