// tests/support/slow_eigen.h: eigenvalues and eigenvectors for references, by Eigen, whose solvers
// take long to compile: here they are compiled once.
#pragma once

#include <Eigen/Core>

namespace quickselection {

struct SlowEigen {
  Eigen::VectorXd values;   // ascending
  Eigen::MatrixXd vectors;  // in the columns
};

SlowEigen slow_eigen(const Eigen::MatrixXd& a);                            // A v = lambda v
SlowEigen slow_eigen(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);  // A v = lambda B v

}  // namespace quickselection
