// src/report/strength_history.cpp: which epochs a history keeps; see reports.h.
#include "report/reports.h"

#include <algorithm>

namespace quickselection {

void StrengthHistory::add(const EpochEnd& end) {
  const std::size_t most =
      std::min(most_epochs_, most_values_ / std::max<std::size_t>(1, end.scores.size()));
  if (most < 2) return;
  const auto drop_last = [&] {
    epochs_.pop_back();
    scores_.pop_back();
  };
  // What was the last epoch until now stays only when it is one of the evenly spaced ones.
  if (!epochs_.empty() && epochs_.back() % stride_ != 0) drop_last();
  if (epochs_.size() == most) {
    // The length of the training is not known: when the places run out, every other one is freed.
    stride_ *= 2;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < epochs_.size(); ++i) {
      if (epochs_[i] % stride_ != 0) continue;
      epochs_[kept] = epochs_[i];
      scores_[kept++].swap(scores_[i]);
    }
    epochs_.resize(kept);
    scores_.resize(kept);
  }
  epochs_.push_back(static_cast<std::uint32_t>(end.epoch));
  scores_.emplace_back(end.scores.begin(), end.scores.end());
}

}  // namespace quickselection
