// src/evaluation/judge.cpp: see judge.h.
#include "evaluation/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/iota.h"
#include "evaluation/clustering/kmeans.h"
#include "evaluation/clustering/metrics.h"
#include "evaluation/forest/forest.h"
#include "evaluation/streams.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

constexpr std::size_t kMostClasses = 65535;

std::string name_of(const Dataset& data) {
  return data.source.empty() ? std::string("the data") : data.source;
}

void check_rows(const Dataset& data, std::span<const std::uint32_t> rows, const char* what) {
  if (rows.empty())
    throw InvalidArgument(fmt::format("there are no {} rows", what),
                          "an evaluation needs rows to train on and others to test on");
  for (const std::uint32_t row : rows)
    if (row >= data.rows())
      throw InvalidArgument(fmt::format("{} row {} is not among the {} rows of {}", what, row,
                                        data.rows(), name_of(data)));
  if (data.labels && data.labels->codes.size() != data.rows())
    throw Error(fmt::format("{} has {} rows but {} labels", name_of(data), data.rows(),
                            data.labels->codes.size()));
}

/// Columns are matched by their place, so names that differ mean that the places do.
void check_names(const Dataset& train, const Dataset& test) {
  if (train.names.empty() || test.names.empty()) return;
  for (std::size_t f = 0; f < train.names.size(); ++f)
    if (train.names[f] != test.names[f])
      throw Error(fmt::format("feature {} is called '{}' in {}, but '{}' in {}", f, train.names[f],
                              name_of(train), test.names[f], name_of(test)),
                  "training and test data must have the same columns in the same order");
}

void add_note(std::vector<std::string>& notes, std::string note) {
  if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(std::move(note));
}

/// False, with a note, when there are no labels.
bool have_labels(const Holdout& holdout, std::vector<std::string>& notes) {
  const Dataset &train = *holdout.train, &test = *holdout.test;
  if (!train.labels) {
    add_note(notes, name_of(train) + " has no labels: only the reconstruction can be judged");
    return false;
  }
  if (!test.labels)
    throw Error(fmt::format("the training rows have labels but {} has none", name_of(test)),
                "name the labels of the test data too");
  return true;
}

/// Nothing, with a note, when the test rows do not differ in them: R² is then not defined.
std::optional<NumbersOfRows> find_numbers(const Holdout& holdout, std::vector<std::string>& notes) {
  NumbersOfRows numbers;
  const auto gather = [](const Dataset& data, std::span<const std::uint32_t> from,
                         std::vector<std::uint32_t>& rows, std::vector<double>& targets) {
    const std::vector<double> of_class = numbers_of(*data.labels);
    for (const std::uint32_t row : from) {
      const double target = of_class[static_cast<std::size_t>(data.labels->codes[row])];
      if (std::isnan(target)) continue;
      rows.push_back(row);
      targets.push_back(target);
    }
  };
  gather(*holdout.train, holdout.train_rows, numbers.train_rows, numbers.train);
  gather(*holdout.test, holdout.test_rows, numbers.test_rows, numbers.test);
  add_note(notes,
           "the labels are taken as measured numbers, which forests predict "
           "(‹task classification› takes them as classes)");
  const std::size_t unlabelled = holdout.train_rows.size() - numbers.train.size() +
                                 holdout.test_rows.size() - numbers.test.size();
  if (unlabelled > 0)
    add_note(notes,
             fmt::format("{} rows without a label are left out of the regression", unlabelled));
  const auto differ = [](const std::vector<double>& targets) {
    return std::any_of(targets.begin(), targets.end(),
                       [&](double target) { return target != targets[0]; });
  };
  if (!numbers.train.empty() && differ(numbers.test)) return numbers;
  add_note(notes, "the labels of the test rows do not differ: the regression cannot be judged");
  return std::nullopt;
}

