// src/selectors/cover/greedy.cpp: see greedy.h.
//
// Nothing of the size of S is ever formed. With R what is left of Y, all that a choice needs is
// |R_j|^2 and |R_j'R|^2 for each j, and both follow from R'q and R'(RR')q for the chosen q = R_i:
// one product with Y for each choice. R turns into (I - a qq') R with (I - a qq')^2 =
// I - qq' / (q'q + N).
#include "selectors/cover/greedy.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

#include "kernels/gemm.h"

namespace quickselection {
namespace {

// Less than this of a column's own length is rounding.
constexpr double kRounding = 1e-6;
// Gains that differ by less than this share of the largest first one are compared again in double
// precision; so many at most.
constexpr double kUnsure = 1e-5;
constexpr std::size_t kMostUnsure = 8;

double dot(std::span<const double> a, const double* b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

CoverPart::CoverPart(const ColumnMatrix& matrix, std::span<const double> shared,
                     std::vector<std::uint32_t> features, const Setting& setting, Team& team,
                     const Pace& pace)
    : setting_(setting), team_(team), given_(&matrix), features_(std::move(features)) {
  prepare(matrix, shared, pace);
  begin();
}

CoverPart::CoverPart(Columns& columns, std::span<const double> shared, const Setting& setting,
                     Team& team, const Pace& pace)
    : setting_(setting), team_(team), features_(columns.columns()) {
  std::iota(features_.begin(), features_.end(), 0u);
  prepare(columns, shared, pace);
  if (columns.kept()) {
    given_ = &columns.all();
  } else {
    // The columns that explain most by themselves, in their own order.
    std::vector<std::uint32_t> best = features_;
    std::vector<double> gains(best.size());
    add_gains(gains);
    std::stable_sort(best.begin(), best.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return gains[a] > gains[b]; });
    best.resize(std::min(best.size(), setting.kept));
    std::sort(best.begin(), best.end());
    own_ = columns.gather(best);
    for (std::size_t c = 0; c < best.size(); ++c) {
      weight_[c] = weight_[best[c]];
      first_[c] = first_[best[c]];
      pull0_[c] = pull0_[best[c]];
    }
    weight_.resize(best.size());
    first_.resize(best.size());
    pull0_.resize(best.size());
    features_ = std::move(best);
    taken_.reserve(setting.picks * features_.size());
  }
  begin();
}

template <class Source>
void CoverPart::prepare(Source& source, std::span<const double> shared, const Pace& pace) {
  size_ = 0;
  if constexpr (std::is_same_v<std::remove_const_t<Source>, Columns>)
    size_ = source.rows();
  else
    size_ = source.rows;
  const std::size_t columns = features_.size();
  start_.assign(size_ * size_, 0.0);
  first_.assign(columns, 0.0);
  pull0_.assign(columns, 0.0);
  for (const double w : shared) weight_.push_back(static_cast<float>(std::sqrt(w)));
  std::vector<float> squared(weight_);
  for (float& w : squared) w *= w;
  for (std::size_t b = 0; b < source.count(); ++b) {
    pace.check_stop();
    const Range in = source.range(b);
    add_products(source.block(b), size_, in.size(), {squared.data() + in.begin, in.size()}, start_,
                 team_);
  }
  mirror(start_, size_);
  const std::vector<float> narrow(start_.begin(), start_.end());
  AlignedArray<float> product(size_ * (source.count() > 0 ? source.range(0).size() : 0));
  for (std::size_t b = 0; b < source.count(); ++b) {
    pace.check_stop();
    const Range in = source.range(b);
    const float* const values = source.block(b);
    multiply(size_, in.size(), size_, {narrow.data(), size_}, {values, in.size()}, product.data(),
             team_);
    constexpr std::size_t kAtOnce = 64;
    team_.for_each((in.size() + kAtOnce - 1) / kAtOnce, [&](std::size_t part) {
      const std::size_t begin = part * kAtOnce, end = std::min(in.size(), begin + kAtOnce);
      for (std::size_t i = 0; i < size_; ++i)
        for (std::size_t j = begin; j < end; ++j) {
          const double value = values[i * in.size() + j];
          first_[in.begin + j] += value * value;
          pull0_[in.begin + j] += value * product[i * in.size() + j];
        }
      for (std::size_t j = in.begin + begin; j < in.begin + end; ++j) {
        first_[j] *= squared[j];
        pull0_[j] *= squared[j];
      }
    });
  }
  length_ = first_;
  pull_ = pull0_;
}

void CoverPart::begin() {
  left_ = start_;
  length_ = first_;
  pull_ = pull0_;
  freedom_ = static_cast<double>(setting_.rows) - 1;
  trace_ = 0;
  for (std::size_t i = 0; i < size_; ++i) trace_ += left_[i * size_ + i];
  chosen_.clear();
  steps_.clear();
  taken_.clear();
}

std::size_t CoverPart::column_of(std::uint32_t f) const {
  const auto at = std::lower_bound(features_.begin(), features_.end(), f);
  if (at == features_.end() || *at != f) return SIZE_MAX;
  return static_cast<std::size_t>(at - features_.begin());
}

std::vector<double> CoverPart::left_of(std::size_t c) const {
  std::vector<double> q(size_);
  for (std::size_t i = 0; i < size_; ++i) q[i] = double{matrix().at(i, c)} * weight_[c];
  for (std::size_t p = 0; p < steps_.size(); ++p) {
    const double* const before = chosen_.data() + p * size_;
    const double along = steps_[p] * dot(q, before);
    for (std::size_t i = 0; i < size_; ++i) q[i] -= along * before[i];
  }
  return q;
}

void CoverPart::add_exact_gains(std::span<const std::uint32_t> some,
                                std::span<double> total) const {
  team_.for_each(some.size(), [&](std::size_t s) {
    const std::size_t c = column_of(some[s]);
    if (c == SIZE_MAX) return;
    const std::vector<double> q = left_of(c);
    const double length = dot(q, q.data());
    if (!(length > kRounding * first_[c])) return;
    double pull = 0;
    for (std::size_t i = 0; i < size_; ++i) pull += q[i] * dot(q, left_.data() + i * size_);
    total[s] += setting_.unit * pull / (length + setting_.noise);
  });
}

void CoverPart::add_gains(std::span<double> total) const {
  for (std::size_t c = 0; c < features_.size(); ++c)
    if (length_[c] > kRounding * first_[c] && pull_[c] > 0)
      total[features_[c]] += setting_.unit * pull_[c] / (length_[c] + setting_.noise);
}

bool CoverPart::tells(std::span<const char> free) const {
  const double chance = trace_ / std::max(freedom_, 1.0);
  for (std::size_t c = 0; c < features_.size(); ++c)
    if (free[features_[c]] != 0 && length_[c] > kRounding * first_[c] &&
        pull_[c] > length_[c] * chance)
      return true;
  return false;
}

void CoverPart::left_products(std::span<const double> q, std::span<const double> v) {
  const std::size_t columns = features_.size(), picks = steps_.size();
  std::vector<float> both(2 * size_), along(2 * picks);
  for (std::size_t i = 0; i < size_; ++i) {
    both[i] = static_cast<float>(q[i]);
    both[size_ + i] = static_cast<float>(v[i]);
  }
  for (std::size_t p = 0; p < picks; ++p) {
    double on_q = 0, on_v = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      on_q += q[i] * chosen_[p * size_ + i];
      on_v += v[i] * chosen_[p * size_ + i];
    }
    along[p] = static_cast<float>(on_q);
    along[picks + p] = static_cast<float>(on_v);
  }
  pairs_.resize(2 * columns);
  const ColumnMatrix& y = matrix();
  team_.for_each(y.count(), [&](std::size_t b) {
    const Range in = y.range(b);
    kernels::gemm(2, in.size(), size_, 1, {both.data(), size_}, {y.block(b), in.size()},
                  pairs_.data() + in.begin, columns, false);
    for (std::size_t j = in.begin; j < in.end; ++j) {
      pairs_[j] *= weight_[j];
      pairs_[columns + j] *= weight_[j];
    }
    if (picks > 0)
      kernels::gemm(2, in.size(), picks, -1, {along.data(), picks},
                    {taken_.data() + in.begin, columns}, pairs_.data() + in.begin, columns, true);
  });
}

void CoverPart::choose(std::uint32_t f) {
  const std::size_t c = column_of(f);
  if (c == SIZE_MAX) return;
  const std::size_t columns = features_.size();
  const std::vector<double> q = left_of(c);
  std::vector<double> v(size_);
  const double length = dot(q, q.data());
  if (!(length > kRounding * first_[c])) return;
  team_.run([&](int member) {
    const Range mine = share(size_, member, team_.size());
    for (std::size_t i = mine.begin; i < mine.end; ++i) v[i] = dot(q, left_.data() + i * size_);
  });
  left_products(q, v);
  const double step = 1 / (length + setting_.noise);
  const double a = (1 - std::sqrt(std::max(1 - length * step, 0.0))) / length;
  const double on_both = dot(q, v.data());
  for (std::size_t j = 0; j < columns; ++j) {
    const double on_q = pairs_[j], on_v = pairs_[columns + j];
    pull_[j] += -2 * step * on_q * on_v + step * step * on_q * on_q * on_both;
    length_[j] = std::max(length_[j] - step * on_q * on_q, 0.0);
  }
  for (std::size_t j = 0; j < columns; ++j) taken_.push_back(static_cast<float>(a * pairs_[j]));
  chosen_.insert(chosen_.end(), q.begin(), q.end());
  steps_.push_back(a);
  team_.run([&](int member) {
    const Range mine = share(size_, member, team_.size());
    for (std::size_t i = mine.begin; i < mine.end; ++i)
      for (std::size_t j = 0; j < size_; ++j)
        left_[i * size_ + j] -= a * (v[i] * q[j] + q[i] * v[j]) - a * a * on_both * q[i] * q[j];
  });
  freedom_ -= step * length;
  trace_ = 0;
  for (std::size_t i = 0; i < size_; ++i) trace_ += left_[i * size_ + i];
}

namespace {

/// The free feature with the largest gain; features.size() when there is none. Where rounding might
/// decide, which differs with the order of the columns and between machines, gains are found again.
std::size_t best_free(std::span<const CoverPart> parts, std::span<const double> gains,
                      std::span<const char> free, double unsure) {
  std::size_t best = gains.size();
  for (std::size_t f = 0; f < gains.size(); ++f)
    if (free[f] != 0 && (best == gains.size() || gains[f] > gains[best])) best = f;
  if (best == gains.size()) return best;
  std::vector<std::uint32_t> near;
  for (std::size_t f = 0; f < gains.size(); ++f)
    if (free[f] != 0 && gains[f] > 0 && gains[f] >= gains[best] - unsure)
      near.push_back(static_cast<std::uint32_t>(f));
  if (near.size() < 2) return best;
  std::stable_sort(near.begin(), near.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return gains[a] > gains[b]; });
  near.resize(std::min(near.size(), kMostUnsure));
  std::sort(near.begin(), near.end());
  std::vector<double> exact(near.size());
  for (const CoverPart& part : parts) part.add_exact_gains(near, exact);
  return near[static_cast<std::size_t>(std::max_element(exact.begin(), exact.end()) -
                                       exact.begin())];
}

}  // namespace

