// src/extraction/pca.cpp: see pca.h.
#include "extraction/pca.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/aligned.h"
#include "core/iota.h"
#include "data/scaling/stored_rows.h"
#include "kernels/gemm.h"
#include "kernels/orthonormal.h"
#include "kernels/random/random.h"
#include "kernels/symmetric_eigen.h"
#include "kernels/tile.h"
#include "network/training/batches.h"
#include "network/training/training.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

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

std::vector<AlignedArray<float>> scratch(int threads, std::size_t size) {
  std::vector<AlignedArray<float>> arrays;
  for (int member = 0; member < threads; ++member) arrays.emplace_back(size);
  return arrays;
}

struct Leading {
  std::vector<double> vectors;  // (D, I), by falling value
  std::vector<double> values;
};

/// `upper` (size, size) holds a symmetric matrix as far as j >= i.
Leading leading_of(std::vector<double> upper, std::size_t size, std::size_t count) {
  const auto eigen = kernels::symmetric_eigen(std::move(upper), size);
  Leading result;
  for (std::size_t from = size; from-- > size - count;) {
    const auto row = eigen.vectors.begin() + static_cast<long>(from * size);
    result.vectors.insert(result.vectors.end(), row, row + static_cast<long>(size));
    result.values.push_back(eigen.values[from]);
  }
  return result;
}

Leading by_covariance(Passes& passes, std::size_t features, std::size_t components) {
  std::vector<double> covariance(features * features);
  auto blocks = scratch(passes.team().size(), kernels::gemm_block(features) * features);
  passes.run([&](int member, std::size_t, std::size_t stride) {
    float* block = blocks[static_cast<std::size_t>(member)].data();
    kernels::for_each_block(features, member, passes.team().size(), [&](Range rows) {
      kernels::gemm(rows.size(), features, stride, 1, {passes.tile() + rows.begin * stride, stride},
                    {passes.tile(), stride, true}, block, features, false);
      double* sum = covariance.data() + rows.begin * features;
      for (std::size_t i = 0; i < rows.size() * features; ++i) sum[i] += block[i];
    });
  });
  return leading_of(std::move(covariance), features, components);
}

Leading by_subspace_iteration(Passes& passes, std::size_t features, std::size_t components,
                              std::size_t width, std::uint64_t seed) {
  AlignedArray<float> directions(width * features);  // (W, I)
  kernels::fill_normal(directions.data(), directions.size(), 1, seed, kernels::Purpose::weights, 0,
                       0);
  AlignedArray<float> projected(width * kernels::kMaxStride);  // (W, B)
  auto blocks = scratch(passes.team().size(), kernels::gemm_block(features) * width);
  std::vector<double> basis(directions.begin(), directions.end()), inner(width * width), before;
  kernels::make_orthonormal(basis.data(), width, features);
  for (int pass = 0;; ++pass) {
    for (std::size_t i = 0; i < directions.size(); ++i)
      directions[i] = static_cast<float>(basis[i]);
    std::vector<double> product(width * features);  // basis x covariance
    passes.run([&](int member, std::size_t, std::size_t stride) {
      kernels::for_each_block(width, member, passes.team().size(), [&](Range rows) {
        kernels::gemm(
            rows.size(), stride, features, 1, {directions.data() + rows.begin * features, features},
            {passes.tile(), stride}, projected.data() + rows.begin * stride, stride, false);
      });
      passes.team().barrier();
      float* block = blocks[static_cast<std::size_t>(member)].data();
      kernels::for_each_block(features, member, passes.team().size(), [&](Range mine) {
        kernels::gemm(width, mine.size(), stride, 1, {projected.data(), stride},
                      {passes.tile() + mine.begin * stride, stride, true}, block, mine.size(),
                      false);
        for (std::size_t w = 0; w < width; ++w)
          for (std::size_t i = 0; i < mine.size(); ++i)
            product[w * features + mine.begin + i] += block[w * mine.size() + i];
      });
    });
    kernels::gemm(width, width, features, 1, {basis.data(), features},
                  {product.data(), features, true}, inner.data(), width, false);
    const Leading small = leading_of(inner, width, components);
    bool settled = !before.empty();
    for (std::size_t c = 0; c < before.size(); ++c)
      settled = settled && std::fabs(small.values[c] - before[c]) <= kTolerance * small.values[0];
    if (settled || pass + 1 == kMostPasses) {
      Leading leading{std::vector<double>(components * features), small.values};
      kernels::gemm(components, features, width, 1, {small.vectors.data(), width},
                    {basis.data(), features}, leading.vectors.data(), features, false);
      return leading;
    }
    before = small.values;
    basis = std::move(product);
    kernels::make_orthonormal(basis.data(), width, features);
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
    const double* vector = leading.vectors.data() + c * features;
    const double largest = *std::max_element(
        vector, vector + features, [](double a, double b) { return std::fabs(a) < std::fabs(b); });
    const double sign = largest < 0 ? -1 : 1;
    double offset = 0;
    for (std::size_t f = 0; f < features; ++f) {
      const double weight = sign * vector[f];
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
