// tests/support/slow_eigen.cpp: see slow_eigen.h.
#include "support/slow_eigen.h"

#include <Eigen/Eigenvalues>

namespace quickselection {

SlowEigen slow_eigen(const Eigen::MatrixXd& a) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(a);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

SlowEigen slow_eigen(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(a, b);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

}  // namespace quickselection
