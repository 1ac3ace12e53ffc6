// src/selectors/cover/columns.cpp: see columns.h.
#include "selectors/cover/columns.h"

#include <algorithm>
#include <cmath>

#include "kernels/gemm.h"

namespace quickselection {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{16} << 20;
constexpr std::size_t kRowsAtOnce = 64;
// What centring leaves of a column of equal floats, relative to its scaled values' size of about 1.
constexpr double kNothing = 1e-10;

}  // namespace

std::size_t ColumnMatrix::width_of(std::size_t rows) {
  const std::size_t fits = kBlockBytes / sizeof(float) / std::max<std::size_t>(rows, 1);
  return std::clamp<std::size_t>(fits / 64 * 64, 64, 16384);
}

ColumnMatrix::ColumnMatrix(std::size_t row_count, std::size_t column_count)
    : rows(row_count), columns(column_count), width(width_of(row_count)) {
  for (std::size_t b = 0; b < count(); ++b) blocks.emplace_back(rows * range(b).size());
}

Columns::Columns(const RowsView& from, Look look, Team& team, std::size_t kept)
    : reader_(from), look_(look), team_(team), squares_(reader_.columns()) {
  const std::size_t bytes = rows() * columns() * sizeof(float);
  shape_.rows = rows();
  shape_.columns = columns();
  // With more rows than columns all are needed at once, and few.
  shape_.width = rows() > columns() ? columns() : ColumnMatrix::width_of(rows());
  if (bytes <= kept || rows() > columns()) {
    for (std::size_t b = 0; b < count(); ++b) {
      AlignedArray<float> one(rows() * range(b).size());
      read(b, one.data());
      shape_.blocks.push_back(std::move(one));
    }
  } else {
    passing_ = AlignedArray<float>(rows() * shape_.width);
  }
}

void Columns::read(std::size_t b, float* out) {
  read(reader_, range(b), out, squares_.data() + range(b).begin);
}

void Columns::read(const RowReader& from, Range in, float* out, double* squares) {
  const std::size_t width = in.size(), n = rows();
  team_.for_each((n + kRowsAtOnce - 1) / kRowsAtOnce, [&](std::size_t part) {
    for (std::size_t i = part * kRowsAtOnce; i < std::min(n, (part + 1) * kRowsAtOnce); ++i)
      from.read(i, in, out + i * width);
  });
  const auto centre = [&](Range mine) {
    std::vector<double> mean(mine.size());
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = mine.begin; j < mine.end; ++j)
        mean[j - mine.begin] += out[i * width + j];
    for (double& m : mean) m /= static_cast<double>(n);
    std::fill(squares + mine.begin, squares + mine.end, 0.0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = mine.begin; j < mine.end; ++j) {
        float& x = out[i * width + j];
        x = static_cast<float>(x - mean[j - mine.begin]);
        squares[j] += double{x} * x;
      }
  };
  constexpr std::size_t kAtOnce = 64;
  team_.for_each((width + kAtOnce - 1) / kAtOnce, [&](std::size_t part) {
    const Range mine{part * kAtOnce, std::min(width, (part + 1) * kAtOnce)};
    centre(mine);
    std::vector<float> factor(mine.size(), 1.0f);
    if (look_ == Look::magnitudes) {
      const std::vector<double> before(squares + mine.begin, squares + mine.end);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = mine.begin; j < mine.end; ++j)
          out[i * width + j] = std::fabs(out[i * width + j]);
      centre(mine);
      for (std::size_t j = mine.begin; j < mine.end; ++j) {
        const double now = squares[j], old = before[j - mine.begin];
        // Two values of equal frequency have equal distances from their mean.
        if (now > 1e-6 * old) factor[j - mine.begin] = static_cast<float>(std::sqrt(old / now));
        squares[j] = now > 1e-6 * old ? old : 0;
      }
    }
    for (std::size_t j = mine.begin; j < mine.end; ++j)
      if (squares[j] <= kNothing * static_cast<double>(n)) {
        squares[j] = 0;
        factor[j - mine.begin] = 0;
      }
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = mine.begin; j < mine.end; ++j)
        out[i * width + j] *= factor[j - mine.begin];
  });
}

const float* Columns::block(std::size_t b) {
  if (kept()) return shape_.blocks[b].data();
  read(b, passing_.data());
  return passing_.data();
}

ColumnMatrix Columns::gather(std::span<const std::uint32_t> some) {
  ColumnMatrix result(rows(), some.size());
  std::vector<double> squares(some.size());
  for (std::size_t b = 0; b < result.count(); ++b) {
    const Range in = result.range(b);
    if (kept()) {
      for (std::size_t i = 0; i < rows(); ++i)
        for (std::size_t c = in.begin; c < in.end; ++c) result.set(i, c, shape_.at(i, some[c]));
    } else {
      const RowReader listed(reader_.from(), some.subspan(in.begin, in.size()));
      read(listed, {0, in.size()}, result.blocks[b].data(), squares.data() + in.begin);
    }
  }
  return result;
}

void add_products(const float* block, std::size_t rows, std::size_t columns,
                  std::span<const float> weight, std::vector<double>& sum, Team& team) {
  // Fixed pieces of columns: their float sums are short, and added up in double precision.
  constexpr std::size_t kPiece = 256, kStripe = 256;
  const std::size_t stripes = (rows + kStripe - 1) / kStripe;
  AlignedArray<float> scaled;
  if (!weight.empty()) {
    scaled = AlignedArray<float>(rows * columns);
    team.for_each(stripes, [&](std::size_t s) {
      for (std::size_t i = s * kStripe; i < std::min(rows, (s + 1) * kStripe); ++i)
        for (std::size_t j = 0; j < columns; ++j)
          scaled[i * columns + j] = block[i * columns + j] * weight[j];
    });
  }
  const float* const left = weight.empty() ? block : scaled.data();
  team.for_each(stripes, [&](std::size_t s) {
    const std::size_t begin = s * kStripe, end = std::min(rows, begin + kStripe);
    AlignedArray<float> product((end - begin) * end);
    for (std::size_t first = 0; first < columns; first += kPiece) {
      kernels::gemm(end - begin, end, std::min(kPiece, columns - first), 1,
                    {left + begin * columns + first, columns}, {block + first, columns, true},
                    product.data(), end, false);
      for (std::size_t i = begin; i < end; ++i)
        for (std::size_t j = 0; j <= i; ++j) sum[i * rows + j] += product[(i - begin) * end + j];
    }
  });
}

void mirror(std::vector<double>& lower, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < i; ++j) lower[j * size + i] = lower[i * size + j];
}

void multiply(std::size_t m, std::size_t n, std::size_t k, kernels::Factor a, kernels::Factor b,
              float* c, Team& team) {
  constexpr std::size_t kRows = 256;
  team.for_each((m + kRows - 1) / kRows, [&](std::size_t part) {
    const std::size_t begin = part * kRows;
    kernels::Factor mine = a;
    mine.data += a.transposed ? begin : begin * a.stride;
    kernels::gemm(std::min(kRows, m - begin), n, k, 1, mine, b, c + begin * n, n, false);
  });
}

}  // namespace quickselection
