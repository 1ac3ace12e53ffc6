// src/selectors/graph/products.cpp: see products.h.
#include "selectors/graph/products.h"

#include <algorithm>

namespace quickselection {
namespace {

// Rows taken together: each sum is loaded and stored once for all of them.
constexpr std::size_t kRows = 4;
// Sums of one pass; they stay in the L2 cache while the rows stream past.
constexpr std::size_t kSums = 16384;

/// sums += a weighted sum of kRows rows, added one after the other, so that rounding does not
/// depend on which features are summed together.
void add_rows(const float* rows, std::size_t width, const double* weights, double* sums) {
  const float *a = rows, *b = a + width, *c = b + width, *d = c + width;
  for (std::size_t j = 0; j < width; ++j)
    sums[j] = (((sums[j] + weights[0] * a[j]) + weights[1] * b[j]) + weights[2] * c[j]) +
              weights[3] * d[j];
}

}  // namespace

std::vector<double> products(const RowReader& data, std::span<const double> vectors, Team& team,
                             const Pace& pace) {
  const std::size_t rows = data.rows(), features = data.columns(), count = vectors.size() / rows;
  std::vector<double> out(count * features);
  if (count == 0) return out;
  const std::size_t parts = static_cast<std::size_t>(team.size());
  const std::size_t width =
      std::min((features + parts - 1) / parts, std::max<std::size_t>(64, kSums / count));
  team.for_each((features + width - 1) / width, [&](std::size_t block) {
    const Range mine{block * width, std::min(features, (block + 1) * width)};
    std::vector<float> values(kRows * mine.size());
    for (std::size_t begin = 0; begin < rows; begin += kRows) {
      if (pace.stopping()) return;
      const std::size_t length = std::min(kRows, rows - begin);
      for (std::size_t r = 0; r < length; ++r)
        data.read(begin + r, mine, values.data() + r * mine.size());
      for (std::size_t v = 0; v < count; ++v) {
        double weights[kRows] = {};  // 0 for the rows that the last few lack
        std::copy_n(vectors.data() + v * rows + begin, length, weights);
        add_rows(values.data(), mine.size(), weights, out.data() + v * features + mine.begin);
      }
    }
  });
  pace.check_stop();
  return out;
}

}  // namespace quickselection
