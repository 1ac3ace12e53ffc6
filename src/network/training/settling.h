// src/network/training/settling.h: when a training has gone far enough: its ranking has settled.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace quickselection {

/// Looks at a training every few epochs. Sparse networks move connections for ever, so scores never
/// rest altogether. They have settled when they move little and the loss rests, or when they move
/// no less than at the look before: what is left is the coming and going of connections.
/// docs/method.md says where the numbers come from.
class Settling {
 public:
  Settling(std::size_t features, bool never_rest)
      : never_rest_(never_rest), before_(features), state_{0, 1} {}

  /// Whether scores are wanted after this many epochs.
  static bool looks_after(std::size_t epochs);
  /// `loss` has one number for each epoch so far, in which there were so many `steps`.
  void look(std::span<const double> scores, std::span<const double> loss, std::uint64_t steps);
  bool settled() const { return state_[0] != 0; }

  /// Checkpoints keep it, so that a resumed training stops at the same epoch.
  void for_each_part(auto& visit) {
    visit(before_);
    visit(state_);
  }

 private:
  double moved_before() const { return state_[1]; }

  bool never_rest_;
  std::vector<double> before_;  // (I): the scores of the last look, at first 0
  std::vector<double> state_;   // settled, 0 or 1; how far the scores had moved at the last look
};

}  // namespace quickselection
