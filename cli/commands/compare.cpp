// cli/commands/compare.cpp: the command `compare`: methods measured side by side.
#include <memory>

#include "cli/commands/commands.h"
#include "cli/experiment_options.h"
#include "core/processes/comm.h"
#include "quickselection/error.h"

namespace quickselection::cli {
namespace {

struct CompareCommand {
  ExperimentOptions options;
  std::string methods;
  std::vector<std::string> unscored;
};

void run(const Parser& sub, const CompareCommand& command) {
  const ExperimentOptions& options = command.options;
  if (options.folder.out.empty())
    throw InvalidArgument("--out is missing", "name a folder for the results: --out results");
  const ExperimentFolder folder{options.folder.out, "compare", options.folder.go_on};
  ExperimentPlan plan;
  if (continues_alone(sub, options)) {
    plan = read_plan(folder);
  } else {
    if (command.methods.empty())
      throw InvalidArgument("--methods is missing",
                            "for example --methods quickselection,laplacian_score,mcfs");
    plan = plan_of(sub, options);
    plan.methods = parse_experiment_methods(command.methods);
    share_options(plan.methods, options.given);
  }
  if (comm::speaks()) {
    check_outputs(plan, options.folder, options.common);
    if (!options.folder.go_on) check_ks(plan);
  }
  const auto rows = run_with_progress(plan, folder, options.common.quiet);
  if (!comm::speaks()) return;
  show_summary(plan, rows, options.folder, options.common, command.unscored);
}

}  // namespace

void add_compare(Parser& app) {
  auto command = std::make_shared<CompareCommand>();
  Parser& sub = *app.add_subcommand(
      "compare", "Measure methods side by side: accuracy, time, memory, energy, scores");
  sub.add_option("--methods", command->methods,
                 "Methods, separated by commas, each as [LABEL=]METHOD[:OPTION=VALUE…]; "
                 "`quickselection methods` lists them")
      ->type_name("LIST");
  add_unscored(sub, command->unscored);
  add_experiment_options(sub, command->options);
  sub.footer(
      "Every run of every method is a process of its own, so that its peak memory is its own.\n"
      "Methods that rank all features are trained once for all K. Options of methods (--epochs "
      "10)\n"
      "go to every method that has them and does not set them itself.\n"
      "A method that fails becomes a row that says so. More: docs/experiments.md\n"
      "\nExamples:\n"
      "  quickselection compare data.csv --methods quickselection,laplacian_score,mcfs "
      "-k 10,50 --out results\n"
      "  quickselection compare a.mat b.mat -k 50 --out results --time-limit 1h \\\n"
      "    --methods QS10=quickselection:epochs=10,QS100=quickselection:epochs=100,fcae\n"
      "  quickselection compare --continue --out results");
  on_call(
      sub, [command, &sub] { run(sub, *command); }, Processes::apart);
}

}  // namespace quickselection::cli
