// src/network/training/settling.h: when a training has gone far enough: its ranking has settled.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace quickselection {

/// Whether a training stands still: the scores are nearly those of some epochs before, and the
/// second half of the epochs made the loss hardly smaller. Sparse networks move connections for
/// ever, so scores never rest altogether. docs/method.md says where the two numbers come from.
bool has_settled(std::span<const double> before, std::span<const double> scores,
                 std::span<const double> loss);

/// Looks at a training every few epochs.
class Settling {
 public:
  explicit Settling(std::size_t features) : before_(features), settled_(1) {}

  /// Whether scores are wanted after this many epochs.
  static bool looks_after(std::size_t epochs);
  /// `loss` has one number for each epoch so far, in which there were so many `steps`.
  void look(std::span<const double> scores, std::span<const double> loss, std::uint64_t steps);
  bool settled() const { return settled_[0] != 0; }

  /// Checkpoints keep it, so that a resumed training stops at the same epoch.
  void for_each_part(auto& visit) {
    visit(before_);
    visit(settled_);
  }

 private:
  std::vector<double> before_;   // (I): the scores of the last look, at first 0
  std::vector<double> settled_;  // one number, 0 or 1
};

}  // namespace quickselection
