// src/selectors/neighbours.cpp: see neighbours.h.
#include "selectors/neighbours.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
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
constexpr std::size_t kWaiting = 64;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Candidate {
  float least;  ///< no more than the distance, in the units of the search
  std::uint32_t row;
};

/// Sums in a fixed order, in several lanes because one would wait for itself.
template <class Term>
double sum_of(std::size_t n, const Term& term) {
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
  Space(const ScaledRows& data, Metric metric, Team& team)
      : data_(data),
        metric_(metric),
        origin_(data.features()),
        factors_(data.rows()),
        halves_(data.rows()) {
    const std::size_t features = data.features(), runs = (features + kRun - 1) / kRun;
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
    team.run([&](int rank) {
      std::vector<float> row(origin_.size());
      const Range mine = share(rows, rank, team.size());
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

  const ScaledRows& data_;
  const Metric metric_;
  std::vector<float> origin_, factors_, halves_;
  std::size_t run_ = 0;
  double error_ = 0;
};

/// The neighbours of a block of rows, found by one thread.
class Search {
 public:
  Search(const ScaledRows& data, Metric metric, const Space& space, Neighbours& out,
         std::size_t block_rows)
      : data_(data),
        metric_(metric),
        space_(space),
        out_(out),
        features_(data.features()),
        center_rows_(std::clamp<std::size_t>(kCenterBytes / (4 * features_), 12, kCenterRows)),
        tiles_((block_rows + kTileRows - 1) / kTileRows * kTileRows * features_),
        centers_(center_rows_ * features_),
        sums_(center_rows_ * kTileRows),
        part_(center_rows_ * kTileRows),
        query_(features_),
        other_(features_),
        waiting_(block_rows),
        bounds_(tiles_.size() / features_),
        found_(block_rows) {}

  std::size_t center_rows() const { return center_rows_; }

  void begin(Range block) {
    block_ = block;
    std::fill(bounds_.begin(), bounds_.end(), -kInfinity);  // of lanes without a row
    for (std::size_t q = 0; q < block.size(); ++q) {
      space_.place(block.begin + q, other_.data());
      float* tile = tiles_.data() + q / kTileRows * kTileRows * features_ + q % kTileRows;
      for (std::size_t j = 0; j < features_; ++j) tile[j * kTileRows] = other_[j];
      bounds_[q] = kInfinity;
      found_[q] = 0;
      waiting_[q].clear();
    }
  }

  void add_centers(Range centers) {
    for (std::size_t c = centers.begin; c < centers.end; ++c)
      space_.place(c, centers_.data() + (c - centers.begin) * features_);
    for (std::size_t q = 0; q < block_.size(); q += kTileRows) {
      multiply(tiles_.data() + q * features_, centers.size());
      for (std::size_t c = 0; c < centers.size(); ++c)
        note(q, centers.begin + c, sums_.data() + c * kTileRows);
    }
  }

  void finish() {
    for (std::size_t q = 0; q < block_.size(); ++q) settle(q);
  }

 private:
  void multiply(const float* tile, std::size_t count) {
    for (std::size_t j = 0; j < features_; j += space_.run()) {
      const std::size_t length = std::min(space_.run(), features_ - j);
      float* out = j == 0 ? sums_.data() : part_.data();
      kernels::tile_products(tile + j * kTileRows, length, centers_.data() + j, features_, count,
                             out);
      if (j > 0)
        for (std::size_t i = 0; i < count * kTileRows; ++i) sums_[i] += part_[i];
    }
  }

  /// Row `center` against the 16 query rows from q on.
  void note(std::size_t q, std::size_t center, const float* products) {
    const float half = space_.half(center);
    const float* bounds = bounds_.data() + q;
    int hits = 0;
    for (std::size_t lane = 0; lane < kTileRows; ++lane)
      hits += half - products[lane] <= bounds[lane];
    if (hits == 0) return;
    for (std::size_t lane = 0; lane < kTileRows; ++lane) {
      const std::size_t row = block_.begin + q + lane;
      const float least = half - products[lane];
      if (!(least <= bounds[lane]) || row == center) continue;
      auto& waiting = waiting_[q + lane];
      waiting.push_back({least, static_cast<std::uint32_t>(center)});
      if (waiting.size() >= kWaiting + 4 * out_.count) settle(q + lane);
    }
  }

  /// Measures those that wait, until the rest cannot be nearer than what was found.
  void settle(std::size_t q) {
    auto& waiting = waiting_[q];
    std::sort(waiting.begin(), waiting.end(), [](const Candidate& a, const Candidate& b) {
      return a.least < b.least || (a.least == b.least && a.row < b.row);
    });
    data_.read(block_.begin + q, query_.data());
    for (const Candidate& candidate : waiting) {
      if (!(candidate.least <= bounds_[q])) break;
      data_.read(candidate.row, other_.data());
      insert(q, distance(metric_, query_.data(), other_.data(), features_), candidate.row);
    }
    waiting.clear();
  }

  void insert(std::size_t q, double distance, std::uint32_t row) {
    const std::size_t first = (block_.begin + q) * out_.count;
    std::uint32_t* ids = out_.ids.data() + first;
    double* distances = out_.distances.data() + first;
    std::size_t& found = found_[q];
    std::size_t at = found;
    while (at > 0 && std::pair(distance, row) < std::pair(distances[at - 1], ids[at - 1])) --at;
    if (at == out_.count) return;
    found = std::min(found + 1, out_.count);
    for (std::size_t i = found - 1; i > at; --i) {
      ids[i] = ids[i - 1];
      distances[i] = distances[i - 1];
    }
    ids[at] = row;
    distances[at] = distance;
    if (found == out_.count)
      bounds_[q] = space_.bound(distances[found - 1]) - space_.half(block_.begin + q);
  }

  const ScaledRows& data_;
  const Metric metric_;
  const Space& space_;
  Neighbours& out_;
  const std::size_t features_, center_rows_;
  Range block_;
  AlignedArray<float> tiles_;        // (tiles, features, 16): the query rows, placed
  AlignedArray<float> centers_;      // (center_rows, features), placed
  AlignedArray<float> sums_, part_;  // (center_rows, 16)
  std::vector<float> query_, other_;
  std::vector<std::vector<Candidate>> waiting_;  // of each query row
  std::vector<float> bounds_;  // of each query row: half - product above this is too far
  std::vector<std::size_t> found_;
};

}  // namespace

Neighbours nearest_neighbours(const ScaledRows& data, std::size_t count, Metric metric, Team& team,
                              const RunContext& context) {
  const std::size_t rows = data.rows();
  Neighbours out{rows, count, std::vector<std::uint32_t>(rows * count),
                 std::vector<double>(rows * count)};
  Pace pace("neighbours", static_cast<double>(rows) * static_cast<double>(rows), context);
  const Space space(data, metric, team);
  const std::size_t even = (rows + 4 * static_cast<std::size_t>(team.size()) - 1) /
                           (4 * static_cast<std::size_t>(team.size()));
  const std::size_t fitting =
      std::clamp(kQueryBytes / (4 * data.features()), kTileRows, kQueryRows);
  const std::size_t block_rows = (std::min(even, fitting) + kTileRows - 1) / kTileRows * kTileRows;
  std::atomic<std::size_t> next{0}, done{0};
  team.run([&](int rank) {
    Search search(data, metric, space, out, block_rows);
    double reported = 0;
    for (std::size_t begin; (begin = next.fetch_add(block_rows)) < rows;) {
      const Range block{begin, std::min(rows, begin + block_rows)};
      search.begin(block);
      for (std::size_t c = 0; c < rows; c += search.center_rows()) {
        if (pace.stopping()) return;
        const Range centers{c, std::min(rows, c + search.center_rows())};
        search.add_centers(centers);
        done += block.size() * centers.size();
        if (rank == 0 && pace.seconds() - reported > 0.1) {
          reported = pace.seconds();
          pace.reach(static_cast<double>(done));
        }
      }
      search.finish();
    }
  });
  pace.check_stop();
  return out;
}

}  // namespace quickselection
