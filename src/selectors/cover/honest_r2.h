// src/selectors/cover/honest_r2.h: how well the other features predict each feature, on rows that
// were left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/pace.h"
#include "selectors/cover/columns.h"

namespace quickselection {

/// Which ridge is taken: the one with the least error over all features, or the one at which the
/// features that can be predicted at all are predicted best, however badly it suits the others.
enum class RidgeRule : std::uint8_t { least_error, most_predicted };

struct HonestR2 {
  std::vector<double> r2;  ///< (I), at most 1; 0 for features that do not vary
  double ridge = 0;        ///< for each row
};

/// Z: centred columns. For every feature j and row i the ridge regression of j on all other
/// features and all other rows, its error at row i: in closed form, from one eigendecomposition of
/// size min(rows, features). `basis`, when given and there are more rows than features, becomes a
/// matrix C (features, features) with C'C = Z'Z.
HonestR2 honest_r2(Columns& z, RidgeRule rule, const Pace& pace, ColumnMatrix* basis = nullptr);

}  // namespace quickselection
