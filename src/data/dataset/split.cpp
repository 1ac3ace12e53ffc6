// src/data/dataset/split.cpp: training and test rows.
#include "quickselection/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "kernels/random/random.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

/// The rows of each class in random order; one list of all rows without classes.
std::vector<std::vector<std::uint32_t>> shuffled_classes(const Dataset& data, std::uint64_t seed) {
  const bool by_class = data.labels && !data.labels->measured;
  std::vector<std::vector<std::uint32_t>> classes(by_class ? data.labels->classes.size() : 1);
  for (std::uint32_t row = 0; row < data.rows(); ++row)
    classes[by_class ? static_cast<std::size_t>(data.labels->codes[row]) : 0].push_back(row);
  std::erase_if(classes, [](const auto& rows) { return rows.empty(); });
  for (std::uint32_t c = 0; c < classes.size(); ++c) {
    const std::vector<std::uint32_t> order = kernels::random_permutation(
        classes[c].size(), kernels::RandomStream(seed, kernels::Purpose::split, c));
    const std::vector<std::uint32_t> rows = classes[c];
    for (std::size_t i = 0; i < rows.size(); ++i) classes[c][i] = rows[order[i]];
  }
  return classes;
}

/// Whole numbers that add up to `total` (or as near as the limits allow), in proportion to
/// `sizes`, by the largest remainders.
std::vector<std::size_t> apportion(std::span<const std::size_t> sizes,
                                   std::span<const std::size_t> limits, std::size_t total) {
  std::size_t sum = 0;
  for (const std::size_t size : sizes) sum += size;
  std::vector<std::size_t> quotas(sizes.size()), order(sizes.size());
  std::vector<double> remainders(sizes.size());
  std::size_t given = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double exact =
        static_cast<double>(sizes[i]) * static_cast<double>(total) / static_cast<double>(sum);
    quotas[i] = std::min(limits[i], static_cast<std::size_t>(exact));
    remainders[i] = exact - std::floor(exact);
    given += quotas[i];
    order[i] = i;
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return remainders[a] > remainders[b]; });
  for (bool gave = true; gave && given < total;) {
    gave = false;
    for (const std::size_t i : order)
      if (given < total && quotas[i] < limits[i]) {
        ++quotas[i];
        ++given;
        gave = true;
      }
  }
  return quotas;
}

RowRange checked(RowRange range, std::size_t rows, const char* what) {
  if (range.end == SIZE_MAX) range.end = rows;
  if (range.begin >= range.end || range.end > rows)
    throw InvalidArgument(fmt::format("{} rows {}:{} are not within the {} rows of the data", what,
                                      range.begin, range.end, rows),
                          "rows are counted from 0, and the last one is not included");
  return range;
}

void append(std::vector<std::uint32_t>& rows, std::size_t begin, std::size_t end) {
  for (std::size_t row = begin; row < end; ++row) rows.push_back(static_cast<std::uint32_t>(row));
}

}  // namespace

Split split_rows(const Dataset& data, double test_share, std::uint64_t seed) {
  if (!(test_share > 0 && test_share < 1))
    throw InvalidArgument(
        fmt::format("the test share is {}, but must be more than 0 and less than 1", test_share));
  if (data.rows() < 2)
    throw Error(fmt::format("{} row cannot be split into training and test rows", data.rows()));
  const auto classes = shuffled_classes(data, seed);
  // The one-row tolerance keeps 0.2 x 1440, which is not exactly 288 in binary, from becoming 289.
  const auto total = std::clamp<std::size_t>(
      static_cast<std::size_t>(
          std::ceil(test_share * static_cast<double>(data.rows()) * (1 - 1e-12))),
      1, data.rows() - 1);
  std::vector<std::size_t> sizes, limits;
  for (const auto& rows : classes) {
    sizes.push_back(rows.size());
    limits.push_back(rows.size() - 1);
  }
  const auto quotas = apportion(sizes, limits, total);
  Split split;
  for (std::size_t c = 0; c < classes.size(); ++c)
    for (std::size_t i = 0; i < classes[c].size(); ++i)
      (i < quotas[c] ? split.test : split.train).push_back(classes[c][i]);
  if (split.test.empty())
    throw Error(fmt::format("each of the {} rows is a class of its own: none can be a test row",
                            data.rows()),
                "are these labels classes? ‹label› names the right column");
  std::sort(split.train.begin(), split.train.end());
  std::sort(split.test.begin(), split.test.end());
  return split;
}

Split split_ranges(std::size_t rows, std::optional<RowRange> train, RowRange test) {
  test = checked(test, rows, "test");
  Split split;
  append(split.test, test.begin, test.end);
  if (train) {
    *train = checked(*train, rows, "training");
    if (train->begin < test.end && test.begin < train->end)
      throw InvalidArgument(fmt::format("training rows {}:{} and test rows {}:{} overlap",
                                        train->begin, train->end, test.begin, test.end),
                            "testing on rows that were trained on says nothing about new ones");
    append(split.train, train->begin, train->end);
  } else {
    append(split.train, 0, test.begin);
    append(split.train, test.end, rows);
  }
  if (split.train.empty())
    throw InvalidArgument(fmt::format("test rows {}:{} are all of the data", test.begin, test.end),
                          "leave some rows to train on");
  return split;
}

std::vector<Split> split_folds(const Dataset& data, int folds, std::uint64_t seed) {
  if (folds < 2 || static_cast<std::size_t>(folds) > data.rows())
    throw InvalidArgument(fmt::format("{} folds of {} rows cannot be made", folds, data.rows()),
                          "the number of folds must be at least 2 and at most the number of rows");
  std::vector<std::size_t> fold_of(data.rows());
  std::size_t next = 0;  // runs on from class to class, so that all folds have nearly equal size
  for (const auto& rows : shuffled_classes(data, seed))
    for (const std::uint32_t row : rows) fold_of[row] = next++ % static_cast<std::size_t>(folds);
  std::vector<Split> splits(static_cast<std::size_t>(folds));
  for (std::uint32_t row = 0; row < data.rows(); ++row)
    for (std::size_t fold = 0; fold < splits.size(); ++fold)
      (fold_of[row] == fold ? splits[fold].test : splits[fold].train).push_back(row);
  return splits;
}

}  // namespace quickselection
