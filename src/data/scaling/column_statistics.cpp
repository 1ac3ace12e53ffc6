// src/data/scaling/column_statistics.cpp: see column_statistics.h.
//
// Sums are of differences to the first row, which keeps them accurate when values are large and
// close together. Zeros are only counted, and added at the end: so sparse data, whose zeros are not
// stored, goes through the same sums in the same order as dense data.
#include "data/scaling/column_statistics.h"

#include <algorithm>
#include <cmath>

#include "core/processes/comm.h"
#include "core/processes/shard_sum.h"
#include "data/dataset/for_each_value.h"
#include "data/io/pages.h"

namespace quickselection {
namespace {

/// Columns handled together: their sums stay in the L1 cache while the rows stream past.
constexpr std::size_t kColumns = 256;
/// Rows handled together: all their columns are read before a mapped file's pages are given back.
constexpr std::size_t kBlockBytes = std::size_t{16} << 20;

struct Sums {
  std::vector<double> added;                // (3, I): those of a shard, then of all
  std::span<double> sum, squares, nonzero;  // (I), within `added`
  std::vector<double> shift, least, most;   // (I)

  explicit Sums(std::size_t n)
      : added(3 * n),
        sum(added.data(), n),
        squares(sum.data() + n, n),
        nonzero(squares.data() + n, n),
        shift(n),
        least(n),
        most(n) {}
};

/// The rows to look at: those given, or all.
struct RowList {
  std::span<const std::uint32_t> ids;
  std::size_t count;

  std::size_t operator[](std::size_t i) const { return ids.empty() ? i : ids[i]; }
};

double value_of(auto stored, std::span<const double> unit, std::size_t feature) {
  const double value = static_cast<double>(stored);
  return unit.empty() ? value : std::log1p(value / unit[feature]);
}

/// Adds rows [begin, end) of the list to the sums of columns [first, first + count).
template <class T>
void add_dense(const Dataset& data, const RowList& rows, std::size_t begin, std::size_t end,
               std::span<const double> unit, std::size_t first, std::size_t count, Sums& sums) {
  double* const shift = sums.shift.data() + first;
  double* const sum = sums.sum.data() + first;
  double* const squares = sums.squares.data() + first;
  double* const nonzero = sums.nonzero.data() + first;
  double* const least = sums.least.data() + first;
  double* const most = sums.most.data() + first;
  for (std::size_t r = begin; r < end; ++r) {
    const T* row = dense_row<T>(data, rows[r]) + first;
    for (std::size_t i = 0; i < count; ++i) {
      const double value = value_of(row[i], unit, first + i);
      const bool counts = value != 0;
      const double difference = counts ? value - shift[i] : 0.0;
      sum[i] += difference;
      squares[i] += difference * difference;
      nonzero[i] += counts ? 1.0 : 0.0;
      least[i] = std::min(least[i], value);
      most[i] = std::max(most[i], value);
    }
  }
}

template <class T>
void add_sparse(const SparseView& values, const RowList& rows, Range which,
                std::span<const double> unit, Range columns, Sums& sums) {
  for (std::size_t r = which.begin; r < which.end; ++r)
    for_each_stored<T>(values, rows[r], columns, [&](std::size_t f, T stored) {
      const double value = value_of(stored, unit, f);
      if (value == 0) return;
      const double difference = value - sums.shift[f];
      sums.sum[f] += difference;
      sums.squares[f] += difference * difference;
      sums.nonzero[f] += 1;
      sums.least[f] = std::min(sums.least[f], value);
      sums.most[f] = std::max(sums.most[f], value);
    });
}

/// The first row of all shards: what sums are differences to, and the first extremes.
void begin_with_first(const Dataset& data, const RowList& rows, std::span<const double> unit,
                      Sums& sums) {
  visit_type(data.type(), [&]<class T>() {
    for_each_value<T>(data, {rows[0], rows[0] + 1}, {0, data.features()},
                      [&](std::size_t, std::size_t f, T stored) {
                        sums.shift[f] = sums.least[f] = sums.most[f] = value_of(stored, unit, f);
                      });
  });
}

/// The sums of these rows of the list.
void add_rows(const Dataset& data, const RowList& rows, Range which, std::span<const double> unit,
              Team& team, Sums& sums) {
  const std::size_t features = data.features();
  std::fill(sums.added.begin(), sums.added.end(), 0.0);
  visit_type(data.type(), [&]<class T>() {
    if (data.is_sparse()) {
      team.run([&](int member) {
        add_sparse<T>(data.sparse(), rows, which, unit, share(features, member, team.size()), sums);
      });
      return;
    }
    const std::size_t block = std::max<std::size_t>(1, kBlockBytes / data.values().row_bytes);
    for (std::size_t begin = which.begin; begin < which.end; begin += block) {
      const std::size_t end = std::min(which.end, begin + block);
      team.run([&](int member) {
        const Range mine = share(features, member, team.size());
        for (std::size_t f = mine.begin; f < mine.end; f += kColumns)
          add_dense<T>(data, rows, begin, end, unit, f, std::min(kColumns, mine.end - f), sums);
      });
      if (rows.ids.empty()) release_rows(data, begin, end);
    }
  });
}

}  // namespace

ColumnStatistics column_statistics(const Dataset& data, std::span<const std::uint32_t> ids,
                                   std::span<const double> unit, Team& team, std::size_t shards) {
  const RowList rows{ids, ids.empty() ? data.rows() : ids.size()};
  Sums sums(data.features());
  begin_with_first(data, rows, unit, sums);
  if (shards == 0 || (shards == 1 && comm::size() == 1)) {
    add_rows(data, rows, {0, rows.count}, unit, team, sums);
  } else {
    ShardSum all(shards, {}, sums.added);
    const Range own = own_shards(shards);
    for (std::size_t s = own.begin; s < own.end; ++s) {
      add_rows(data, rows, rows_of_shard(rows.count, s, shards), unit, team, sums);
      team.run([&](int member) { all.add(member, team, s - own.begin); });
    }
    team.run([&](int member) { all.finish(member, team); });
    comm::least(sums.least);
    comm::most(sums.most);
  }
  ColumnStatistics found;
  const double n = static_cast<double>(rows.count);
  for (std::size_t f = 0; f < data.features(); ++f) {
    const double zeros = n - sums.nonzero[f], shift = sums.shift[f];
    if (zeros > 0) {
      sums.least[f] = std::min(sums.least[f], 0.0);
      sums.most[f] = std::max(sums.most[f], 0.0);
    }
    const double center = (sums.sum[f] - zeros * shift) / n;
    const double square = (sums.squares[f] + zeros * shift * shift) / n;
    sums.sum[f] = shift + center;
    // Equal values must give exactly 0, whatever rounding did.
    sums.squares[f] = sums.least[f] == sums.most[f] ? 0.0 : std::max(square - center * center, 0.0);
  }
  found.mean.assign(sums.sum.begin(), sums.sum.end());
  found.variance.assign(sums.squares.begin(), sums.squares.end());
  found.least = std::move(sums.least);
  found.most = std::move(sums.most);
  return found;
}

}  // namespace quickselection
