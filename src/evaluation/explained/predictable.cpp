// src/evaluation/explained/predictable.cpp: see predictable.h.
#include "evaluation/explained/predictable.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/pace.h"
#include "data/scaling/scaler.h"
#include "evaluation/streams.h"
#include "kernels/symmetric_eigen.h"
#include "selectors/cover/greedy.h"
#include "selectors/cover/honest_r2.h"

namespace quickselection {
namespace {

// More rows than these are sampled. On very wide data fewer are enough: there are many features to
// average over.
constexpr std::size_t kMostRows = 512, kLeastRows = 32, kValues = std::size_t{64} << 20;
// Features among which `cover` chooses.
constexpr std::size_t kCandidates = 20'000;
// For each row; the values have the mean variance 1.
constexpr double kRidges[] = {0.001, 0.01, 0.1, 1, 10, 100};
// Smaller eigenvalues, relative to the largest, are rounding of 32-bit products.
constexpr double kRank = 1e-6;

std::vector<std::uint32_t> sample_rows(const Dataset& data) {
  const std::size_t count = std::clamp(kValues / data.features(), kLeastRows, kMostRows);
  if (data.rows() <= count) return {};
  const auto drawn =
      kernels::sample_distinct(data.rows(), count, stream_of(0, Stream::explained_rows, 0));
  return {drawn.begin(), drawn.end()};
}

}  // namespace

bool clearly_predicted(double together, std::size_t rows) {
  return together * std::sqrt(static_cast<double>(rows)) > 2;
}

Predictable::Predictable(const Dataset& data, Team& team, const RunContext& context)
    : data_(data),
      context_(context),
      team_(team),
      sample_(sample_rows(data)),
      scaler_(fit_scaler(data, sample_, ScaleMode::automatic, 0, team)),
      z_({&data, sample_, &scaler_}, Look::values, team, SIZE_MAX),
      rows_(z_.rows()) {
  const Pace pace("check", 1, context);
  const HonestR2 honest = honest_r2(z_, RidgeRule::least_error, pace);
  const auto squares = z_.squares();
  std::vector<float> weight;
  double all = 0, predicted = 0, squared = 0;
  for (std::size_t f = 0; f < data.features(); ++f) {
    const double w = std::clamp(honest.r2[f], 0.0, 1.0);
    weight_.push_back(w);
    weight.push_back(static_cast<float>(w));
    if (squares[f] > 0) varying_.push_back(static_cast<std::uint32_t>(f));
    all += squares[f];
    predicted += w * squares[f];
    squared += w * w * squares[f];
  }
  if (all > 0) predictable_ = predicted / all;
  if (predicted > 0) together_ = squared / predicted;

  std::vector<double> products(rows_ * rows_);
  for (std::size_t b = 0; b < z_.count(); ++b) {
    pace.check_stop();
    const Range in = z_.range(b);
    add_products(z_.block(b), rows_, in.size(), {weight.data() + in.begin, in.size()}, products,
                 team);
  }
  mirror(products, rows_);
  products_ = AlignedArray<float>(products.size());
  for (std::size_t i = 0; i < products.size(); ++i) products_[i] = static_cast<float>(products[i]);
  for (std::size_t i = 0; i < rows_; ++i) total_ += products[i * rows_ + i];
}

double Predictable::share(std::span<const std::uint32_t> chosen) const {
  return share_of_columns(data_.columns_of(chosen));
}

double Predictable::shared(std::span<const std::uint32_t> chosen) const {
  const auto columns = data_.columns_of(chosen);
  const auto squares = z_.squares();
  double own = 0;
  for (const std::uint32_t f : columns) own += weight_[f] * (1 - weight_[f]) * squares[f];
  return total_ > 0 ? share_of_columns(columns) - own / total_ : 0;
}

std::vector<std::uint32_t> Predictable::ranked_of(std::span<const std::uint32_t> columns) const {
  std::vector<std::uint32_t> ranked;
  std::vector<bool> seen(data_.groups.size());
  for (const std::uint32_t column : columns) {
    const auto after = std::upper_bound(
        data_.groups.begin(), data_.groups.end(), column,
        [](std::uint32_t c, const FeatureGroup& group) { return c < group.begin; });
    if (after == data_.groups.begin() || column >= std::prev(after)->end) {
      ranked.push_back(column);
      continue;
    }
    const auto group = static_cast<std::size_t>(std::prev(after) - data_.groups.begin());
    if (!seen[group]) ranked.push_back(data_.groups[group].begin);
    seen[group] = true;
  }
  return ranked;
}

double Predictable::share_of_columns(std::span<const std::uint32_t> chosen) const {
  const std::size_t n = rows_, k = chosen.size();
  if (!(total_ > 0) || k == 0) return 0;
  // Each chosen feature predicts as much as others predict of it. Without these weights features
  // of pure noise that were chosen on these rows would agree with the rest on these rows.
  AlignedArray<float> a(n * k);
  std::vector<double> own(n);  // M_ii without the chosen features: those are known
  for (std::size_t i = 0; i < n; ++i) {
    own[i] = products_[i * n + i];
    for (std::size_t j = 0; j < k; ++j) {
      const double value = std::sqrt(weight_[chosen[j]]) * z_.all().at(i, chosen[j]);
      a[i * k + j] = static_cast<float>(value);
      own[i] -= value * value;
    }
  }
  // A = U S V', from the smaller of A'A and AA'.
  const bool by_columns = k < n;
  const std::size_t size = by_columns ? k : n;
  AlignedArray<float> gram(size * size);
  kernels::gemm(size, size, by_columns ? n : k, 1, {a.data(), k, by_columns},
                {a.data(), k, !by_columns}, gram.data(), size, false);
  const auto eigen = kernels::symmetric_eigen(std::vector<double>(gram.begin(), gram.end()), size);
  std::size_t first = 0;
  while (first < size && !(eigen.values[first] > kRank * eigen.values.back())) ++first;
  const std::span values = std::span(eigen.values).subspan(first);
  const std::size_t rank = values.size();
  if (rank == 0) return 0;
  AlignedArray<float> u(n * rank), directions(by_columns ? k * rank : 0);
  for (std::size_t r = 0; r < rank; ++r)
    for (std::size_t i = 0; i < size; ++i) {
      const double value = eigen.vectors[(first + r) * size + i];
      if (by_columns)
        directions[i * rank + r] = static_cast<float>(value / std::sqrt(values[r]));
      else
        u[i * rank + r] = static_cast<float>(value);
    }
  if (by_columns)
    kernels::gemm(n, rank, k, 1, {a.data(), k}, {directions.data(), rank}, u.data(), rank, false);

  // T = MU and U'T, M being without the chosen features.
  AlignedArray<float> t(n * rank), inside(k * rank), both(rank * rank), shrunk(n * rank),
      along(n * rank);
  kernels::gemm(k, rank, n, 1, {a.data(), k, true}, {u.data(), rank}, inside.data(), rank, false);
  kernels::gemm(n, rank, n, 1, {products_.data(), n}, {u.data(), rank}, t.data(), rank, false);
  kernels::gemm(n, rank, k, -1, {a.data(), k}, {inside.data(), rank}, t.data(), rank, true);
  kernels::gemm(rank, rank, n, 1, {u.data(), rank, true}, {t.data(), rank}, both.data(), rank,
                false);

  const double mean_left_out = 1 - 1 / static_cast<double>(n);
  double least = 1e300;
  for (const double ridge : kRidges) {
    std::vector<double> shrink(rank);
    for (std::size_t r = 0; r < rank; ++r)
      shrink[r] = values[r] / (values[r] + ridge * static_cast<double>(n));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t r = 0; r < rank; ++r)
        shrunk[i * rank + r] = static_cast<float>(u[i * rank + r] * shrink[r]);
    kernels::gemm(n, rank, rank, 1, {shrunk.data(), rank}, {both.data(), rank}, along.data(), rank,
                  false);
    double error = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double hat = 0, missed = own[i];
      for (std::size_t r = i * rank; r < (i + 1) * rank; ++r) {
        hat += double{u[r]} * shrunk[r];
        missed += shrunk[r] * (double{along[r]} - 2 * double{t[r]});
      }
      const double left = std::max(mean_left_out - hat, 1e-6);
      error += std::max(missed, 0.0) / (left * left);
    }
    least = std::min(least, error);
  }
  return std::max(1 - least * mean_left_out * mean_left_out / total_, 0.0);
}

