// src/extraction/pca.cpp: see pca.h.
#include "extraction/pca.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>

#include "core/aligned.h"
#include "core/iota.h"
#include "data/scaling/stored_rows.h"
#include "kernels/gemm.h"
#include "kernels/random/random.h"
#include "kernels/tile.h"
#include "network/training/batches.h"
#include "network/training/training.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Additional directions that make the iteration converge faster, and when it has converged.
constexpr std::size_t kSpare = 20;
constexpr int kMostPasses = 60;
constexpr double kTolerance = 1e-7;

/// Passes over centred tiles of the data, in order, all members of the team at the same tile.
class Passes {
 public:
  Passes(const Dataset& data, const Scaler& scaler, Team& team, const RunContext& context)
      : data_(data), scaler_(scaler), team_(team), context_(context), mean_(data.features()) {
    width_ = samples_in_tile(std::min(data.rows(), kernels::kMaxStride), data.features());
    tile_ = AlignedArray<float>(data.features() * stride_of(width_));
    run([&](int member, std::size_t samples, std::size_t stride) {
      const Range mine = share(data_.features(), member, team_.size(), kernels::kTileBlock);
      for (std::size_t f = mine.begin; f < mine.end; ++f)
        for (std::size_t s = 0; s < samples; ++s) mean_[f] += tile_[f * stride + s];
    });
    for (double& mean : mean_) mean /= static_cast<double>(data.rows());
    centred_ = true;
  }

  const std::vector<double>& mean() const { return mean_; }
  const float* tile() const { return tile_.data(); }
  Team& team() { return team_; }

  /// Calls body(member, samples, stride) for every tile on every member, which may meet at
  /// barriers.
  void run(const std::function<void(int, std::size_t, std::size_t)>& body) {
    const std::vector<std::uint32_t> rows = iota(data_.rows());
    bool stopped = false;
    team_.run([&](int member) {
      const Range mine = share(data_.features(), member, team_.size(), kernels::kTileBlock);
      for (std::size_t first = 0; first < rows.size() && !stopped; first += width_) {
        const std::size_t samples = std::min(width_, rows.size() - first);
        const std::size_t stride = stride_of(samples);
        const kernels::TileJob job{stored_rows(data_),
                                   rows.data() + first,
                                   samples,
                                   stride,
                                   scaler_.view(),
                                   {},
                                   tile_.data(),
                                   nullptr};
        kernels::fill_tile(job, mine.begin, mine.end);
        if (centred_)
          for (std::size_t f = mine.begin; f < mine.end; ++f)
            for (std::size_t s = 0; s < samples; ++s)
              tile_[f * stride + s] -= static_cast<float>(mean_[f]);
        team_.barrier();
        body(member, samples, stride);
        team_.barrier();
        if (member == 0) stopped = stopping(context_);
        team_.barrier();
      }
    });
    if (stopped) throw Interrupted("stopped");
  }

 private:
  const Dataset& data_;
  const Scaler& scaler_;
  Team& team_;
  const RunContext& context_;
  std::vector<double> mean_;
  std::size_t width_ = 0;
  bool centred_ = false;
  AlignedArray<float> tile_;  // (I, B)
};

/// sum (rows, columns) += what a block of float products gave.
void add_block(Range rows, const float* block, Matrix& sum) {
  const auto columns = static_cast<std::size_t>(sum.cols());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < columns; ++j)
      sum(static_cast<Eigen::Index>(rows.begin + i), static_cast<Eigen::Index>(j)) +=
          block[i * columns + j];
}

std::vector<AlignedArray<float>> scratch(int threads, std::size_t size) {
  std::vector<AlignedArray<float>> arrays;
  for (int member = 0; member < threads; ++member) arrays.emplace_back(size);
  return arrays;
}

struct Leading {
  Matrix vectors;  // (I, D), by falling value
  std::vector<double> values;
};

Leading leading_of(const Matrix& symmetric, std::size_t count) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(symmetric);
  Leading result;
  result.vectors.resize(symmetric.rows(), static_cast<Eigen::Index>(count));
  for (std::size_t c = 0; c < count; ++c) {
    const Eigen::Index from = symmetric.rows() - 1 - static_cast<Eigen::Index>(c);
    result.vectors.col(static_cast<Eigen::Index>(c)) = solver.eigenvectors().col(from);
    result.values.push_back(solver.eigenvalues()[from]);
  }
  return result;
}

Leading by_covariance(Passes& passes, std::size_t features, std::size_t components) {
  Matrix covariance =
      Matrix::Zero(static_cast<Eigen::Index>(features), static_cast<Eigen::Index>(features));
  auto blocks = scratch(passes.team().size(), kernels::gemm_block(features) * features);
  passes.run([&](int member, std::size_t, std::size_t stride) {
    float* block = blocks[static_cast<std::size_t>(member)].data();
    kernels::for_each_block(features, member, passes.team().size(), [&](Range rows) {
      kernels::gemm(rows.size(), features, stride, 1, {passes.tile() + rows.begin * stride, stride},
                    {passes.tile(), stride, true}, block, features, false);
      add_block(rows, block, covariance);
    });
  });
  return leading_of(covariance, components);
}

