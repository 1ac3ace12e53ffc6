// src/experiment/scores.cpp: Score 1 and Score 2 of the paper (section 5.1, appendix A.1).
//
// Score 1: on each data set and for each K, the best and the second best method of each measure get
// one point. As in the paper's tables, equal values share a place, and the next value is the next
// place. Score 2: each measure is scaled from 0 (worst) to 1 (best) and added up.
#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "experiment/tables/table.h"
#include "quickselection/experiment.h"

namespace quickselection {
namespace {

/// The value of a method that takes part, larger is better.
struct Entry {
  std::size_t method = 0;
  double value = 0;
};

/// The methods that finished all their runs, on one data set and K.
std::vector<Entry> entries_of(std::span<const SummaryCell> cells,
                              std::span<const std::string> methods, const std::string& data,
                              std::size_t k, Measure measure, int runs) {
  std::vector<Entry> entries;
  for (std::size_t m = 0; m < methods.size(); ++m)
    for (const SummaryCell& cell : cells) {
      if (cell.data != data || cell.k != k || cell.method != methods[m]) continue;
      if (cell.finished < static_cast<std::size_t>(runs) || cell.failed > 0) continue;
      if (!cell[measure]) continue;
      const double mean = cell[measure]->mean;
      entries.push_back({m, higher_is_better(measure) ? mean : -mean});
    }
  return entries;
}

/// The second largest of the different values, or the largest when there is only one.
double second_place(const std::vector<Entry>& entries) {
  const double none = -std::numeric_limits<double>::infinity();
  double first = none, second = none;
  for (const Entry& entry : entries) {
    if (entry.value > first)
      second = std::exchange(first, entry.value);
    else if (entry.value < first)
      second = std::max(second, entry.value);
  }
  return second == none ? first : second;
}

void add_places(const std::vector<Entry>& entries, std::size_t part, std::size_t group,
                std::vector<MethodScores>& scores) {
  const double least = second_place(entries);
  for (const Entry& entry : entries) {
    if (entry.value < least) continue;
    MethodScores& method = scores[entry.method];
    GroupScore& own = method.score1_by_group[group];
    method.score1.parts[part] += 1;
    own.score.parts[part] += 1;
    method.score1_normalised.parts[part] += 1.0 / static_cast<double>(own.data_sets);
  }
}

void add_shares(const std::vector<Entry>& entries, std::size_t part,
                std::vector<MethodScores>& scores) {
  if (entries.empty()) return;
  const auto [worst, best] =
      std::minmax_element(entries.begin(), entries.end(),
                          [](const Entry& a, const Entry& b) { return a.value < b.value; });
  const double range = best->value - worst->value;
  for (const Entry& entry : entries)
    scores[entry.method].score2.parts[part] +=
        range > 0 ? (entry.value - worst->value) / range : 1;  // all are the best
}

}  // namespace

std::vector<MethodScores> score_methods(std::span<const SummaryCell> cells,
                                        std::span<const std::string> methods,
                                        std::span<const DataGroup> groups, int runs) {
  std::vector<MethodScores> scores;
  for (const std::string& method : methods) {
    MethodScores& own = scores.emplace_back();
    own.method = method;
    for (const DataGroup& group : groups)
      own.score1_by_group.push_back({group.name, group.data.size(), {}});
  }
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const std::string& data : groups[g].data) {
      std::set<std::size_t> ks;
      for (const SummaryCell& cell : cells)
        if (cell.data == data && cell.method != kAllFeatures) ks.insert(cell.k);
      for (const std::size_t k : ks)
        for (std::size_t part = 0; part < std::size(kScored); ++part) {
          const auto entries = entries_of(cells, methods, data, k, kScored[part], runs);
          add_places(entries, part, g, scores);
          add_shares(entries, part, scores);
        }
    }
  for (const auto& [which, digits] : {std::pair{&MethodScores::score1, kScore1Digits},
                                      {&MethodScores::score1_normalised, kScoreDigits},
                                      {&MethodScores::score2, kScoreDigits}}) {
    std::vector<Candidate> candidates;
    for (MethodScores& own : scores)
      candidates.push_back(
          {&(own.*which).place, (own.*which).total(), format_total(own.*which, digits)});
    mark_places(std::move(candidates), true);
  }
  return scores;
}

}  // namespace quickselection
