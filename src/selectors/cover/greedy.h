// src/selectors/cover/greedy.h: features chosen one by one, each for what it tells of all the
// others.
//
// The model: a feature is a signal that it shares with others, of variance w_j var_j, and noise of
// its own. Signals have the covariance S = Y'Y, Y being the features times sqrt(w). Seeing feature
// i with noise N leaves of it S - S_i S_i' / (S_ii + N), so the best choice has the largest |S_i|^2
// / (S_ii + N).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/pace.h"
#include "selectors/cover/columns.h"

namespace quickselection {

/// One view of the features: their values, or their magnitudes.
class CoverPart {
 public:
  struct Setting {
    std::size_t rows;             ///< of the data; a matrix may have fewer with the same products
    double noise;                 ///< N, a sum over the rows
    double unit = 1;              ///< what gains are multiplied by
    std::size_t kept = SIZE_MAX;  ///< columns that may be chosen, when not all can be kept
    std::size_t picks = 0;        ///< how many will be chosen then: their room is taken at once
  };

  /// `shared` is w, one for each column; `features` says which features the columns are. The matrix
  /// must outlive it.
  CoverPart(const ColumnMatrix& matrix, std::span<const double> shared,
            std::vector<std::uint32_t> features, const Setting& setting, Team& team,
            const Pace& pace);
  /// All features of the data.
  CoverPart(Columns& columns, std::span<const double> shared, const Setting& setting, Team& team,
            const Pace& pace);

  /// Everything is still to be explained.
  void begin();
  /// total[f] += what choosing feature f explains. From sums in single precision, which go on from
  /// choice to choice.
  void add_gains(std::span<double> total) const;
  /// The same for some features, anew and in double precision.
  void add_exact_gains(std::span<const std::uint32_t> some, std::span<double> total) const;
  /// Whether any free feature explains more than chance would with so few rows.
  bool tells(std::span<const char> free) const;
  /// Feature f is chosen; nothing happens when it is not among the columns.
  void choose(std::uint32_t f);

 private:
  template <class Source>
  void prepare(Source& source, std::span<const double> shared, const Pace& pace);
  const ColumnMatrix& matrix() const { return given_ != nullptr ? *given_ : own_; }
  /// Which column feature f is; that of none is SIZE_MAX.
  std::size_t column_of(std::uint32_t f) const;
  /// What is left of column c: (rows).
  std::vector<double> left_of(std::size_t c) const;
  /// pairs (2, columns) = [q; v] R, R being what is left of Y.
  void left_products(std::span<const double> q, std::span<const double> v);

  const Setting setting_;
  Team& team_;
  const ColumnMatrix* given_ = nullptr;
  ColumnMatrix own_;
  std::size_t size_ = 0;                       // rows of the matrix
  std::vector<std::uint32_t> features_;        // of each column, ascending
  std::vector<float> weight_;                  // sqrt(w)
  std::vector<double> start_, first_, pull0_;  // YY', |y|^2, |y'Y|^2
  std::vector<double> left_, length_, pull_;   // the same of what is left
  double freedom_ = 0, trace_ = 0;
  std::vector<double> chosen_;  // (picks, rows): q
  std::vector<double> steps_;   // (picks): what is left of a column y is y - step (q'y) q
  std::vector<float> taken_;    // (picks, columns): a; R = Y - sum q a'
  std::vector<float> pairs_;    // (2, columns)
};

/// `count` features in order, or fewer when nothing is left to tell them apart. When no feature
/// explains more than chance, a new round begins from the start over the features that are left.
struct Covered {
  std::vector<std::uint32_t> order;
  std::vector<double> alone;  ///< (I): what each explains as the first one
  std::size_t rounds = 0;
};
Covered cover(std::span<CoverPart> parts, std::size_t features, std::size_t count, Pace& pace);

}  // namespace quickselection
