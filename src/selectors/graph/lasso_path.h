// src/selectors/graph/lasso_path.h: L1 regression, followed along its penalty (LARS with the
// lasso's rule for coefficients that return to zero; Efron et al., 2004).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace quickselection {

/// Columns of X'X, computed when a path first needs them; empty before.
using GramColumns = std::vector<std::vector<double>>;

/// min |y - X a|^2 / 2 + penalty |a|_1, from the penalty at which all coefficients are zero
/// downwards, until there are `most` coefficients and one more would enter.
class LassoPath {
 public:
  /// correlations: X'y.
  LassoPath(std::vector<double> correlations, std::size_t most);

  bool finished() const { return finished_; }

  /// The feature that enters next: its Gram column must be there when advance() is called.
  std::uint32_t entering() const { return static_cast<std::uint32_t>(entering_); }

  /// Lets it enter and goes on until the next one is about to.
  void advance(const GramColumns& gram);

  double penalty() const { return penalty_; }
  /// X'(y - X a): at most the penalty in size, and equal to it where a coefficient is not zero.
  const std::vector<double>& correlations() const { return correlations_; }
  /// (features)
  std::vector<double> coefficients() const;

 private:
  bool enter(const GramColumns& gram);
  void remove(std::size_t place, const GramColumns& gram);
  bool extend_factor(std::size_t size, const GramColumns& gram);
  std::vector<double> direction() const;
  void move(const GramColumns& gram);

  static constexpr std::size_t kNone = SIZE_MAX;

  std::vector<double> correlations_;
  std::vector<std::uint32_t> active_;  // in the order in which they entered
  std::vector<double> coefficients_;   // of the active ones
  std::vector<double> factor_;         // (most, most): Cholesky factor of the active Gram matrix
  std::vector<bool> active_flag_, dependent_;  // (features)
  std::size_t most_, entering_ = kNone, left_ = kNone, steps_ = 0;
  double penalty_ = 0, negligible_ = 0;
  bool finished_ = false;
};

}  // namespace quickselection
