// src/selectors/graph/lasso_path.cpp: see lasso_path.h.
#include "selectors/graph/lasso_path.h"

#include <algorithm>
#include <cmath>

namespace quickselection {
namespace {

// A column whose squared distance from the active ones is less than this share of its squared
// length depends on them: it can add nothing and would make the equations singular.
constexpr double kDependent = 1e-10;
// A path may lose and regain features; this many steps for each coefficient are plenty.
constexpr std::size_t kStepsEach = 40;

}  // namespace

LassoPath::LassoPath(std::vector<double> correlations, std::size_t most)
    : correlations_(std::move(correlations)),
      active_flag_(correlations_.size()),
      dependent_(correlations_.size()),
      most_(std::min(most, correlations_.size())) {
  for (std::size_t j = 0; j < correlations_.size(); ++j)
    if (std::abs(correlations_[j]) > penalty_) {
      penalty_ = std::abs(correlations_[j]);
      entering_ = j;
    }
  negligible_ = 1e-12 * penalty_;
  finished_ = entering_ == kNone || most_ == 0;
  factor_.resize(most_ * most_);
}

std::vector<double> LassoPath::coefficients() const {
  std::vector<double> all(correlations_.size());
  for (std::size_t i = 0; i < active_.size(); ++i) all[active_[i]] = coefficients_[i];
  return all;
}

void LassoPath::advance(const GramColumns& gram) {
  if (finished_) return;
  enter(gram);
  entering_ = kNone;
  while (!finished_ && entering_ == kNone) move(gram);
}

/// Row `size` of the Cholesky factor; false when the column depends on those before it.
bool LassoPath::extend_factor(std::size_t size, const GramColumns& gram) {
  const std::vector<double>& column = gram[active_[size]];
  double* row = factor_.data() + size * most_;
  double pivot = column[active_[size]];
  for (std::size_t i = 0; i < size; ++i) {
    const double* other = factor_.data() + i * most_;
    double sum = column[active_[i]];
    for (std::size_t j = 0; j < i; ++j) sum -= row[j] * other[j];
    row[i] = sum / other[i];
    pivot -= row[i] * row[i];
  }
  if (!(pivot > kDependent * column[active_[size]])) return false;
  row[size] = std::sqrt(pivot);
  return true;
}

bool LassoPath::enter(const GramColumns& gram) {
  const std::size_t size = active_.size();
  active_.push_back(static_cast<std::uint32_t>(entering_));
  if (!extend_factor(size, gram)) {
    active_.pop_back();
    dependent_[entering_] = true;
    return false;
  }
  coefficients_.push_back(0);
  active_flag_[entering_] = true;
  return true;
}

void LassoPath::remove(std::size_t place, const GramColumns& gram) {
  left_ = active_[place];
  active_flag_[left_] = false;
  active_.erase(active_.begin() + static_cast<long>(place));
  coefficients_.erase(coefficients_.begin() + static_cast<long>(place));
  for (std::size_t i = place; i < active_.size(); ++i) extend_factor(i, gram);
}

/// How the coefficients change while all active correlations fall at the same speed 1.
std::vector<double> LassoPath::direction() const {
  const std::size_t size = active_.size();
  std::vector<double> x(size);
  for (std::size_t i = 0; i < size; ++i) {
    double sum = correlations_[active_[i]] > 0 ? 1 : -1;
    for (std::size_t j = 0; j < i; ++j) sum -= factor_[i * most_ + j] * x[j];
    x[i] = sum / factor_[i * most_ + i];
  }
  for (std::size_t i = size; i-- > 0;) {
    for (std::size_t j = i + 1; j < size; ++j) x[i] -= factor_[j * most_ + i] * x[j];
    x[i] /= factor_[i * most_ + i];
  }
  return x;
}

/// To the next place where the set of active features changes.
void LassoPath::move(const GramColumns& gram) {
  const std::size_t features = correlations_.size();
  if (active_.empty()) {  // the first column was all zeros, which its correlation excludes
    finished_ = true;
    return;
  }
  const std::vector<double> step = direction();
  std::vector<double> speed(features);  // of the correlations
  for (std::size_t i = 0; i < active_.size(); ++i) {
    const std::vector<double>& column = gram[active_[i]];
    for (std::size_t j = 0; j < features; ++j) speed[j] += step[i] * column[j];
  }

  double length = penalty_;
  std::size_t joining = kNone, leaving = kNone;
  for (std::size_t j = 0; j < features; ++j) {
    if (active_flag_[j] || dependent_[j] || j == left_) continue;
    for (const double sign : {1.0, -1.0}) {
      const double closing = 1 - sign * speed[j];
      if (closing < 1e-12) continue;
      const double until = std::max(0.0, (penalty_ - sign * correlations_[j]) / closing);
      if (until < length) length = until, joining = j;
    }
  }
  for (std::size_t i = 0; i < active_.size(); ++i) {
    const double until = -coefficients_[i] / step[i];
    if (coefficients_[i] != 0 && until > 0 && until < length)
      length = until, leaving = i, joining = kNone;
  }
  left_ = kNone;

  for (std::size_t i = 0; i < active_.size(); ++i) coefficients_[i] += length * step[i];
  for (std::size_t j = 0; j < features; ++j) correlations_[j] -= length * speed[j];
  penalty_ = std::max(0.0, penalty_ - length);
  if (leaving != kNone) {
    remove(leaving, gram);
    finished_ = active_.empty();
  } else if (joining == kNone || penalty_ <= negligible_) {
    finished_ = true;  // least squares: nothing is left to explain
  } else if (active_.size() >= most_) {
    finished_ = true;
  } else {
    entering_ = joining;
  }
  if (++steps_ > kStepsEach * most_) finished_ = true;
}

}  // namespace quickselection
