// src/evaluation/hold_out.cpp: see hold_out.h; and data with the rows that are held out of it.
#include "evaluation/hold_out.h"

#include <utility>

#include "data/dataset/missing.h"
#include "quickselection/split.h"

namespace quickselection {
namespace {

ReadOptions until_split(ReadOptions read) {
  if (read.missing == Missing::mean) read.missing = Missing::keep;
  return read;
}

std::vector<Split> splits_of(const Dataset& data, const HoldoutOptions& options,
                             std::optional<RowRange> train_rows) {
  if (options.test_rows) return {split_ranges(data.rows(), train_rows, *options.test_rows)};
  if (options.folds > 0) return split_folds(data, options.folds, options.split_seed);
  return {split_rows(data, options.split, options.split_seed)};
}

/// Data without missing values for each holdout that has any.
void fill_holdouts(HeldOut& held) {
  const auto filled = [&](const Dataset* data, const Holdout& holdout) {
    Dataset copy = *data;
    if (!fill_with_means(copy, *holdout.train, holdout.train_rows)) return data;
    return static_cast<const Dataset*>(&held.data.emplace_back(std::move(copy)));
  };
  const std::size_t before = held.data.size();
  for (Holdout& holdout : held.holdouts) {
    const bool same = holdout.test == holdout.train;
    const Dataset* const test = same ? nullptr : filled(holdout.test, holdout);
    holdout.train = filled(holdout.train, holdout);
    holdout.test = same ? holdout.train : test;
  }
  if (held.data.size() > before)
    held.notes.emplace_back(
        "missing values: the mean of each feature in the training rows takes their place");
}

}  // namespace

Dataset read_training(std::span<const std::string> paths, ReadOptions read, bool whole) {
  if (whole) read.rows.reset();
  return quickselection::read(paths, until_split(std::move(read)));
}

Dataset read_test(const std::string& path, const std::string& label, ReadOptions read) {
  read.rows.reset();
  if (!label.empty()) read.label = label;
  return quickselection::read(path, until_split(std::move(read)));
}

bool fill_with_means(Dataset& data, const Dataset& train, std::span<const std::uint32_t> rows) {
  // Other features than in the training rows are refused by whoever judges them.
  if (data.features() != train.features() || find_missing(data).count == 0) return false;
  fill_missing(data, train, rows);
  return true;
}

HeldOut hold_out(Dataset data, const Dataset* test, const HoldoutOptions& options,
                 bool fill_missing_values, std::optional<RowRange> train_rows) {
  HeldOut held;
  const Dataset& train = held.data.emplace_back(std::move(data));
  if (test != nullptr)
    held.holdouts = {make_holdout(train, held.data.emplace_back(*test))};
  else
    for (Split& split : splits_of(train, options, train_rows))
      held.holdouts.push_back({&train, std::move(split.train), &train, std::move(split.test)});
  if (fill_missing_values) fill_holdouts(held);
  return held;
}

HeldOut read_held_out(std::span<const std::string> paths, const ReadOptions& read,
                      const HoldoutOptions& options) {
  const Dataset data = read_training(paths, read, options.test_rows.has_value());
  std::optional<Dataset> test;
  if (!options.test.empty()) test = read_test(options.test, options.test_label, read);
  HeldOut held =
      hold_out(data, test ? &*test : nullptr, options, read.missing == Missing::mean, read.rows);
  std::vector<std::string> notes = data.notes;
  if (test) notes.insert(notes.end(), test->notes.begin(), test->notes.end());
  held.notes.insert(held.notes.begin(), notes.begin(), notes.end());
  return held;
}

}  // namespace quickselection
