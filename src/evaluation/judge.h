// src/evaluation/judge.h: judging sets of features on one holdout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/pace.h"
#include "core/team.h"
#include "data/scaling/row_reader.h"
#include "data/scaling/scaler.h"
#include "evaluation/ridge.h"
#include "quickselection/evaluation.h"

namespace quickselection {

/// The classes of a holdout's rows, numbered as they occur in the training rows.
struct ClassesOfRows {
  std::vector<std::uint16_t> train;
  std::vector<std::int32_t> test;  ///< -1: a class that no training row has
  std::size_t classes = 0;
};

/// The labels of a holdout where they are measured numbers, and the rows that have one.
struct NumbersOfRows {
  std::vector<std::uint32_t> train_rows, test_rows;
  std::vector<double> train, test;
};

/// Figures of repeated judgements of the same number of features.
struct Figures {
  std::vector<double> classification, regression, accuracy, nmi, ari, r2;
};

/// The main figure of each judge that judged.
struct Share {
  const char* what;  ///< "classification"
  double mean = 0, std = 0;
};
std::vector<Share> shares_of(const Judgement& judgement);

Judgement summarize(const Figures& figures, Classifier classifier);

/// What a judgement costs, in units that are only good for estimating the time left.
double forest_cost(std::size_t columns, const EvaluationOptions& options, bool measured);
double kmeans_cost(std::size_t columns, const EvaluationOptions& options);
double ridge_cost(std::size_t columns, std::size_t features);

class Judge {
 public:
  /// Notes what a reader of the figures should know. Throws Error when the two sides of the
  /// holdout do not fit.
  Judge(const Holdout& holdout, std::uint32_t index, const EvaluationOptions& options, Team& team,
        Pace& pace, std::vector<std::string>& notes);

  /// Judges the first k of `ranked` for each k, adding to figures[i] for ks[i].
  /// `first_seed` numbers the seeds: equal numbers give equal seeds.
  void judge(std::span<const std::uint32_t> ranked, std::span<const std::size_t> ks, int runs,
             int repetitions, std::uint32_t first_seed, std::span<Figures> figures);
  void reconstruct(std::span<const std::uint32_t> ranked, std::span<const std::size_t> ks,
                   std::span<Figures> figures);

  bool can_predict() const { return classes_ || numbers_; }

  /// Accuracies, or R² of measured labels, while [kept.begin, kept.end) of the ranked `order` are
  /// kept, for each of `kept`.
  std::vector<std::vector<double>> predictions(std::span<const std::uint32_t> order,
                                               std::span<const Range> kept, int runs,
                                               std::uint32_t first_seed);

 private:
  std::uint64_t seed(std::uint32_t number) const;

  const EvaluationOptions& options_;
  std::uint32_t index_;
  Team& team_;
  Pace& pace_;
  RowsView train_, test_;         // as stored
  std::optional<Scaler> scaler_;  // fitted on the training rows when something needs it
  RowsView scaled_train_, scaled_test_;
  std::optional<ClassesOfRows> classes_;  // empty when there is nothing to tell apart
  std::optional<NumbersOfRows> numbers_;  // instead, where labels are measured
  std::optional<Ridge> ridge_;
};

}  // namespace quickselection
