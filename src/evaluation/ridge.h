// src/evaluation/ridge.h: how well chosen features predict all features, linearly.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/aligned.h"
#include "core/team.h"
#include "data/scaling/row_reader.h"
#include "kernels/symmetric_eigen.h"

namespace quickselection {

struct RidgeScore {
  std::size_t k = 0;
  double r2 = 0;       ///< 1 - squared error / squared distance from the mean, over all test values
  double penalty = 0;  ///< as chosen by generalised cross-validation on the training rows
};

/// Ridge regressions of all features on some of them, fitted on training rows and judged on test
/// rows. Both are read block by block; what is kept has the size of the chosen columns and of
/// (chosen x all) coefficients. The views must outlive it.
class Ridge {
 public:
  Ridge(const RowsView& train, const RowsView& test, Team& team);

  /// False when the test rows do not vary, so that nothing can be explained.
  bool defined() const { return test_squares_ > 0; }

  /// One score for the first k of `columns`, for each k. Throws Interrupted when `stop` is set.
  std::vector<RidgeScore> score(std::span<const std::uint32_t> columns,
                                std::span<const std::size_t> ks,
                                const std::atomic<bool>* stop = nullptr);

 private:
  void for_each_block(const RowReader& from, std::size_t group, const auto& body) const;
  void accumulate(std::span<const std::uint32_t> columns, const std::atomic<bool>* stop);
  void decompose(std::size_t k, std::span<const std::uint32_t> columns);
  double choose_penalty() const;
  void solve(double penalty);
  double test_error(std::size_t k, std::span<const float> chosen, std::size_t width) const;

  RowReader train_, test_;  // all features
  Team& team_;
  std::size_t features_, tiles_, groups_;
  std::vector<double> mean_;                     // of the training rows
  double train_squares_ = 0, test_squares_ = 0;  // about their own means, over all features
  std::size_t width_ = 0;                        // columns in cross_
  AlignedArray<double> cross_;     // (tiles, width, 16): chosen^T x all, on the training rows
  kernels::SymmetricEigen eigen_;  // of the chosen columns' products; no value below 0
  AlignedArray<float> solution_;   // (tiles, k, 16): coefficients
};

}  // namespace quickselection