Covered cover(std::span<CoverPart> parts, std::size_t features, std::size_t count, Pace& pace) {
  Covered result;
  result.alone.resize(features);
  for (const CoverPart& part : parts) part.add_gains(result.alone);
  std::vector<char> free(features, 1);
  std::size_t in_round = 0;
  std::vector<double> gains(features);
  const double unsure =
      kUnsure * (features > 0 ? *std::max_element(result.alone.begin(), result.alone.end()) : 0);
  while (result.order.size() < count) {
    pace.check_stop();
    const bool more = std::any_of(parts.begin(), parts.end(),
                                  [&](const CoverPart& part) { return part.tells(free); });
    if (!more) {
      if (in_round == 0) break;
      for (CoverPart& part : parts) part.begin();
      in_round = 0;
      ++result.rounds;
      continue;
    }
    std::fill(gains.begin(), gains.end(), 0.0);
    for (const CoverPart& part : parts) part.add_gains(gains);
    const std::size_t best = best_free(parts, gains, free, unsure);
    if (best == features) break;
    free[best] = 0;
    ++in_round;
    for (CoverPart& part : parts) part.choose(static_cast<std::uint32_t>(best));
    result.order.push_back(static_cast<std::uint32_t>(best));
    pace.advance(1);
  }
  return result;
}

}  // namespace quickselection