/// Nothing, with a note, when there is only one class.
std::optional<ClassesOfRows> find_classes(const Holdout& holdout, std::vector<std::string>& notes) {
  const Dataset &train = *holdout.train, &test = *holdout.test;
  std::vector<bool> occurs(train.labels->classes.size(), false);
  for (const std::uint32_t row : holdout.train_rows)
    occurs[static_cast<std::size_t>(train.labels->codes[row])] = true;
  std::vector<std::int32_t> number(occurs.size(), -1);
  std::map<std::string, std::int32_t> by_name;  // test data may number its classes differently
  for (std::size_t c = 0; c < occurs.size(); ++c)
    if (occurs[c]) {
      number[c] = static_cast<std::int32_t>(by_name.size());
      by_name.emplace(train.labels->classes[c], number[c]);
    }
  if (by_name.size() > kMostClasses)
    throw Error(fmt::format("the training rows have {} classes, but at most {} can be told apart",
                            by_name.size(), kMostClasses),
                "are these labels classes? ‹task regression› takes them as measured numbers");
  if (by_name.size() < 2) {
    add_note(notes,
             "all training rows have the same class: classification and clustering cannot "
             "be judged");
    return std::nullopt;
  }

  ClassesOfRows classes;
  classes.classes = by_name.size();
  for (const std::uint32_t row : holdout.train_rows)
    classes.train.push_back(
        static_cast<std::uint16_t>(number[static_cast<std::size_t>(train.labels->codes[row])]));
  std::size_t unseen = 0;
  for (const std::uint32_t row : holdout.test_rows) {
    const auto code = static_cast<std::size_t>(test.labels->codes[row]);
    const auto found = by_name.find(test.labels->classes[code]);
    classes.test.push_back(found == by_name.end() ? -1 : found->second);
    unseen += found == by_name.end();
  }
  if (unseen > 0)
    add_note(notes, fmt::format("{} of {} test rows have a class that no training row has; they "
                                "count as wrong",
                                unseen, holdout.test_rows.size()));
  if (by_name.contains(""))
    add_note(notes, "rows without a label are taken as a class of their own");
  if (classes.classes * 2 > classes.train.size())
    add_note(notes, fmt::format("{} classes for {} training rows: are these labels classes? "
                                "(‹task regression› takes them as measured numbers)",
                                classes.classes, classes.train.size()));
  return classes;
}

double accuracy_of(std::span<const std::uint16_t> predicted, std::span<const std::int32_t> actual) {
  std::size_t right = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) right += predicted[i] == actual[i];
  return static_cast<double>(right) / static_cast<double>(actual.size());
}

/// The columns behind features of a ranking, and how many belong to the first 0, 1, 2, ... of them.
struct RankedColumns {
  std::vector<std::uint32_t> columns;
  std::vector<std::size_t> ends{0};

  RankedColumns(const Dataset& data, std::span<const std::uint32_t> ranked)
      : columns(data.columns_of(ranked)) {
    for (const std::uint32_t& feature : ranked)
      ends.push_back(ends.back() +
                     (data.groups.empty() ? 1 : data.columns_of({&feature, 1}).size()));
  }
  std::vector<std::size_t> counts(std::span<const std::size_t> ks) const {
    std::vector<std::size_t> counts;
    for (const std::size_t k : ks) counts.push_back(ends[k]);
    return counts;
  }
};

/// The share of the variance of `actual` that is predicted.
double r2_of(std::span<const double> predicted, std::span<const double> actual) {
  double mean = 0, residual = 0, total = 0;
  for (const double target : actual) mean += target / static_cast<double>(actual.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    residual += (actual[i] - predicted[i]) * (actual[i] - predicted[i]);
    total += (actual[i] - mean) * (actual[i] - mean);
  }
  return 1 - residual / total;
}

}  // namespace

std::vector<Share> shares_of(const Judgement& judgement) {
  std::vector<Share> shares;
  if (const auto& found = judgement.classification)
    shares.push_back({"classification", found->mean, found->std});
  if (const auto& found = judgement.regression)
    shares.push_back({"regression", found->r2, found->std});
  if (const auto& found = judgement.clustering)
    shares.push_back({"clustering", found->accuracy, found->std});
  if (const auto& found = judgement.reconstruction)
    shares.push_back({"reconstruction", found->r2, found->std});
  return shares;
}

