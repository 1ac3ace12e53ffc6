// src/evaluation/explained/predictable.h: what features share with others, and how much of it some
// of them explain on rows that were left out.
//
// Z are the centred columns of a sample of the rows, w the honest R2 of each. A share needs no more
// of all the features than the weighted products of the rows, M = Z diag(w) Z': with H the hat
// matrix of a ridge regression on the chosen ones times sqrt(w), row i has the weighted squared
// error (M - 2 HM + HMH)_ii, and left out (1 - 1/n - H_ii)^-2 times that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/gemm.h"
#include "quickselection/explained.h"
#include "quickselection/progress.h"
#include "selectors/cover/columns.h"

namespace quickselection {

bool clearly_predicted(double together, std::size_t rows);

class Predictable {
 public:
  Predictable(const Dataset& data, Team& team, const RunContext& context);

  std::size_t rows() const { return rows_; }
  /// What a ranking ranks and varies in the sample, ascending.
  std::vector<std::uint32_t> varying() const { return ranked_of(varying_); }
  double predictable() const { return predictable_; }
  double together() const { return together_; }
  /// Whether anything is predicted clearly better than chance would with so few rows.
  bool tells() const { return clearly_predicted(together_, rows_); }

  /// What some features explain. Threads may call it side by side.
  double share(std::span<const std::uint32_t> chosen) const;
  /// The same where the chosen ones count for themselves only as far as others predict them: all
  /// features together have together().
  double shared(std::span<const std::uint32_t> chosen) const;
  /// The first `count` features that `cover` chooses on the sample, or fewer. On wide data they are
  /// among the features that share most.
  std::vector<std::uint32_t> cover(std::size_t count);

 private:
  double share_of_columns(std::span<const std::uint32_t> chosen) const;
  /// What a ranking would name instead of columns: each group once.
  std::vector<std::uint32_t> ranked_of(std::span<const std::uint32_t> columns) const;

  const kernels::SerialBlas serial_;
  const Dataset& data_;
  const RunContext& context_;
  Team& team_;
  const std::vector<std::uint32_t> sample_;  // rows, none = all
  const Scaler scaler_;
  Columns z_;
  const std::size_t rows_;
  std::vector<double> weight_;    // (I), w
  AlignedArray<float> products_;  // (n, n), M
  std::vector<std::uint32_t> varying_;
  double total_ = 0, predictable_ = 0, together_ = 0;
};

/// explained() with what is known already.
Explained explained(Predictable& predictable, std::span<const std::uint32_t> ranking, std::size_t k,
                    Team& team, const RunContext& context);

}  // namespace quickselection
