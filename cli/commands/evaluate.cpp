// cli/commands/evaluate.cpp: the command `evaluate`: how good are the first K features of a
// ranking?
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/common.h"
#include "cli/result.h"
#include "cli/terminal.h"
#include "core/files/atomic_file.h"
#include "core/processes/meters.h"
#include "data/formats/read_options.h"
#include "evaluation/evaluation_fields.h"
#include "quickselection/error.h"
#include "quickselection/evaluation.h"
#include "quickselection/ranking_file.h"
#include "quickselection/stability.h"
#include "report/reports.h"

namespace quickselection::cli {
namespace {

constexpr std::size_t kDefaultK = 50;

struct EvaluateCommand {
  CommonOptions common;
  DataOptions data;
  HoldoutOptions holdout;
  EvaluationOptions options;
  std::string ranking, report;
  std::vector<std::string> stability;
  bool no_baselines = false;
};

/// All rankings of --stability. Throws InvalidArgument when there is only one.
std::vector<std::vector<std::uint32_t>> stable_rankings(const EvaluateCommand& command,
                                                        const Dataset& data) {
  std::vector<std::vector<std::uint32_t>> rankings;
  for (const std::string& path : command.stability)
    for (auto& ranking : read_rankings(path, data)) rankings.push_back(std::move(ranking));
  if (rankings.size() == 1)
    throw InvalidArgument(fmt::format("{} holds one ranking, which cannot be compared with itself",
                                      command.stability[0]),
                          "`select --runs 10 --run-rankings FILE` writes several; --stability may "
                          "also be given once for each file");
  return rankings;
}

std::string title_of(const std::vector<Holdout>& holdouts, const EvaluationOptions& options) {
  const Holdout& first = holdouts[0];
  std::string text = fmt::format("{} training rows, {} test rows", first.train_rows.size(),
                                 first.test_rows.size());
  if (holdouts.size() > 1) text = fmt::format("{} folds, the first: {}", holdouts.size(), text);
  if (const auto& labels = first.train->labels)
    text += fmt::format(", {}; {} of {} trees",
                        labels->measured ? "labels are measured numbers"
                                         : fmt::format("{} classes", labels->classes.size()),
                        name_of(options.classifier), options.trees);
  return text;
}

void run(const Parser& sub, EvaluateCommand& command) {
  const Stopwatch total;
  EnergyMeter energy;
  const bool quiet = command.common.quiet;
  check_test_rows(sub, command.data.read.label, command.holdout.test, command.holdout.test_label);
  EvaluationOptions& options = command.options;
  options.baselines = !command.no_baselines;
  std::vector<std::string> inputs = inputs_of(command.data);
  inputs.insert(inputs.end(), {command.holdout.test, command.holdout.test_label, command.ranking});
  inputs.insert(inputs.end(), command.stability.begin(), command.stability.end());
  check_outputs({{command.common.json}, "", command.report}, inputs);

  const HeldOut held = read_held_out(command.data.paths, command.data.read, command.holdout);
  const Dataset& data = held.data.front();
  Measured measured;
  measured.read_seconds = total.seconds();
  const auto ranking = read_ranking(command.ranking, data);
  if (sub.count("-k") == 0) options.k = {std::min(kDefaultK, ranking.size())};
  say_notes(held.notes, quiet);
  say_decisions(data, quiet);
  std::map<std::size_t, Stability> stabilities;
  if (const auto rankings = stable_rankings(command, data); !rankings.empty())
    for (const std::size_t k : options.k)
      if (k < data.ranked_count()) stabilities[k] = stability(rankings, data.features(), k);
  say(quiet, title_of(held.holdouts, options));
  Evaluation evaluation;
  {
    ProgressPrinter printer(quiet);
    evaluation = evaluate(held.holdouts, ranking, options,
                          {command.common.threads, std::ref(printer), &stop_flag()});
  }
  for (EvaluationOfK& entry : evaluation.entries)
    if (const auto found = stabilities.find(entry.k); found != stabilities.end())
      entry.stability = found->second;
  measured.energy = energy.read();
  measured.total_seconds = total.seconds();
  OutputBatch outputs;
  if (!command.report.empty())
    write_file(command.report,
               evaluation_report({data, evaluation, options, command.ranking, measured}));
  write_json(command.common.json, json_of(evaluation));
  outputs.commit();
  say(quiet, readable(evaluation));
  say_notes(evaluation.notes, quiet);
}

constexpr const char* kExplanation =
    "What is judged:\n"
    "  classified  accuracy on the test rows of a classifier that was trained on the K features\n"
    "  predicted   instead, where labels are measured numbers (--task): share of their variance\n"
    "              in the test rows that forests predict, R²\n"
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
  add_path(sub, "--ranking", command->ranking, "Ranking of the features of DATA, best first",
           "FILE.csv")
      ->required();
  add_fields(sub, command->options, {"baselines"});
  sub.get_option("-k")->default_str("50, or all that are ranked");
  add_fields(sub, command->holdout);
  sub.add_flag("--no-baselines", command->no_baselines,
               "Do without random features and all features: faster, but what is good?");
  sub.add_option("--stability", command->stability,
                 "Rankings of several runs (`select --runs 10 --run-rankings FILE`): how much do "
                 "their first K have in common? May be repeated, with one ranking each")
      ->type_name("FILE.csv")
      ->allow_extra_args(false);
  add_path(sub, "--report", command->report, "Write a page to look at", "FILE.html");
  add_common(sub, command->common);
  sub.footer(std::string(kExplanation) +
             "\nExamples:\n"
             "  quickselection evaluate data.csv --ranking ranking.csv -k 10,25,50\n"
             "  quickselection evaluate train.npz --test test.npz --ranking ranking.csv -k 50\n"
             "  quickselection evaluate data.csv --ranking ranking.csv --folds 5 --removal 10");
  on_call(sub, [command, &sub] { run(sub, *command); });
}

}  // namespace quickselection::cli
