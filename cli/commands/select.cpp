// cli/commands/select.cpp: the command `select`.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/common.h"
#include "cli/ranking_file.h"
#include "cli/result.h"
#include "cli/terminal.h"
#include "core/atomic_file.h"
#include "core/meters.h"
#include "data/formats/write.h"
#include "quickselection/error.h"
#include "quickselection/stability.h"
#include "report/page.h"
#include "report/selection_report.h"

namespace quickselection::cli {
namespace {

constexpr int kDefaultRuns = 10;  // with --bootstrap

struct SelectCommand {
  CommonOptions common;
  DataOptions data;
  SelectOptions select;
  std::optional<std::int64_t> k;
  std::string scale, ranking, run_rankings, selected, report, image, memory;
  std::optional<int> runs;
  bool bootstrap = false;

  int runs_asked() const { return runs.value_or(bootstrap ? kDefaultRuns : 1); }
  bool repeats() const { return bootstrap || runs_asked() != 1; }
};

/// Refused before data is read: the parser by itself would take -1 for a huge number.
void check_k(const std::optional<std::int64_t>& asked) {
  if (asked && *asked < 1)
    throw InvalidArgument(fmt::format("-k is {}, but must be at least 1", *asked));
}

void run(SelectCommand& command) {
  const Stopwatch total;
  EnergyMeter energy;
  const bool quiet = command.common.quiet;
  SelectOptions& options = command.select;
  options.seed = command.common.seed;
  if (!command.scale.empty()) options.scale = scale_mode(command.scale);
  // Everything that can be refused is refused before the long work begins.
  check_k(command.k);
  options.k = static_cast<std::size_t>(command.k.value_or(0));
  RepeatOptions repeat{command.runs_asked(), command.bootstrap};
  if (command.repeats())
    check_options(options, repeat);
  else
    check_options(options);
  if (!command.run_rankings.empty() && !command.repeats())
    throw InvalidArgument("--run-rankings needs several runs", "add --runs 10");
  const std::size_t memory = parse_bytes(command.memory, "memory");
  check_image_shape(command.image);
  if (!command.report.empty()) check_reports();
  for (const std::string& path :
       {command.common.json, command.ranking, command.run_rankings, command.report})
    if (!path.empty()) check_writable(path);
  if (!command.selected.empty()) check_dataset_writable(command.selected);

  const Stopwatch reading;
  const Dataset data = read_data(command.data, quiet);
  Measured measured;
  measured.read_seconds = reading.seconds();
  const std::size_t k = resolve_k(options.k, data.features());
  const auto image = image_shape(command.image, data);

  RepeatedSelection repeated;
  Selection& selection = repeated.selection;
  StrengthHistory history;
  {
    ProgressPrinter printer(quiet);
    RunContext context{command.common.threads, std::ref(printer), &stop_flag(), memory};
    repeat.k = k;
    if (command.repeats()) {
      repeated = select_repeatedly(data, options, repeat, context);
    } else {
      if (!command.report.empty())
        context.after_epoch = [&](const EpochEnd& end) { history.add(end); };
      selection = select_features(data, options, context);
    }
  }
  const std::optional<Stability>& stability = repeated.stability;
  if (!command.ranking.empty())
    write_file(command.ranking, ranking_csv(data, selection,
                                            stability ? std::span(stability->frequency)
                                                      : std::span<const double>()));
  if (!command.run_rankings.empty())
    write_file(command.run_rankings, run_rankings_csv(repeated.rankings));
  if (!command.selected.empty())
    write_dataset(command.selected, data, std::span(selection.ranking).first(k));
  measured.energy = energy.read();
  measured.total_seconds = total.seconds();
  if (!command.report.empty()) {
    SelectionReport report{data, selection, k, measured, &history, image};
    if (stability)
      report.stability.emplace(StabilityReport{*stability, describe(*stability, repeated.runs_are),
                                               near_chance(*stability)});
    write_file(command.report, selection_report(report));
  }
  if (!command.common.json.empty()) {
    auto json = to_json(data, selection, k, measured);
    if (command.repeats()) {
      json["runs"] = repeat.runs;
      json["runs_at_once"] = repeated.at_once;
      json["bootstrap"] = repeat.bootstrap;
    }
    if (stability) json["stability"] = to_json(*stability);
    write_json(command.common.json, json);
  }
  for (const std::string& note : selection.notes) say(quiet, "note: " + note);
  for (const Warning& warning : selection.warnings) warn(warning.text);
  say(quiet, readable(data, selection, k, measured, stability));
  if (stability) say(quiet, readable(repeated));
}

}  // namespace

void add_select(Parser& app) {
  auto command = std::make_shared<SelectCommand>();
  Parser& sub = *app.add_subcommand("select", "Rank all features of DATA and show the best K");
  add_data(sub, command->data);
  sub.add_option("-k", command->k, "Features to select; the ranking holds all of them anyway")
      ->type_name("K")
      ->default_str("50, or all if there are fewer");
  sub.add_option("--method", command->select.method, "Method; `quickselection methods` lists them")
      ->capture_default_str()
      ->type_name("NAME");
  sub.add_option(
         "--scale", command->scale,
         "How features are scaled: standard, minmax, center (one scale for all), log (center "
         "after log(1+x)), deviation (not centred), none; unset = what the method wants")
      ->type_name("MODE");
  sub.add_option("--clip", command->select.clip, "Bound scaled values by +-Z; 0 = no bound")
      ->capture_default_str()
      ->type_name("Z");
  sub.add_option(
         "--ranking", command->ranking,
         "Write rank,feature,name,score of all features; with --runs also the share of runs that "
         "chose each")
      ->type_name("FILE.csv");
  sub.add_option("--selected", command->selected,
                 "Write the chosen columns in their original order, in the format of the ending")
      ->type_name("FILE");
  sub.add_option("--report", command->report, "Write a page to look at")->type_name("FILE.html");
  sub.add_option("--image", command->image,
                 "The report shows features as an image of this height and width; IDX images and "
                 "arrays of three dimensions are recognised")
      ->type_name("HxW");
  sub.add_option("--checkpoint", command->select.checkpoint, "Save the state of the training here")
      ->type_name("FILE");
  sub.add_option("--checkpoint-every", command->select.checkpoint_every,
                 "Epochs between two checkpoints; Ctrl-C saves one too")
      ->capture_default_str()
      ->type_name("N");
  sub.add_option("--resume", command->select.resume, "Continue a training from its checkpoint")
      ->type_name("FILE");
  sub.add_option(
         "--memory", command->memory,
         "Bound on memory, such as 512M or 4G: a .npy or IDX file larger than half of it is "
         "read in windows of shuffled blocks")
      ->type_name("SIZE");
  sub.add_option("--runs", command->runs,
                 "Select so many times with different seeds, rank by the mean score, and say how "
                 "stable the selection is")
      ->type_name("R");
  sub.add_flag("--bootstrap", command->bootstrap,
               "Each of the --runs (10 unless given) sees another sample of the rows, drawn with "
               "replacement: how much does the selection depend on the rows?");
  sub.add_option("--run-rankings", command->run_rankings,
                 "Write the ranking of every run; `evaluate --stability` reads it")
      ->type_name("FILE.csv");
  add_common(sub, command->common);
  for (const MethodInfo& method : methods())
    add_given(sub, method.options, command->select.method_options);
  sub.allow_extras();
  sub.footer(
      "Options of the method quickselection (`quickselection methods NAME` shows others):\n" +
      option_lines(method_info("quickselection").options) +
      "\nExamples:\n  quickselection select genes.csv -k 100 --epochs 50 --ranking ranking.csv\n"
      "  quickselection select genes.csv -k 100 --runs 10 --ranking ranking.csv --report "
      "page.html");
  sub.callback([command, &sub] {
    refuse_extras(sub);
    run(*command);
  });
}

}  // namespace quickselection::cli
