// cli/commands/experiment.cpp: the command `experiment`: what a file describes.
#include "experiment/experiment_file.h"

#include <fmt/format.h>

#include <cstdlib>
#include <memory>

#include "cli/commands/commands.h"
#include "cli/experiment_options.h"
#include "cli/terminal.h"
#include "core/processes/comm.h"
#include "core/team.h"
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
  const ExperimentFolder folder{command.folder.out, "experiment", command.folder.go_on};
  RunContext context;
  context.stop = &stop_flag();
  if (comm::speaks()) {
    check_outputs(experiment.plan, command.folder, command.common, command.file);
    check_folder(folder);
    generate_data(experiment, context);
  }
  if (experiment.kind == ExperimentKind::history) {
    if (!comm::speaks()) return;  // it is one training
    {
      ProgressPrinter printer(quiet);
      context.progress = std::ref(printer);
      run_history(experiment.plan, experiment.epochs, folder.path, context);
    }
    say(quiet, fmt::format("results: {}", folder.path));
    return;
  }
  const auto rows = run_with_progress(experiment.plan, folder, quiet);
  if (!comm::speaks()) return;
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
      ->required();
  add_folder(sub, command->folder, true);
  sub.add_option("--only", command->only, "Only these data sets, separated by commas")
      ->type_name("NAMES")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_unscored(sub, command->unscored);
  sub.add_option("--runs", command->runs, "Another number of runs than the file says")
      ->type_name("R");
  sub.add_option("--threads", command->threads, "Another number of threads than the file says")
      ->type_name("N")
      ->check(CLI::Range(0, kMostThreads));
  add_output(sub, command->common);
  sub.footer(
      "Data is looked for in the folder QUICKSELECTION_DATA. What is not there is skipped by "
      "name,\n"
      "with where to get it. Generated data is made in DIR/data.\n"
      "\nExamples:\n"
      "  quickselection experiment experiments/accuracy.json --out accuracy\n"
      "  quickselection experiment experiments/accuracy.json --out try --only Madelon --runs 1\n"
      "  quickselection experiment experiments/accuracy.json --out accuracy --continue");
  sub.callback([command] {
    const comm::Alone alone;
    run(*command);
  });
}

}  // namespace quickselection::cli