Judgement summarize(const Figures& figures, Classifier classifier) {
  Judgement judgement;
  if (!figures.classification.empty()) {
    const MeanStd figure = mean_and_std(figures.classification);
    judgement.classification = {classifier, figure.mean, figure.std, figures.classification.size()};
  }
  if (!figures.regression.empty()) {
    const MeanStd figure = mean_and_std(figures.regression);
    judgement.regression = {classifier, figure.mean, figure.std, figures.regression.size()};
  }
  if (!figures.accuracy.empty()) {
    const MeanStd accuracy = mean_and_std(figures.accuracy), nmi = mean_and_std(figures.nmi),
                  ari = mean_and_std(figures.ari);
    judgement.clustering = {
        accuracy.mean, nmi.mean, ari.mean, accuracy.std, nmi.std, ari.std, figures.accuracy.size()};
  }
  if (!figures.r2.empty()) {
    const MeanStd r2 = mean_and_std(figures.r2);
    judgement.reconstruction = {r2.mean, r2.std};
  }
  return judgement;
}

// The ratios of the three were measured on MNIST's 60,000 rows with 50 columns.
double forest_cost(std::size_t columns, const EvaluationOptions& options, bool measured) {
  const auto count = static_cast<double>(columns);  // trees that predict numbers look at all
  return options.trees * std::max(1.0, measured ? count : std::sqrt(count));
}
double kmeans_cost(std::size_t columns, const EvaluationOptions& options) {
  return 0.4 * options.restarts * static_cast<double>(columns);
}
double ridge_cost(std::size_t columns, std::size_t features) {
  return 0.002 * static_cast<double>(columns) * static_cast<double>(features);
}

Judge::Judge(const Holdout& holdout, std::uint32_t index, const EvaluationOptions& options,
             Team& team, Pace& pace, std::vector<std::string>& notes)
    : options_(options),
      index_(index),
      team_(team),
      pace_(pace),
      train_{holdout.train, holdout.train_rows},
      test_{holdout.test, holdout.test_rows} {
  check_rows(*holdout.train, holdout.train_rows, "training");
  check_rows(*holdout.test, holdout.test_rows, "test");
  if (holdout.train->features() != holdout.test->features())
    throw Error(
        fmt::format("the training data has {} features, but the test data {} has {}",
                    holdout.train->features(), name_of(*holdout.test), holdout.test->features()),
        "training and test data must have the same columns in the same order");
  check_names(*holdout.train, *holdout.test);
  const bool clusters = options.clustering;
  const bool reconstructs = options.reconstruction;
  if ((clusters || options.classification || options.removal > 0) && have_labels(holdout, notes)) {
    if (holdout.train->labels->measured)
      numbers_ = find_numbers(holdout, notes);
    else
      classes_ = find_classes(holdout, notes);
  }
  if ((clusters && classes_) || reconstructs) {
    scaler_ = fit_scaler(*holdout.train, holdout.train_rows, options.scale, 0, team);
    scaler_->narrow_mean.clear();  // figures are of differences in double precision
  }
  scaled_train_ = {holdout.train, holdout.train_rows, scaler_ ? &*scaler_ : nullptr};
  scaled_test_ = {holdout.test, holdout.test_rows, scaler_ ? &*scaler_ : nullptr};
  if (!reconstructs) {
    if (!can_predict())
      throw Error("nothing can be judged: " +
                      (notes.empty() ? std::string("every judge is turned off") : notes.back()),
                  "the reconstruction needs no labels, but it is turned off");
    return;
  }
  ridge_.emplace(scaled_train_, scaled_test_, team);
  if (!ridge_->defined()) {
    ridge_.reset();
    add_note(notes, "no feature varies over the test rows: the reconstruction cannot be judged");
  }
}

std::uint64_t Judge::seed(std::uint32_t number) const {
  const auto bits = kernels::random_block(options_.seed, kernels::Purpose::evaluation, number,
                                          static_cast<std::uint32_t>(Stream::seed), index_);
  return std::uint64_t{bits[0]} << 32 | bits[1];
}

