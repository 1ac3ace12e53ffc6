// tests/selectors/cover/cover_reference.h: the formulas of the method cover, written down
// literally: dense matrices, doubles, every regression fitted by itself.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

#include "data/scaling/scaler.h"
#include "quickselection/dataset.h"

namespace quickselection::literal {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

inline Matrix centred(const Matrix& x) { return x.rowwise() - x.colwise().mean(); }

inline Matrix scaled(const Dataset& data, const Scaler& scaler) {
  Matrix x(data.rows(), data.features());
  for (std::size_t r = 0; r < data.rows(); ++r)
    for (std::size_t f = 0; f < data.features(); ++f) {
      const double value = data.at(r, f);
      x(static_cast<long>(r), static_cast<long>(f)) =
          ((scaler.takes_log() ? std::log1p(value / scaler.unit[f]) : value) - scaler.mean[f]) *
          scaler.scale[f];
    }
  return centred(x);
}

/// 1 - squared errors / squares, each error from a regression that has seen neither the row nor the
/// feature, with an intercept and the penalty ridge x rows.
inline Vector honest_r2(const Matrix& z, double ridge) {
  const long n = z.rows(), d = z.cols();
  Vector r2 = Vector::Zero(d);
  for (long j = 0; j < d; ++j) {
    double errors = 0;
    for (long i = 0; i < n; ++i) {
      Matrix x(n - 1, d - 1);
      Vector y(n - 1), at(d - 1);
      for (long r = 0; r < n; ++r)
        for (long c = 0, to = 0; c < d; ++c) {
          if (c != j) (r == i ? at(to) : x(r - (r > i), to)) = z(r, c), ++to;
          if (c == j && r != i) y(r - (r > i)) = z(r, j);
        }
      const Vector mean = x.colwise().mean();
      x = centred(x);
      Matrix normal = x.transpose() * x;
      normal.diagonal().array() += ridge * static_cast<double>(n);
      const Vector beta = normal.ldlt().solve(x.transpose() * (y.array() - y.mean()).matrix());
      const double error = z(i, j) - y.mean() - (at - mean).dot(beta);
      errors += error * error;
    }
    const double squares = z.col(j).squaredNorm();
    if (squares > 1e-9) r2(j) = 1 - errors / squares;
  }
  return r2;
}

/// Features in the order of the largest |S_i|^2 / (S_ii + noise), S being the covariance of the
/// signals that is left; from the start again when none explains more than chance.
inline std::vector<std::uint32_t> cover(const Matrix& z, const Vector& shared, double noise,
                                        std::size_t count, std::size_t* rounds = nullptr) {
  const Vector root = shared.array().sqrt();
  const Matrix start = root.asDiagonal() * z.transpose() * z * root.asDiagonal();
  Matrix s = start;
  double freedom = static_cast<double>(z.rows()) - 1;
  std::vector<std::uint32_t> order;
  std::size_t in_round = 0;
  while (order.size() < count) {
    long best = -1;
    double most = -1;
    bool tells = false;
    for (long i = 0; i < z.cols(); ++i) {
      if (std::find(order.begin(), order.end(), static_cast<std::uint32_t>(i)) != order.end())
        continue;
      const bool left = s(i, i) > 1e-6 * start(i, i);
      const double pull = left ? s.col(i).squaredNorm() : 0, gain = pull / (s(i, i) + noise);
      tells = tells || (left && pull > s(i, i) * s.trace() / std::max(freedom, 1.0));
      if (gain > most) most = gain, best = i;
    }
    if (!tells) {
      if (in_round == 0) break;
      s = start;
      freedom = static_cast<double>(z.rows()) - 1;
      in_round = 0;
      if (rounds != nullptr) ++*rounds;
      continue;
    }
    order.push_back(static_cast<std::uint32_t>(best));
    ++in_round;
    const double c = s(best, best) + noise;
    freedom -= s(best, best) / c;
    const Vector column = s.col(best);
    s -= column * column.transpose() / c;
  }
  return order;
}

}  // namespace quickselection::literal
