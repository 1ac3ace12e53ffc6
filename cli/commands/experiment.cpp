// cli/commands/experiment.cpp: the command `experiment`: what a file describes.
#include "experiment/experiment_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "cli/commands/commands.h"
#include "cli/experiment_options.h"
#include "cli/terminal.h"
#include "core/atomic_file.h"
#include "experiment/history.h"
#include "experiment/results_file.h"
#include "quickselection/error.h"

namespace quickselection::cli {
namespace {

struct ExperimentCommand {
  CommonOptions common;
  FolderOptions folder;
  std::string file;
  std::vector<std::string> only, unscored;
  std::optional<int> runs, threads;
};

/// Only the data sets that are named, for a first try.
void keep_only(ExperimentFile& experiment, const std::vector<std::string>& names) {
  if (names.empty()) return;
  std::vector<ExperimentData>& data = experiment.plan.data;
  for (const std::string& name : names) {
    const bool there = std::any_of(data.begin(), data.end(),
                                   [&](const ExperimentData& one) { return one.name == name; });
    if (!there)
      throw InvalidArgument(
          fmt::format("--only names '{}', which the experiment does not have, or "
                      "which is not on this machine",
                      name));
  }
  std::vector<ExperimentData> kept;
  std::vector<GeneratedData> generated;
  for (std::size_t d = 0; d < data.size(); ++d) {
    if (std::find(names.begin(), names.end(), data[d].name) == names.end()) continue;
    for (GeneratedData one : experiment.generated)
      if (one.data == d) {
        one.data = kept.size();
        generated.push_back(std::move(one));
      }
    kept.push_back(data[d]);
  }
  data = std::move(kept);
  experiment.generated = std::move(generated);
}

void run_history(const ExperimentCommand& command, const ExperimentFile& experiment) {
  const ExperimentPlan& plan = experiment.plan;
  const ExperimentData& data = plan.data.at(0);
  const std::filesystem::path out = command.folder.out;
  std::filesystem::create_directories(out);
  ReadOptions reading = data.read;
  reading.rows = data.train_rows;
  const Dataset train = read(data.path, reading);
  const std::size_t k = (data.k.empty() ? plan.k : data.k).at(0);
  History history;
  {
    ProgressPrinter printer(command.common.quiet);
    RunContext context;
    context.threads = plan.threads;
    context.progress = std::ref(printer);
    context.stop = &stop_flag();
    history = follow_training(plan, experiment.epochs, train, context);
  }
  write_file(out / "strength.csv", strength_csv(history, k));
  write_file(out / "chosen.csv", chosen_csv(history, k));
  if (train.feature_shape.size() == 2) {
    for (const HistoryMark& mark : history.marks)
      write_file(out / fmt::format("chosen_epoch_{}.pgm", mark.epoch),
                 chosen_image(mark, k, train.feature_shape));
    if (train.labels)
      write_file(out / "class_averages.pgm", class_averages_image(history, k, train));
  }
  say(command.common.quiet, fmt::format("results: {}", out.string()));
}

void run(const ExperimentCommand& command) {
  const bool quiet = command.common.quiet;
  const char* const data_folder = std::getenv("QUICKSELECTION_DATA");
  ExperimentFile experiment =
      read_experiment(command.file, data_folder == nullptr ? "" : data_folder, command.folder.out);
  if (command.runs) experiment.plan.runs = *command.runs;
  if (command.threads) experiment.plan.threads = *command.threads;
  say(quiet,
      experiment.title + (experiment.paper.empty() ? "" : fmt::format(" ({})", experiment.paper)));
  for (const std::string& skipped : experiment.skipped) warn(skipped);
  keep_only(experiment, command.only);
  if (experiment.plan.data.empty())
    throw Error("none of the data of this experiment is on this machine",
                "set QUICKSELECTION_DATA to the folder that holds it");
  check_outputs(command.folder, command.common);
  const ExperimentFolder folder{command.folder.out, "experiment", command.folder.go_on};
  check_folder(folder);
  RunContext context;
  context.stop = &stop_flag();
  generate_data(experiment, context);
  if (experiment.kind == ExperimentKind::history) {
    run_history(command, experiment);
    return;
  }
  const auto rows = run_with_progress(experiment.plan, folder, quiet);
  std::optional<Grid> grid;
  if (experiment.kind == ExperimentKind::tune) grid = grid_of(experiment.plan.methods);
  std::optional<Measure> criterion;
  if (experiment.criterion != Measure::classification) criterion = experiment.criterion;
  show_summary(experiment.plan, rows, command.folder, command.common, command.unscored,
               grid ? &*grid : nullptr, criterion);
}

}  // namespace

void add_experiment(Parser& app) {
  auto command = std::make_shared<ExperimentCommand>();
  Parser& sub =
      *app.add_subcommand("experiment", "Run an experiment that a file describes (experiments/)");
  sub.add_option("FILE", command->file, "Description in JSON; docs/experiments.md has the format")
      ->required()
      ->existing_file();
  add_folder(sub, command->folder, true);
  sub.add_option("--only", command->only, "Only these data sets, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAMES");
  add_unscored(sub, command->unscored);
  sub.add_option("--runs", command->runs, "Another number of runs than the file says")
      ->type_name("R");
  sub.add_option("--threads", command->threads, "Another number of threads than the file says")
      ->between(0, 4096)
      ->type_name("N");
  sub.add_option("--json", command->common.json, "Write the summary for machines to this file")
      ->type_name("FILE");
  sub.add_flag("--quiet,-q", command->common.quiet, "Print nothing but errors and warnings");
  sub.footer(
      "Data is looked for in the folder QUICKSELECTION_DATA. What is not there is skipped by "
      "name,\n"
      "with where to get it. Generated data is made in DIR/data.\n"
      "\nExamples:\n"
      "  quickselection experiment experiments/accuracy.json --out accuracy\n"
      "  quickselection experiment experiments/accuracy.json --out try --only Madelon --runs 1\n"
      "  quickselection experiment experiments/accuracy.json --out accuracy --continue");
  sub.callback([command] { run(*command); });
}

}  // namespace quickselection::cli