void Judge::judge(std::span<const std::uint32_t> ranked, std::span<const std::size_t> ks, int runs,
                  int repetitions, std::uint32_t first_seed, std::span<Figures> figures) {
  if (options_.classification && can_predict()) {
    std::vector<Range> kept;
    for (const std::size_t k : ks) kept.push_back({0, k});
    const auto found = predictions(ranked, kept, runs, first_seed);
    for (std::size_t i = 0; i < ks.size(); ++i) {
      auto& known = numbers_ ? figures[i].regression : figures[i].classification;
      known.insert(known.end(), found[i].begin(), found[i].end());
    }
  }
  if (!options_.clustering || !classes_) return;
  const std::vector<std::uint32_t> actual(classes_->train.begin(), classes_->train.end());
  const RankedColumns all(*train_.data, ranked);
  KMeansOptions kmeans_options;
  kmeans_options.clusters = classes_->classes;
  kmeans_options.restarts = options_.restarts;
  for (std::size_t i = 0; i < ks.size(); ++i) {
    const Points points =
        make_points({scaled_train_, std::span(all.columns).first(all.ends[ks[i]])}, team_);
    for (int r = 0; r < repetitions; ++r) {
      const KMeansResult result =
          kmeans(points, kmeans_options, seed(first_seed + static_cast<std::uint32_t>(r)), team_,
                 pace_.stop());
      const Contingency table = contingency(result.labels, actual);
      figures[i].accuracy.push_back(matching_accuracy(table));
      figures[i].nmi.push_back(normalized_mutual_information(table));
      figures[i].ari.push_back(adjusted_rand_index(table));
      pace_.advance(kmeans_cost(ks[i], options_));
    }
  }
}

void Judge::reconstruct(std::span<const std::uint32_t> ranked, std::span<const std::size_t> ks,
                        std::span<Figures> figures) {
  if (!ridge_) return;
  const RankedColumns all(*train_.data, ranked);
  const auto scores = ridge_->score(all.columns, all.counts(ks), pace_.stop());
  for (std::size_t i = 0; i < ks.size(); ++i) figures[i].r2.push_back(scores[i].r2);
  pace_.advance(ridge_cost(ranked.size(), train_.data->features()));
}

std::vector<std::vector<double>> Judge::predictions(std::span<const std::uint32_t> order,
                                                    std::span<const Range> kept, int runs,
                                                    std::uint32_t first_seed) {
  const RowsView train = numbers_ ? RowsView{train_.data, numbers_->train_rows} : train_;
  const RowsView test = numbers_ ? RowsView{test_.data, numbers_->test_rows} : test_;
  const RankedColumns ranked(*train_.data, order);
  const std::size_t width = ranked.columns.size();
  const CodedColumns table = code_columns({train, ranked.columns}, team_);
  const std::vector<float> rows = RowReader(test, ranked.columns).gather(team_);
  const std::vector<std::uint32_t> all = iota(width);
  std::vector<std::vector<double>> found;
  for (const Range& range : kept) {
    const std::span columns = std::span(all).subspan(
        ranked.ends[range.begin], ranked.ends[range.end] - ranked.ends[range.begin]);
    const auto grown = [&](const auto& data, int run) {
      return grow_forest(data, options_.classifier, options_.trees,
                         seed(first_seed + static_cast<std::uint32_t>(run)), team_, pace_.stop());
    };
    found.emplace_back();
    for (int r = 0; r < runs; ++r) {
      if (numbers_) {
        const Forest forest = grown(NumberData{&table, columns, numbers_->train}, r);
        found.back().push_back(r2_of(predict_numbers(forest, rows, width, team_), numbers_->test));
      } else {
        const Forest forest =
            grown(TreeData{&table, columns, classes_->train, classes_->classes}, r);
        found.back().push_back(accuracy_of(predict(forest, rows, width, team_), classes_->test));
      }
      pace_.advance(forest_cost(range.size(), options_, numbers_.has_value()));
    }
  }
  return found;
}

}  // namespace quickselection