Leading by_subspace_iteration(Passes& passes, std::size_t features, std::size_t components,
                              std::size_t width, std::uint64_t seed) {
  const auto rows_of = static_cast<Eigen::Index>(features);
  const auto columns_of = static_cast<Eigen::Index>(width);
  AlignedArray<float> directions(features * width);  // (I, W)
  kernels::fill_normal(directions.data(), directions.size(), 1, seed, kernels::Purpose::weights, 0,
                       0);
  AlignedArray<float> projected(width * kernels::kMaxStride);  // (W, B)
  auto blocks = scratch(passes.team().size(), kernels::gemm_block(features) * width);
  Matrix basis(rows_of, columns_of);
  for (std::size_t i = 0; i < directions.size(); ++i) basis.data()[i] = directions[i];
  const auto orthonormal = [&](const Matrix& m) {
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr(m);
    return Matrix(qr.householderQ() * Eigen::MatrixXd::Identity(rows_of, columns_of));
  };
  basis = orthonormal(basis);
  std::vector<double> before;
  for (int pass = 0;; ++pass) {
    for (std::size_t i = 0; i < directions.size(); ++i)
      directions[i] = static_cast<float>(basis.data()[i]);
    Matrix product = Matrix::Zero(rows_of, columns_of);  // covariance x basis
    passes.run([&](int member, std::size_t, std::size_t stride) {
      kernels::for_each_block(width, member, passes.team().size(), [&](Range rows) {
        kernels::gemm(rows.size(), stride, features, 1,
                      {directions.data() + rows.begin, width, true}, {passes.tile(), stride},
                      projected.data() + rows.begin * stride, stride, false);
      });
      passes.team().barrier();
      float* block = blocks[static_cast<std::size_t>(member)].data();
      kernels::for_each_block(features, member, passes.team().size(), [&](Range rows) {
        kernels::gemm(rows.size(), width, stride, 1, {passes.tile() + rows.begin * stride, stride},
                      {projected.data(), stride, true}, block, width, false);
        add_block(rows, block, product);
      });
    });
    const Matrix inner = basis.transpose() * product;
    const Leading small = leading_of((inner + inner.transpose()) / 2, components);
    bool settled = !before.empty();
    for (std::size_t c = 0; c < before.size(); ++c)
      settled = settled && std::fabs(small.values[c] - before[c]) <= kTolerance * small.values[0];
    if (settled || pass + 1 == kMostPasses) return {basis * small.vectors, small.values};
    before = small.values;
    basis = orthonormal(product);
  }
}

}  // namespace

Pca fit_pca(const Dataset& data, const Scaler& scaler, std::size_t components, std::uint64_t seed,
            Team& team, const RunContext& context, std::size_t most_exact_features) {
  const kernels::SerialBlas serial;
  const std::size_t features = data.features();
  Passes passes(data, scaler, team, context);
  const std::size_t width = std::min(features, components + kSpare);
  const Leading leading = features <= most_exact_features
                              ? by_covariance(passes, features, components)
                              : by_subspace_iteration(passes, features, components, width, seed);

  Pca pca;
  pca.layer = DenseLayer(features, components, kernels::Optimizer::sgd);
  pca.back = DenseLayer(components, features, kernels::Optimizer::sgd);
  for (std::size_t c = 0; c < components; ++c) {
    const auto vector = leading.vectors.col(static_cast<Eigen::Index>(c));
    Eigen::Index largest = 0;
    vector.cwiseAbs().maxCoeff(&largest);
    const double sign = vector[largest] < 0 ? -1 : 1;
    double offset = 0;
    for (std::size_t f = 0; f < features; ++f) {
      const double weight = sign * vector[static_cast<Eigen::Index>(f)];
      pca.layer.weights[c * features + f] = static_cast<float>(weight);
      pca.back.weights[f * components + c] = static_cast<float>(weight);
      offset -= weight * passes.mean()[f];
    }
    pca.layer.bias[c] = static_cast<float>(offset);
    pca.variance.push_back(std::max(0.0, leading.values[c]) / static_cast<double>(data.rows()));
  }
  for (std::size_t f = 0; f < features; ++f)
    pca.back.bias[f] = static_cast<float>(passes.mean()[f]);
  // Constant features have variance 0 and scale 0; clipping makes the others a little smaller.
  for (std::size_t f = 0; f < features; ++f)
    pca.total_variance += scaler.variance[f] * static_cast<double>(scaler.scale[f]) *
                          static_cast<double>(scaler.scale[f]);
  return pca;
}

}  // namespace quickselection
