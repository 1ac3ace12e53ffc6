// src/selectors/cover/columns.h: scaled rows as blocks of centred columns, for products with them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/aligned.h"
#include "core/team.h"
#include "data/scaling/row_reader.h"
#include "kernels/gemm.h"

namespace quickselection {

/// A matrix cut into blocks of columns, each (rows, its columns).
struct ColumnMatrix {
  std::size_t rows = 0, columns = 0, width = 1;
  std::vector<AlignedArray<float>> blocks;

  ColumnMatrix() = default;
  ColumnMatrix(std::size_t row_count, std::size_t column_count);

  static std::size_t width_of(std::size_t rows);
  std::size_t count() const { return (columns + width - 1) / width; }
  Range range(std::size_t block) const {
    return {block * width, std::min(columns, (block + 1) * width)};
  }
  const float* block(std::size_t b) const { return blocks[b].data(); }
  float at(std::size_t row, std::size_t column) const {
    const Range in = range(column / width);
    return blocks[column / width][row * in.size() + column - in.begin];
  }
  void set(std::size_t row, std::size_t column, float value) {
    const Range in = range(column / width);
    blocks[column / width][row * in.size() + column - in.begin] = value;
  }
};

enum class Look : std::uint8_t {
  values,
  magnitudes,  ///< the distance from the mean, at the variance of the values
};

/// Rows of a data set, scaled, each column centred on these rows. Kept when they are small enough,
/// otherwise read again whenever they are needed.
class Columns {
 public:
  /// What may be kept, in bytes.
  static constexpr std::size_t kKept = 250'000'000;

  Columns(const RowsView& from, Look look, Team& team, std::size_t kept = kKept);

  std::size_t rows() const { return reader_.rows(); }
  std::size_t columns() const { return reader_.columns(); }
  std::size_t count() const { return shape_.count(); }
  Range range(std::size_t block) const { return shape_.range(block); }
  bool kept() const { return !shape_.blocks.empty(); }
  const ColumnMatrix& all() const { return shape_; }  ///< when kept

  /// (rows, columns of the block); valid until the next call.
  const float* block(std::size_t b);
  /// The sum of squares of each column, 0 when it is all rounding. Known once every block was asked
  /// for.
  std::span<const double> squares() const { return squares_; }
  /// Some columns, in ascending order.
  ColumnMatrix gather(std::span<const std::uint32_t> some);

  Team& team() { return team_; }

 private:
  void read(std::size_t b, float* out);
  void read(const RowReader& from, Range in, float* out, double* squares);

  RowReader reader_;
  Look look_;
  Team& team_;
  ColumnMatrix shape_;
  AlignedArray<float> passing_;
  std::vector<double> squares_;  // (I)
};

/// sum (m, m) += scale-weighted products of a block's rows: block diag(weight) block', the lower
/// half only. No weights = 1.
void add_products(const float* block, std::size_t rows, std::size_t columns,
                  std::span<const float> weight, std::vector<double>& sum, Team& team);
void mirror(std::vector<double>& lower, std::size_t size);

/// c (m, n) = a (m, k) b (k, n), rows shared by the team in fixed blocks.
void multiply(std::size_t m, std::size_t n, std::size_t k, kernels::Factor a, kernels::Factor b,
              float* c, Team& team);

}  // namespace quickselection