std::vector<std::uint32_t> Predictable::cover(std::size_t count) {
  const auto squares = z_.squares();
  std::vector<std::uint32_t> candidates = varying_;
  if (candidates.size() > kCandidates) {
    std::stable_sort(candidates.begin(), candidates.end(), [&](std::uint32_t a, std::uint32_t b) {
      return weight_[a] * squares[a] > weight_[b] * squares[b];
    });
    candidates.resize(kCandidates);
    std::sort(candidates.begin(), candidates.end());
  }
  ColumnMatrix some(rows_, candidates.size());
  std::vector<double> shared;
  double noise = 0;
  for (const std::uint32_t f : varying_)
    noise += (1 - weight_[f]) * squares[f] / static_cast<double>(varying_.size());
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    shared.push_back(weight_[candidates[c]]);
    for (std::size_t i = 0; i < rows_; ++i) some.set(i, c, z_.all().at(i, candidates[c]));
  }
  Pace pace("check", static_cast<double>(count), context_);
  std::vector<CoverPart> parts;
  parts.emplace_back(some, shared, candidates, CoverPart::Setting{rows_, noise}, team_, pace);
  return ranked_of(
      quickselection::cover(parts, weight_.size(), std::min(count, candidates.size()), pace).order);
}

}  // namespace quickselection
