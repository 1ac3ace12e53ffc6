// src/report/strength_history.h: the scores of all features after some epochs of a training.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "quickselection/progress.h"

namespace quickselection {

/// Evenly spaced epochs, and the last one. RunContext::after_epoch feeds it.
class StrengthHistory {
 public:
  /// Keeps no more than `most_epochs`, and no more than `most_values` numbers, which may be none.
  explicit StrengthHistory(std::size_t most_epochs = 100,
                           std::size_t most_values = std::size_t{4} << 20)
      : most_epochs_(most_epochs), most_values_(most_values) {}

  void add(const EpochEnd& end);

  std::size_t size() const { return epochs_.size(); }
  const std::vector<std::uint32_t>& epochs() const { return epochs_; }  ///< counted from 1
  /// Of all features, after epochs()[i].
  const std::vector<float>& scores(std::size_t i) const { return scores_[i]; }

 private:
  std::size_t most_epochs_, most_values_;
  std::size_t stride_ = 1;  // epochs that it divides are kept; the last one is kept anyway
  std::vector<std::uint32_t> epochs_;
  std::vector<std::vector<float>> scores_;
};

}  // namespace quickselection
