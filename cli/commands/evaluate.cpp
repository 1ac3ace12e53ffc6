// cli/commands/evaluate.cpp: the command `evaluate`: how good are the first K features of a
// ranking?
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/common.h"
#include "cli/evaluation_result.h"
#include "cli/ranking_file.h"
#include "cli/terminal.h"
#include "core/atomic_file.h"
#include "core/meters.h"
#include "data/dataset/missing.h"
#include "quickselection/error.h"
#include "quickselection/evaluation.h"
#include "quickselection/split.h"
#include "quickselection/stability.h"
#include "report/evaluation_report.h"
#include "report/page.h"

namespace quickselection::cli {
namespace {

constexpr double kDefaultSplit = 0.2;
constexpr std::size_t kDefaultK = 50;

struct EvaluateCommand {
  CommonOptions common;
  DataOptions data;
  std::string k, ranking, test, test_label, test_rows, report;
  std::vector<std::string> stability;
  std::optional<double> split;
  std::optional<int> folds;
  std::uint64_t split_seed = kSplitSeed;
  bool no_baselines = false;
  std::vector<GivenOption> given;
};

/// Refuses what can be refused before anything is read.
void check(const EvaluateCommand& command) {
  const std::pair<const char*, bool> ways[] = {{"--test", !command.test.empty()},
                                               {"--test-rows", !command.test_rows.empty()},
                                               {"--split", command.split.has_value()},
                                               {"--folds", command.folds.has_value()}};
  std::vector<std::string> used;
  for (const auto& [name, given] : ways)
    if (given) used.emplace_back(name);
  if (used.size() > 1)
    throw InvalidArgument(fmt::format("{} and {} cannot be used together", used[0], used[1]),
                          "each of them says which rows are tested on; give one");
  if (!command.test_label.empty() && command.test.empty())
    throw InvalidArgument("--test-label is given, but --test is not",
                          "labels of --test-rows are among those of DATA");
  const std::string& label = command.data.read.label;
  if (!command.test.empty() && command.test_label.empty() && std::filesystem::exists(label))
    throw InvalidArgument(
        fmt::format("--label names the file {}, which cannot hold the labels of --test too", label),
        "name them with --test-label FILE");
  if (!command.common.json.empty()) check_writable(command.common.json);
}

/// Means are those of the training rows, so they are not known before the rows are split.
void keep_until_split(DataOptions& options) {
  if (options.missing == "mean") options.missing = "keep";
}

/// With --test-rows, --rows are the training rows, and both are counted in the whole file.
Dataset read_training(const EvaluateCommand& command) {
  DataOptions options = command.data;
  if (!command.test_rows.empty()) options.rows.clear();
  keep_until_split(options);
  return read_data(options, command.common.quiet);
}

std::optional<Dataset> read_test(const EvaluateCommand& command) {
  if (command.test.empty()) return std::nullopt;
  DataOptions options = command.data;
  options.path = command.test;
  options.rows.clear();
  keep_until_split(options);
  if (!command.test_label.empty()) options.read.label = command.test_label;
  return read_data(options, command.common.quiet);
}

std::vector<Holdout> holdouts_of(const EvaluateCommand& command, const Dataset& data,
                                 const std::optional<Dataset>& test) {
  if (test) return {make_holdout(data, *test)};
  std::vector<Split> splits;
  if (!command.test_rows.empty()) {
    std::optional<RowRange> train;
    if (!command.data.rows.empty()) train = parse_rows(command.data.rows);
    splits = {split_ranges(data.rows(), train, parse_rows(command.test_rows, "--test-rows"))};
  } else if (command.folds) {
    splits = split_folds(data, *command.folds, command.split_seed);
  } else {
    splits = {split_rows(data, command.split.value_or(kDefaultSplit), command.split_seed)};
  }
  std::vector<Holdout> holdouts;
  for (Split& split : splits)
    holdouts.push_back({&data, std::move(split.train), &data, std::move(split.test)});
  return holdouts;
}

/// With --missing mean: data without missing values for each holdout that has any. The copies live
/// in `filled`.
void fill_with_means(std::vector<Holdout>& holdouts, std::deque<Dataset>& filled) {
  for (Holdout& holdout : holdouts) {
    const Dataset& train = *holdout.train;
    if (holdout.test->features() != train.features()) return;  // `evaluate` says so
    const auto fill = [&](const Dataset& data) {
      if (find_missing(data).count == 0) return &data;
      filled.push_back(data);
      fill_missing(filled.back(), train, holdout.train_rows);
      return static_cast<const Dataset*>(&filled.back());
    };
    const bool same = holdout.test == holdout.train;
    const Dataset* const test = same ? nullptr : fill(*holdout.test);
    holdout.train = fill(train);
    holdout.test = same ? holdout.train : test;
  }
}

/// For each K, what the rankings of --stability have in common.
std::vector<Stability> stabilities_of(const EvaluateCommand& command, const Dataset& data,
                                      const std::vector<std::size_t>& ks) {
  std::vector<std::vector<std::uint32_t>> rankings;
  for (const std::string& path : command.stability)
    for (auto& ranking : read_rankings(path, data)) rankings.push_back(std::move(ranking));
  if (rankings.empty()) return {};
  if (rankings.size() == 1)
    throw InvalidArgument(fmt::format("{} holds one ranking, which cannot be compared with itself",
                                      command.stability[0]),
                          "`select --runs 10 --run-rankings FILE` writes several; --stability may "
                          "also be given once for each file");
  std::vector<Stability> found;
  for (const std::size_t k : ks)
    if (k < data.features()) found.push_back(stability(rankings, data.features(), k));
  return found;
}

std::string title_of(const std::vector<Holdout>& holdouts, const EvaluationOptions& options) {
  const Holdout& first = holdouts[0];
  std::string text = fmt::format("{} training rows, {} test rows", first.train_rows.size(),
                                 first.test_rows.size());
  if (holdouts.size() > 1) text = fmt::format("{} folds, the first: {}", holdouts.size(), text);
  if (first.train->labels)
    text +=
        fmt::format(", {} classes; {} of {} trees", first.train->labels->classes.size(),
                    options.classifier == Classifier::extra_trees ? "extra-trees" : "random-forest",
                    options.trees);
  return text;
}

void run(EvaluateCommand& command) {
  const Stopwatch total;
  EnergyMeter energy;
  const bool quiet = command.common.quiet;
  check(command);
  command.given.push_back({"seed", std::to_string(command.common.seed)});
  if (!command.k.empty()) command.given.push_back({"k", command.k});
  EvaluationOptions options = parse_evaluation_options(command.given);
  options.baselines = !command.no_baselines;
  if (!command.report.empty()) {
    check_reports();
    check_writable(command.report);
  }

  const Dataset data = read_training(command);
  const std::optional<Dataset> test = read_test(command);
  Measured measured;
  measured.read_seconds = total.seconds();
  const auto ranking = read_ranking(command.ranking, data);
  if (command.k.empty()) options.k = {std::min(kDefaultK, ranking.size())};
  auto holdouts = holdouts_of(command, data, test);
  std::deque<Dataset> filled;
  if (command.data.missing == "mean") fill_with_means(holdouts, filled);
  if (!filled.empty())
    say(quiet,
        "note: missing values: the mean of each feature in the training rows takes their place");
  const auto stabilities = stabilities_of(command, data, options.k);
  say(quiet, title_of(holdouts, options));
  Evaluation evaluation;
  {
    ProgressPrinter printer(quiet);
    evaluation = evaluate(holdouts, ranking, options,
                          {command.common.threads, std::ref(printer), &stop_flag()});
  }
  measured.energy = energy.read();
  measured.total_seconds = total.seconds();
  if (!command.report.empty())
    write_file(command.report,
               evaluation_report({data, evaluation, options, command.ranking, measured}));
  if (!command.common.json.empty())
    write_json(command.common.json, to_json(evaluation, stabilities));
  say(quiet, readable(evaluation, stabilities));
  for (const std::string& note : evaluation.notes) say(quiet, "note: " + note);
}

constexpr const char* kExplanation =
    "What is judged:\n"
    "  classified  accuracy on the test rows of a classifier that was trained on the K features\n"
    "  clustered   accuracy, NMI and ARI of k-means on the K features of the training rows\n"
    "  rebuilt     share of the variance of all features in the test rows that the K explain;\n"
    "              this one needs no labels\n"
    "Beside each: K features drawn at random (chance) and all features (the ceiling).\n";

}  // namespace

void add_evaluate(Parser& app) {
  auto command = std::make_shared<EvaluateCommand>();
  Parser& sub = *app.add_subcommand(
      "evaluate", "Judge the first K features of a ranking: accuracy, clusters, reconstruction");
  add_data(sub, command->data);
  sub.add_option("--ranking", command->ranking, "Ranking of the features of DATA, best first")
      ->required()
      ->type_name("FILE.csv");
  sub.add_option("-k,--k", command->k, "How many of the best features; several as 10,25,50")
      ->type_name("K")
      ->default_str("50, or all that are ranked");
  sub.add_option("--test", command->test, "Test on the rows of this file, train on DATA")
      ->type_name("FILE");
  sub.add_option("--test-label", command->test_label, "Labels of --test, when --label is a file")
      ->type_name("COLUMN|FILE");
  sub.add_option("--test-rows", command->test_rows,
                 "Test on rows A to B-1; train on --rows, or on all others")
      ->type_name("A:B");
  sub.add_option("--split", command->split,
                 "Test on this share of the rows, drawn at random from each class")
      ->type_name("SHARE")
      ->default_str("0.2");
  sub.add_option("--folds", command->folds, "Test on every row once, in so many folds")
      ->type_name("N");
  sub.add_option("--split-seed", command->split_seed, "Seed of --split and --folds")
      ->capture_default_str()
      ->type_name("N");
  sub.add_flag("--no-baselines", command->no_baselines,
               "Do without random features and all features: faster, but what is good?");
  sub.add_option("--stability", command->stability,
                 "Rankings of several runs (`select --runs 10 --run-rankings FILE`): how much do "
                 "their first K have in common? May be repeated, with one ranking each")
      ->type_name("FILE.csv")
      ->allow_extra_args(false);
  sub.add_option("--report", command->report, "Write a page to look at")->type_name("FILE.html");
  add_common(sub, command->common);
  std::vector<OptionInfo> options = evaluation_options();
  std::erase_if(options, [](const OptionInfo& option) {
    return option.name == "seed" || option.name == "k" || option.name == "baselines";
  });
  add_given(sub, options, command->given);
  sub.allow_extras();
  sub.footer(std::string(kExplanation) + "\nOptions of the judges:\n" + option_lines(options) +
             "\nExamples:\n"
             "  quickselection evaluate data.csv --ranking ranking.csv -k 10,25,50\n"
             "  quickselection evaluate train.npz --test test.npz --ranking ranking.csv -k 50\n"
             "  quickselection evaluate data.csv --ranking ranking.csv --folds 5 --removal 10");
  sub.callback([command, &sub] {
    refuse_extras(sub);
    run(*command);
  });
}

}  // namespace quickselection::cli
