// src/selectors/graph/least_eigenvectors.h: the eigenvectors of a positive matrix with the least
// eigenvalues, from equations with it.
#pragma once

#include <Eigen/Dense>

#include "core/pace.h"
#include "selectors/graph/scatter.h"

namespace quickselection {

/// Columns: at least `count` orthonormal vectors, by ascending eigenvalue; the first `count` are
/// eigenvectors, the others are good to start the next search from. The sum of their Rayleigh
/// quotients is never above that of the first columns of `start`, even before convergence.
Eigen::MatrixXd least_eigenvectors(const Scatter& matrix, long count, Eigen::MatrixXd start,
                                   const Pace& pace);

/// How many columns `start` should have.
long search_width(long size, long count);

}  // namespace quickselection
