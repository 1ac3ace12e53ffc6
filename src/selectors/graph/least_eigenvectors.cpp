// src/selectors/graph/least_eigenvectors.cpp: see least_eigenvectors.h.
#include "selectors/graph/least_eigenvectors.h"

#include <algorithm>

namespace quickselection {
namespace {

// Extra vectors keep the wanted ones apart from the rest of the spectrum, and see multiple
// eigenvalues, which a search from a single vector does not.
constexpr long kExtra = 4;
constexpr long kPowers = 4;  // of the inverse in one search space
constexpr int kCycles = 40;
constexpr double kTolerance = 1e-10;

/// Orthonormal columns that span v, orthogonal to `basis`.
Eigen::MatrixXd orthonormal(const Eigen::MatrixXd& basis, Eigen::MatrixXd v) {
  for (int pass = 0; pass < 2; ++pass) {
    if (basis.cols() > 0) v -= basis * (basis.transpose() * v).eval();
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr(v);
    v = qr.householderQ() * Eigen::MatrixXd::Identity(v.rows(), v.cols());
  }
  if (basis.cols() > 0) v -= basis * (basis.transpose() * v).eval();
  return v;
}

}  // namespace

long search_width(long size, long count) { return std::min(size, count + kExtra); }

Eigen::MatrixXd least_eigenvectors(const Scatter& matrix, long count, Eigen::MatrixXd start,
                                   const Pace& pace) {
  const long size = matrix.size(), width = start.cols();
  if (size <= 3 * (kPowers + 1) * width) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix.dense());
    return solver.eigenvectors().leftCols(width);
  }
  Eigen::MatrixXd basis(size, (kPowers + 1) * width);
  for (int cycle = 0; cycle < kCycles; ++cycle) {
    pace.check_stop();
    basis.leftCols(width) = orthonormal({}, start);
    for (long power = 1; power <= kPowers; ++power)
      basis.middleCols(power * width, width) =
          orthonormal(basis.leftCols(power * width),
                      matrix.solve(basis.middleCols((power - 1) * width, width)));
    const Eigen::MatrixXd image = matrix.multiply(basis);
    const Eigen::MatrixXd projected = basis.transpose() * image;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(
        (projected + projected.transpose()) / 2);
    const Eigen::MatrixXd mix = solver.eigenvectors().leftCols(width);
    start = basis * mix;
    const Eigen::MatrixXd residual =
        image * mix.leftCols(count) -
        start.leftCols(count) * solver.eigenvalues().head(count).asDiagonal();
    if (residual.colwise().norm().maxCoeff() <= kTolerance * solver.eigenvalues()(count - 1)) break;
  }
  return start;
}

}  // namespace quickselection
