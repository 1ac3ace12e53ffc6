// tests/selectors/graph/lasso_reference.h: L1 regression the slow way.
#pragma once

#include <algorithm>
#include <cmath>

#include "selectors/graph/graph_reference.h"

namespace quickselection {

/// min |y - X a|^2 / 2 + penalty |a|_1, one coefficient at a time until nothing moves.
inline Vector coordinate_descent(const Matrix& x, const Vector& y, double penalty, Vector a) {
  for (int sweep = 0; sweep < 100000; ++sweep) {
    double moved = 0;
    for (long j = 0; j < x.cols(); ++j) {
      const double length = x.col(j).squaredNorm();
      if (length == 0) continue;
      const double wish = x.col(j).dot(y - x * a) + length * a(j);
      const double next = std::copysign(std::max(0.0, std::abs(wish) - penalty), wish) / length;
      moved = std::max(moved, std::abs(next - a(j)) * std::sqrt(length));
      a(j) = next;
    }
    if (moved < 1e-13 * y.norm()) break;
  }
  return a;
}

/// The coefficients just before, with a falling penalty, there are more than `most` for the first
/// time.
inline Vector sparse_regression(const Matrix& x, const Vector& y, long most) {
  const auto count = [](const Vector& a) { return (a.array() != 0).count(); };
  double high = (x.transpose() * y).cwiseAbs().maxCoeff();
  Vector a = Vector::Zero(x.cols());
  for (double low = high; low > 1e-6 * high;) {
    const double next = 0.99 * low;
    const Vector trial = coordinate_descent(x, y, next, a);
    if (count(trial) > most) {
      double above = low, below = next;
      for (int i = 0; i < 45; ++i) {
        const double middle = (above + below) / 2;
        const Vector found = coordinate_descent(x, y, middle, a);
        if (count(found) > most)
          below = middle;
        else
          above = middle, a = found;
      }
      return a;
    }
    low = next;
    a = trial;
  }
  return coordinate_descent(x, y, 0, a);
}

}  // namespace quickselection
