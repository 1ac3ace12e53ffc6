// src/network/training/settling.cpp: see settling.h.
#include "network/training/settling.h"

#include <cmath>
#include <numeric>

namespace quickselection {
namespace {

constexpr std::size_t kEpochsBetween = 5;
constexpr std::uint64_t kLeastSteps = 300;  // with few rows an epoch is a step or two
// How far scores may have moved since the look before (1 - their correlation): where the loss
// rests, and where they moved at least this share of what they did before.
constexpr double kNear = 0.05, kNearEnough = 0.1, kNoNearer = 0.95;
// In the second half of the epochs, as a share of the first loss.
constexpr double kLossFall = 0.08;

/// 1 - the correlation of two lists of equal length; 0 when neither varies, 1 when only one does.
double distance(std::span<const double> a, std::span<const double> b) {
  const auto count = static_cast<double>(a.size());
  const double mean_a = std::accumulate(a.begin(), a.end(), 0.0) / count;
  const double mean_b = std::accumulate(b.begin(), b.end(), 0.0) / count;
  double aa = 0, bb = 0, ab = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
    ab += (a[i] - mean_a) * (b[i] - mean_b);
  }
  if (aa == 0 || bb == 0) return aa == bb ? 0 : 1;
  return 1 - ab / std::sqrt(aa) / std::sqrt(bb);
}

bool rests(std::span<const double> loss) {
  return loss[loss.size() / 2 - 1] - loss.back() <= kLossFall * loss.front();
}

}  // namespace

bool Settling::looks_after(std::size_t epochs) { return epochs % kEpochsBetween == 0; }

void Settling::look(std::span<const double> scores, std::span<const double> loss,
                    std::uint64_t steps) {
  const double moved = distance(before_, scores);
  const bool near = moved <= kNear && rests(loss);
  const bool no_nearer = never_rest_ && moved <= kNearEnough && moved >= kNoNearer * moved_before();
  // Before the second look there is nothing to compare with.
  state_ = {
      steps >= kLeastSteps && loss.size() >= 2 * kEpochsBetween && (near || no_nearer) ? 1.0 : 0.0,
      moved};
  before_.assign(scores.begin(), scores.end());
}

}  // namespace quickselection
