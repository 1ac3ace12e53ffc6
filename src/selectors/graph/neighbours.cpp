// src/selectors/graph/neighbours.cpp: see neighbours.h.
#include "selectors/graph/neighbours.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>

#include "core/aligned.h"
#include "core/pace.h"
#include "kernels/distances.h"

namespace quickselection {
namespace {

using kernels::kTileRows;

// A query block is read once, the centres once for each query block: large blocks save reading,
// small ones spread over the threads. A block of centres stays in the L2 cache.
constexpr std::size_t kQueryRows = 1024, kQueryBytes = std::size_t{1} << 24;
constexpr std::size_t kCenterRows = 256, kCenterBytes = std::size_t{1} << 18;
// Features summed at once in 32 bits: 16 rows of them fit the L1 cache, and it keeps the error low.
constexpr std::size_t kRun = 448;
// Candidates that wait until they are measured together, the most promising first.
constexpr std::size_t kWaiting = 32;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Candidate {
  float least;  ///< no more than the distance, in the units of the search
  std::uint32_t row;
};

/// Sums in a fixed order, in several lanes because one would wait for itself.
double sum_of(std::size_t n, const auto& term) {
  constexpr std::size_t kLanes = 4;
  double sums[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += term(i + lane);
  for (; i < n; ++i) sums[0] += term(i);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

double product(const float* a, const float* b, std::size_t n) {
  return sum_of(n, [=](std::size_t i) { return double{a[i]} * b[i]; });
}

double distance(Metric metric, const float* a, const float* b, std::size_t n) {
  if (metric == Metric::euclidean)
    return sum_of(n, [=](std::size_t i) {
      const double difference = double{a[i]} - b[i];
      return difference * difference;
    });
  const double lengths = product(a, a, n) * product(b, b, n);
  return lengths > 0 ? std::max(0.0, 1 - product(a, b, n) / std::sqrt(lengths)) : 1.0;
}

/// What all threads share: how rows are moved and scaled for the 32-bit search.
class Space {
 public:
  Space(const RowReader& data, Metric metric, Team& team)
      : data_(data),
        metric_(metric),
        origin_(data.columns()),
        factors_(data.rows()),
        halves_(data.rows()) {
    const std::size_t features = data.columns(), runs = (features + kRun - 1) / kRun;
    run_ = (features + runs - 1) / runs;
    // Of a sum of products, relative to the lengths of both rows, plus rounding of all else.
    error_ = static_cast<double>(run_ + runs + 16) * 0x1p-24;
    if (metric == Metric::euclidean) choose_origin();
    measure_rows(team);
  }

  std::size_t run() const { return run_; }
  float half(std::size_t row) const { return halves_[row]; }

  /// Row minus origin times its factor: distances between such rows are found from products.
  void place(std::size_t row, float* out) const {
    data_.read(row, out);
    for (std::size_t j = 0; j < origin_.size(); ++j) out[j] = (out[j] - origin_[j]) * factors_[row];
  }

  /// The greatest lower bound that a row at this distance can have.
  float bound(double distance) const {
    const double half =
        metric_ == Metric::euclidean ? distance * factors_[0] * factors_[0] / 2 : distance;
    return static_cast<float>(half * (1 + 1e-6) + 1e-37);
  }

 private:
  /// Products are accurate relative to the lengths of rows, so the rows are moved to their middle.
  void choose_origin() {
    const std::size_t rows = data_.rows(), sample = std::min<std::size_t>(rows, 256);
    std::vector<double> sums(origin_.size());
    std::vector<float> row(origin_.size());
    for (std::size_t s = 0; s < sample; ++s) {
      data_.read(s * rows / sample, row.data());
      for (std::size_t j = 0; j < row.size(); ++j) sums[j] += row[j];
    }
    for (std::size_t j = 0; j < row.size(); ++j)
      origin_[j] = static_cast<float>(sums[j] / static_cast<double>(sample));
  }

  void measure_rows(Team& team) {
    const std::size_t rows = data_.rows();
    std::vector<double> lengths(rows);
    std::fill(factors_.begin(), factors_.end(), 1.0f);
    team.run([&](int member) {
      std::vector<float> row(origin_.size());
      const Range mine = share(rows, member, team.size());
      for (std::size_t r = mine.begin; r < mine.end; ++r) {
        place(r, row.data());
        lengths[r] = product(row.data(), row.data(), row.size());
      }
    });
    if (metric_ == Metric::cosine) {
      for (std::size_t r = 0; r < rows; ++r) {
        factors_[r] = lengths[r] > 0 ? static_cast<float>(1 / std::sqrt(lengths[r])) : 0.0f;
        halves_[r] = static_cast<float>((1 - error_) / 2);
      }
      return;
    }
    // One power of two for all, so that squares neither overflow nor vanish.
    const double longest = *std::max_element(lengths.begin(), lengths.end());
    const double factor =
        longest > 0 ? std::ldexp(1.0, std::clamp(-std::ilogb(std::sqrt(longest)), -120, 120)) : 1.0;
    std::fill(factors_.begin(), factors_.end(), static_cast<float>(factor));
    for (std::size_t r = 0; r < rows; ++r)
      halves_[r] = static_cast<float>((1 - error_) / 2 * lengths[r] * factor * factor);
  }

  const RowReader& data_;
  const Metric metric_;
  std::vector<float> origin_, factors_, halves_;
  std::size_t run_ = 0;
  double error_ = 0;
};

/// What is known of every row. Each product tells of two rows, so threads meet here: a block of
/// rows has a lock. Bounds only ever fall, and what is found does not depend on the order.
struct Table {
  Table(Neighbours& neighbours, std::size_t rows_of_block)
      : out(neighbours),
        block_rows(rows_of_block),
        room(kWaiting + 2 * out.count),
        bounds(out.rows, kInfinity),
        found(out.rows),
        counts(out.rows),
        waiting(out.rows * room),
        locks((out.rows + block_rows - 1) / block_rows) {}

  std::mutex& lock_of(std::size_t row) { return locks[row / block_rows]; }

  Neighbours& out;
  const std::size_t block_rows, room;
  std::vector<float> bounds;          // of each row: half - product above this is too far
  std::vector<std::uint32_t> found;   // of each row: neighbours in `out`
  std::vector<std::uint32_t> counts;  // of each row: candidates that wait
  AlignedArray<Candidate> waiting;    // (rows, room)
  std::vector<std::mutex> locks;
};

/// Proposes candidates and measures them; one for each thread, under the lock of the row.
class Judge {
 public:
  Judge(const RowReader& data, Metric metric, const Space& space, Table& table)
      : data_(data),
        metric_(metric),
        space_(space),
        table_(table),
        row_(data.columns()),
        other_(data.columns()) {}

  void propose(std::size_t row, std::size_t other, float least) {
    if (!(least <= table_.bounds[row])) return;
    table_.waiting[row * table_.room + table_.counts[row]++] = {least,
                                                                static_cast<std::uint32_t>(other)};
    if (table_.counts[row] == table_.room) settle(row);
  }

  /// Measures the candidates of a row, until the rest cannot be nearer than what was found.
  void settle(std::size_t row) {
    Candidate* const waiting = table_.waiting.data() + row * table_.room;
    Candidate* const end = waiting + table_.counts[row];
    std::sort(waiting, end, [](const Candidate& a, const Candidate& b) {
      return a.least < b.least || (a.least == b.least && a.row < b.row);
    });
    if (waiting != end) data_.read(row, row_.data());
    for (const Candidate* candidate = waiting; candidate != end; ++candidate) {
      if (!(candidate->least <= table_.bounds[row])) break;
      data_.read(candidate->row, other_.data());
      insert(row, distance(metric_, row_.data(), other_.data(), row_.size()), candidate->row);
    }
    table_.counts[row] = 0;
  }

 private:
  void insert(std::size_t row, double distance, std::uint32_t other) {
    const std::size_t count = table_.out.count;
    std::uint32_t* ids = table_.out.ids.data() + row * count;
    double* distances = table_.out.distances.data() + row * count;
    std::uint32_t& found = table_.found[row];
    std::size_t at = found;
    while (at > 0 && std::pair(distance, other) < std::pair(distances[at - 1], ids[at - 1])) --at;
    if (at == count) return;
    if (found < count) ++found;
    for (std::size_t i = found - 1; i > at; --i) {
      ids[i] = ids[i - 1];
      distances[i] = distances[i - 1];
    }
    ids[at] = other;
    distances[at] = distance;
    if (found == count) table_.bounds[row] = space_.bound(distances[found - 1]) - space_.half(row);
  }

  const RowReader& data_;
  const Metric metric_;
  const Space& space_;
  Table& table_;
  std::vector<float> row_, other_;
};

/// One thread's part of the search: blocks of rows against all rows from there on.
class Search {
 public:
  Search(const RowReader& data, Metric metric, const Space& space, Table& table)
      : space_(space),
        table_(table),
        judge_(data, metric, space, table),
        features_(data.columns()),
        center_rows_(std::clamp<std::size_t>(kCenterBytes / (4 * features_), 12, kCenterRows)),
        tiles_(table.block_rows * features_),
        centers_(center_rows_ * features_),
        sums_(center_rows_ * kTileRows),
        part_(center_rows_ * kTileRows),
        placed_(features_) {}

  void begin(Range block) {
    block_ = block;
    for (std::size_t q = 0; q < block.size(); ++q) {
      space_.place(block.begin + q, placed_.data());
      float* tile = tiles_.data() + q / kTileRows * kTileRows * features_ + q % kTileRows;
      for (std::size_t j = 0; j < features_; ++j) tile[j * kTileRows] = placed_[j];
    }
  }

  /// The next rows from `first` on that are compared together: at most to the end of their block.
  Range centers_from(std::size_t first) const {
    const std::size_t end = (first / table_.block_rows + 1) * table_.block_rows;
    return {first, std::min({first + center_rows_, end, table_.out.rows})};
  }

  void add_centers(Range centers) {
    for (std::size_t c = centers.begin; c < centers.end; ++c)
      space_.place(c, centers_.data() + (c - centers.begin) * features_);
    for (std::size_t q = block_.begin; q < block_.end; q += kTileRows) {
      const Range tile{q, std::min(block_.end, q + kTileRows)};
      const Range later{std::max(q, centers.begin), centers.end};  // those before were met there
      if (later.begin >= later.end) break;
      multiply(tiles_.data() + (q - block_.begin) * features_,
               centers_.data() + (later.begin - centers.begin) * features_, later.size());
      note(tile, later);
    }
  }

 private:
  void multiply(const float* tile, const float* centers, std::size_t count) {
    for (std::size_t j = 0; j < features_; j += space_.run()) {
      const std::size_t length = std::min(space_.run(), features_ - j);
      float* out = j == 0 ? sums_.data() : part_.data();
      kernels::tile_products(tile + j * kTileRows, length, centers + j, features_, count, out);
      if (j > 0)
        for (std::size_t i = 0; i < count * kTileRows; ++i) sums_[i] += part_[i];
    }
  }

  /// Both ways: the centres are candidates of the tile's rows and, beyond the tile, these of them.
  void note(Range tile, Range centers) {
    float bounds[kTileRows], halves[kTileRows];
    std::fill_n(bounds, kTileRows, -kInfinity);  // lanes without a row
    std::fill_n(halves, kTileRows, std::numeric_limits<float>::quiet_NaN());
    for (std::size_t lane = 0; lane < tile.size(); ++lane)
      halves[lane] = space_.half(tile.begin + lane);
    {
      const std::lock_guard guard(table_.lock_of(tile.begin));
      const float* const current = table_.bounds.data() + tile.begin;
      std::copy_n(current, tile.size(), bounds);
      for (std::size_t c = centers.begin; c < centers.end; ++c) {
        const float* products = sums_.data() + (c - centers.begin) * kTileRows;
        const float half = space_.half(c);
        int hits = 0;
        for (std::size_t lane = 0; lane < kTileRows; ++lane)
          hits += half - products[lane] <= bounds[lane];
        if (hits == 0) continue;
        for (std::size_t lane = 0; lane < tile.size(); ++lane)
          if (tile.begin + lane != c) judge_.propose(tile.begin + lane, c, half - products[lane]);
        std::copy_n(current, tile.size(), bounds);  // they may have fallen
      }
    }
    const std::size_t beyond = std::max(centers.begin, tile.end);
    if (beyond >= centers.end) return;
    const std::lock_guard guard(table_.lock_of(beyond));
    for (std::size_t c = beyond; c < centers.end; ++c) {
      const float* products = sums_.data() + (c - centers.begin) * kTileRows;
      const float bound = table_.bounds[c];
      int hits = 0;
      for (std::size_t lane = 0; lane < kTileRows; ++lane)
        hits += halves[lane] - products[lane] <= bound;
      if (hits == 0) continue;
      for (std::size_t lane = 0; lane < tile.size(); ++lane)
        judge_.propose(c, tile.begin + lane, halves[lane] - products[lane]);
    }
  }

  const Space& space_;
  Table& table_;
  Judge judge_;
  const std::size_t features_, center_rows_;
  Range block_;
  AlignedArray<float> tiles_;        // (tiles, features, 16): the rows of the block, placed
  AlignedArray<float> centers_;      // (center_rows, features), placed
  AlignedArray<float> sums_, part_;  // (center_rows, 16)
  std::vector<float> placed_;
};

}  // namespace

Neighbours nearest_neighbours(const RowReader& data, std::size_t count, Metric metric, Team& team,
                              const RunContext& context) {
  const std::size_t rows = data.rows();
  Neighbours out{rows, count, std::vector<std::uint32_t>(rows * count),
                 std::vector<double>(rows * count)};
  Pace pace("neighbours", static_cast<double>(rows) * static_cast<double>(rows) / 2, context);
  const Space space(data, metric, team);
  const std::size_t even = (rows + 4 * static_cast<std::size_t>(team.size()) - 1) /
                           (4 * static_cast<std::size_t>(team.size()));
  const std::size_t fitting = std::clamp(kQueryBytes / (4 * data.columns()), kTileRows, kQueryRows);
  const std::size_t block_rows = (std::min(even, fitting) + kTileRows - 1) / kTileRows * kTileRows;
  Table table(out, block_rows);
  std::atomic<std::size_t> next{0}, done{0};
  team.run([&](int member) {
    Search search(data, metric, space, table);
    for (std::size_t begin; (begin = next.fetch_add(block_rows)) < rows;) {
      const Range block{begin, std::min(rows, begin + block_rows)};
      search.begin(block);
      for (std::size_t c = begin; c < rows;) {
        if (pace.stopping()) return;
        const Range centers = search.centers_from(c);
        search.add_centers(centers);
        done += (c < block.end ? block.size() / 2 : block.size()) * centers.size();
        c = centers.end;
        if (member == 0) pace.reach(static_cast<double>(done));
      }
    }
  });
  pace.check_stop();
  team.run([&](int member) {
    Judge judge(data, metric, space, table);
    const Range mine = share(rows, member, team.size());
    for (std::size_t row = mine.begin; row < mine.end; ++row) judge.settle(row);
  });
  return out;
}

}  // namespace quickselection
