// src/experiment/one_run.cpp: what a process of an experiment does: read, select, judge; see
// tasks.h.

#include <fmt/format.h>

#include <algorithm>

#include "core/iota.h"
#include "core/processes/meters.h"
#include "data/dataset/subset.h"
#include "evaluation/hold_out.h"
#include "experiment/tasks.h"
#include "quickselection/error.h"
#include "quickselection/selection.h"
#include "selectors/ranking.h"

namespace quickselection {
namespace {

/// A selection, or the state of a training after some of its epochs.
struct Chosen {
  std::vector<std::uint32_t> ranking;
  double seconds = 0;
  std::size_t peak_rss_bytes = 0;
  Energy energy;
};

Dataset read_whole(const ExperimentData& data) {
  if (data.values != nullptr) return *data.values;
  return read_training({&data.path, 1}, data.read, data.test_rows.has_value());
}

void fill_if_asked(const ExperimentData& data, Dataset& values, const Dataset& train,
                   const std::vector<std::uint32_t>& train_rows) {
  if (data.read.missing == Missing::mean) fill_with_means(values, train, train_rows);
}

bool has_test(const ExperimentData& data) {
  return !data.test.empty() || data.test_values != nullptr;
}

bool judges_anything(const ExperimentPlan& plan, bool labels) {
  return (labels && (plan.judges.classification || plan.judges.clustering || plan.random_forest)) ||
         plan.reconstruction.value_or(!labels);
}

/// The training rows, and all test rows when they are in the same file.
Split split_of(const ExperimentPlan& plan, const ExperimentData& data, const Dataset& whole) {
  if (data.test_rows) return split_ranges(whole.rows(), data.read.rows, *data.test_rows);
  if (!has_test(data) && data.split > 0 && judges_anything(plan, whole.labels.has_value()))
    return split_rows(whole, data.split, data.split_seed);
  return {iota(whole.rows()), {}};
}

bool is_range(const std::vector<std::uint32_t>& rows) {
  return !rows.empty() && rows.back() - rows.front() + 1 == rows.size();
}

/// Training rows without their labels: a selection cannot even see them.
Dataset training_rows(const Dataset& whole, const std::vector<std::uint32_t>& rows) {
  Dataset train = is_range(rows) ? whole.slice_rows(rows.front(), std::size_t{rows.back()} + 1)
                                 : copy_rows(whole, rows);
  train.labels.reset();
  return train;
}

/// What is known after each of the epochs that are asked for, the last being the end.
std::vector<Chosen> select_all(const ExperimentPlan& plan, const Task& task, const Dataset& train,
                               RunContext context, Selection& selection) {
  const ExperimentData& data = plan.data[task.data];
  SelectOptions options = select_options(plan.methods[task.methods.back()], data);
  options.seed = plan.seed + static_cast<std::uint64_t>(task.run - 1);
  options.k = *std::max_element(task.ks.begin(), task.ks.end());
  // For methods whose ranking is the same for every K, so is this: those that are too large are
  // told apart later.
  if (!needs_k(options)) options.k = std::min(options.k, train.ranked_count());

  std::vector<std::size_t> epochs;  // of all but the last
  for (std::size_t i = 0; i + 1 < task.methods.size(); ++i)
    epochs.push_back(*shareable_epochs(select_options(plan.methods[task.methods[i]], data)));
  std::vector<Chosen> chosen(task.methods.size());
  std::vector<std::vector<double>> scores(epochs.size());
  EnergyMeter energy;
  const Stopwatch watch;
  if (!epochs.empty())
    context.after_epoch = [&](const EpochEnd& end) {
      for (std::size_t i = 0; i < epochs.size(); ++i) {
        if (epochs[i] != end.epoch) continue;
        scores[i].assign(end.scores.begin(), end.scores.end());
        chosen[i] = {{}, watch.seconds(), peak_rss_bytes(), energy.read()};
      }
    };
  selection = select_features(train, options, context);
  chosen.back() = {selection.ranking, selection.seconds, peak_rss_bytes(), energy.read()};
  for (std::size_t i = 0; i < epochs.size(); ++i)
    chosen[i].ranking = rank_features(std::move(scores[i]), train, selection);
  return chosen;
}

void add_judgement(ResultRow& row, const Judgement& judgement) {
  if (judgement.classification) row.classification = judgement.classification->mean;
  if (judgement.regression) row.regression = judgement.regression->r2;
  if (judgement.clustering) {
    row.clustering = judgement.clustering->accuracy;
    row.nmi = judgement.clustering->nmi;
    row.ari = judgement.clustering->ari;
  }
  if (judgement.reconstruction) row.reconstruction = judgement.reconstruction->r2;
}

/// Judges the first k of a ranking for each row that is ok; k = 0 are all features.
void judge(const ExperimentPlan& plan, const ExperimentData& data, const Holdout& holdout,
           const std::vector<std::uint32_t>& ranking, std::span<ResultRow> rows,
           const RunContext& context) {
  const bool labels = holdout.train->labels.has_value();
  EvaluationOptions options = plan.judges;
  options.scale = data.judge_scale.value_or(options.scale);
  options.baselines = false;
  options.removal = 0;
  options.classifier = Classifier::extra_trees;
  options.k.clear();
  std::vector<ResultRow*> judged;
  for (ResultRow& row : rows) {
    if (row.status != RunStatus::ok) continue;
    judged.push_back(&row);
    options.k.push_back(row.k == 0 ? ranking.size() : row.k);
    options.seed = row.seed;
  }
  if (judged.empty()) return;
  options.reconstruction =
      plan.reconstruction.value_or(!labels) && judged.front()->method != kAllFeatures;
  const auto add = [&](const auto& put) {
    const Evaluation evaluation = evaluate(std::span(&holdout, 1), ranking, options, context);
    for (std::size_t i = 0; i < judged.size(); ++i) put(*judged[i], evaluation.entries[i].chosen);
  };
  if ((labels && (options.classification || options.clustering)) || options.reconstruction)
    add(add_judgement);
  if (!labels || !plan.random_forest) return;
  options.classifier = Classifier::random_forest;
  options.classification = true;
  options.clustering = options.reconstruction = false;
  add([](ResultRow& row, const Judgement& judgement) {
    if (judgement.classification) row.random_forest = judgement.classification->mean;
  });
}

}  // namespace

std::vector<ResultRow> make_rows(const ExperimentPlan& plan, const Task& task,
                                 const RunContext& context, const std::function<void()>& selected) {
  const ExperimentData& data = plan.data[task.data];
  std::vector<ResultRow> rows = empty_rows(plan, task);
  Dataset whole = read_whole(data);
  const bool labels = whole.labels.has_value();
  const std::size_t features = whole.features(), ranked = whole.ranked_count();
  Split split = split_of(plan, data, whole);
  fill_if_asked(data, whole, whole, split.train);
  for (ResultRow& row : rows) {
    row.rows = split.train.size();
    row.features = features;
    if (row.k <= ranked) continue;
    row.status = RunStatus::failed;
    row.message = fmt::format("K is {}, but the data has only {} features", row.k, ranked);
  }
  if (std::none_of(rows.begin(), rows.end(),
                   [](const ResultRow& row) { return row.status == RunStatus::ok; }))
    return rows;

  std::vector<Chosen> chosen;
  if (task.is_reference()) {
    chosen.emplace_back().ranking = whole.ranked();
  } else {
    Selection selection;
    {
      Dataset train = training_rows(whole, split.train);
      // A copy of the training rows is all that a selection needs: the rest is read again later.
      if (!is_range(split.train)) whole = Dataset();
      restart_peak_rss();  // reading is not the method's doing
      chosen = select_all(plan, task, train, context, selection);
    }
    for (std::size_t m = 0; m < task.methods.size(); ++m)
      for (std::size_t i = 0; i < task.ks.size(); ++i) {
        ResultRow& row = rows[m * task.ks.size() + i];
        if (row.status != RunStatus::ok) continue;
        row.seconds = chosen[m].seconds;
        row.peak_rss_bytes = chosen[m].peak_rss_bytes;
        row.joules = chosen[m].energy.joules;
        row.energy_source = chosen[m].energy.source;
        row.parameters = selection.parameters;
        row.selected.assign(chosen[m].ranking.begin(),
                            chosen[m].ranking.begin() + static_cast<std::ptrdiff_t>(row.k));
        row.warnings = on_command_line(selection.warnings);
      }
  }
  selected();

  if (!judges_anything(plan, labels)) return rows;
  if (whole.features() == 0) {
    whole = read_whole(data);
    fill_if_asked(data, whole, whole, split.train);
  }
  Dataset test = whole;
  if (has_test(data)) {
    test = data.test_values != nullptr ? *data.test_values
                                       : read_test(data.test, data.test_label, data.read);
    // Filled values of the training rows have the mean that they were filled with.
    fill_if_asked(data, test, whole, split.train);
    split.test = iota(test.rows());
  }
  const Holdout holdout{&whole, std::move(split.train), &test, std::move(split.test)};
  for (std::size_t m = 0; m < chosen.size(); ++m)
    judge(plan, data, holdout, chosen[m].ranking,
          std::span(rows).subspan(m * task.ks.size(), task.ks.size()), context);
  return rows;
}

}  // namespace quickselection
