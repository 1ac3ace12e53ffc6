// src/selectors/graph/blocks.h: dense products on a team, cut into blocks of fixed size, so that
// rounding does not depend on the number of threads.
#pragma once

#include <Eigen/Core>
#include <algorithm>

#include "core/team.h"

namespace quickselection {

inline constexpr long kProductBlock = 128;

/// body(begin, length) for every block of [0, n).
void for_each_block(Team& team, long n, const auto& body) {
  const long blocks = (n + kProductBlock - 1) / kProductBlock;
  team.for_each(static_cast<std::size_t>(blocks), [&](std::size_t block) {
    const long begin = static_cast<long>(block) * kProductBlock;
    body(begin, std::min(kProductBlock, n - begin));
  });
}

/// a b
inline Eigen::MatrixXd multiply(Team& team, const Eigen::Ref<const Eigen::MatrixXd>& a,
                                const Eigen::Ref<const Eigen::MatrixXd>& b) {
  Eigen::MatrixXd out(a.rows(), b.cols());
  for_each_block(team, a.rows(), [&](long begin, long length) {
    out.middleRows(begin, length).noalias() = a.middleRows(begin, length) * b;
  });
  return out;
}

/// a' b
inline Eigen::MatrixXd multiply_transposed(Team& team, const Eigen::Ref<const Eigen::MatrixXd>& a,
                                           const Eigen::Ref<const Eigen::MatrixXd>& b) {
  Eigen::MatrixXd out(a.cols(), b.cols());
  for_each_block(team, a.cols(), [&](long begin, long length) {
    out.middleRows(begin, length).noalias() = a.middleCols(begin, length).transpose() * b;
  });
  return out;
}

}  // namespace quickselection
