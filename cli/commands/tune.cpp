// cli/commands/tune.cpp: the command `tune`: a grid over the options of a method.
#include <memory>

#include "cli/commands/commands.h"
#include "cli/experiment_options.h"
#include "core/processes/comm.h"
#include "quickselection/error.h"

namespace quickselection::cli {
namespace {

struct TuneCommand {
  ExperimentOptions options;
  std::string method = "quickselection", criterion = "auto";
};

/// An option with several values is an axis.
Grid grid_of_command(const TuneCommand& command) {
  Grid grid;
  grid.method = command.method;
  for (const GivenOption& option : command.options.given) {
    if (option.text.find(',') == std::string::npos) {
      grid.fixed.push_back(option);
      continue;
    }
    GridAxis& axis = grid.axes.emplace_back(GridAxis{option.name, {""}});
    for (const char c : option.text) {
      if (c == ',')
        axis.values.emplace_back();
      else
        axis.values.back() += c;
    }
  }
  return grid;
}

std::optional<Measure> criterion_of(const std::string& name) {
  if (name == "auto") return std::nullopt;
  return name == "clustering"       ? Measure::clustering
         : name == "reconstruction" ? Measure::reconstruction
         : name == "regression"     ? Measure::regression
                                    : Measure::classification;
}

void run(const Parser& sub, const TuneCommand& command) {
  const ExperimentOptions& options = command.options;
  const ExperimentFolder folder{options.folder.out, "tune", options.folder.go_on};
  ExperimentPlan plan;
  if (continues_alone(sub, options)) {
    plan = read_plan(folder);
  } else {
    plan = plan_of(sub, options);
    plan.share_epochs = true;
    plan.methods = grid_methods(grid_of_command(command));
    if (command.criterion == "reconstruction" && !plan.reconstruction) plan.reconstruction = true;
  }
  if (comm::speaks()) {
    check_outputs(plan, options.folder, options.common);
    if (!options.folder.go_on) check_ks(plan);
  }
  const auto rows = run_with_progress(plan, folder, options.common.quiet);
  if (!comm::speaks()) return;
  const Grid grid = grid_of(plan.methods);
  show_summary(plan, rows, options.folder, options.common, {}, &grid,
               criterion_of(command.criterion));
}

}  // namespace

void add_tune(Parser& app) {
  auto command = std::make_shared<TuneCommand>();
  Parser& sub = *app.add_subcommand("tune", "Try a grid of a method's options");
  sub.add_option("--method", command->method, "Method; `quickselection methods` lists them")
      ->capture_default_str()
      ->type_name("NAME");
  sub.add_option("--criterion", command->criterion,
                 "What is best: classification, regression, clustering or reconstruction; auto is "
                 "the first or second with labels, the last without")
      ->check(
          CLI::IsMember({"auto", "classification", "regression", "clustering", "reconstruction"}))
      ->capture_default_str();
  add_experiment_options(sub, command->options);
  sub.footer(
      "Any option of the method with several values is an axis of the grid; values are separated\n"
      "by commas. Several --epochs come from one training where the method allows it: the result\n"
      "is the same, bit for bit. With --out the grid can be interrupted and continued.\n"
      "\nExamples:\n"
      "  quickselection tune data.csv -k 50 --epsilon 2,5,10,13,20,25 --zeta 0.1,0.2,0.3,0.4,0.5 "
      "--epochs 10,100\n"
      "  quickselection tune data.csv -k 50 --noise 0,0.2,0.4,0.6,0.8 --epochs 10,100 --out noise\n"
      "  quickselection tune --continue --out noise");
  on_call(
      sub, [command, &sub] { run(sub, *command); }, Processes::apart);
}

}  // namespace quickselection::cli
