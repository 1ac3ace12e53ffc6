// src/selectors/products.cpp: see products.h.
#include "selectors/products.h"

#include <Eigen/Core>
#include <algorithm>

namespace quickselection {
namespace {

// The shapes of blocks are fixed, so that rounding does not depend on the number of threads.
constexpr std::size_t kFeatures = 128, kRows = 256;

using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

std::vector<double> products(const ScaledRows& data, std::span<const double> vectors, Team& team,
                             const Pace& pace) {
  const std::size_t rows = data.rows(), features = data.features(), count = vectors.size() / rows;
  std::vector<double> out(count * features);
  if (count == 0) return out;
  const Eigen::Map<const Eigen::MatrixXd> v(vectors.data(), static_cast<long>(rows),
                                            static_cast<long>(count));
  Eigen::Map<Eigen::MatrixXd> result(out.data(), static_cast<long>(features),
                                     static_cast<long>(count));
  team.for_each((features + kFeatures - 1) / kFeatures, [&](std::size_t block) {
    const Range mine{block * kFeatures, std::min(features, (block + 1) * kFeatures)};
    const auto width = static_cast<long>(mine.size());
    RowMajor values(static_cast<long>(kRows), width);
    Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(width, static_cast<long>(count));
    for (std::size_t begin = 0; begin < rows; begin += kRows) {
      if (pace.stopping()) return;
      const std::size_t length = std::min(kRows, rows - begin);
      for (std::size_t r = 0; r < length; ++r)
        data.read(begin + r, mine, values.data() + r * mine.size());
      const Eigen::MatrixXd wide = values.topRows(static_cast<long>(length)).cast<double>();
      sums.noalias() +=
          wide.transpose() * v.middleRows(static_cast<long>(begin), static_cast<long>(length));
    }
    result.middleRows(static_cast<long>(mine.begin), width) = sums;
  });
  pace.check_stop();
  return out;
}

std::vector<double> columns_of(const ScaledRows& data, std::span<const std::uint32_t> ids,
                               Team& team) {
  const std::size_t rows = data.rows();
  std::vector<double> out(ids.size() * rows);
  team.run([&](int rank) {
    const Range mine = share(rows, rank, team.size());
    for (std::size_t r = mine.begin; r < mine.end; ++r)
      for (std::size_t i = 0; i < ids.size(); ++i) {
        float value;
        data.read(r, {ids[i], ids[i] + std::size_t{1}}, &value);
        out[i * rows + r] = value;
      }
  });
  return out;
}

}  // namespace quickselection
