// cli/commands/select.cpp: the command `select`.
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/common.h"
#include "cli/result.h"
#include "cli/terminal.h"
#include "core/files/atomic_file.h"
#include "core/processes/comm.h"
#include "core/processes/memory_bound.h"
#include "core/processes/meters.h"
#include "data/formats/write.h"
#include "evaluation/evaluation_fields.h"
#include "quickselection/error.h"
#include "quickselection/explained.h"
#include "quickselection/ranking_file.h"
#include "quickselection/stability.h"
#include "report/reports.h"
#include "selectors/selection_fields.h"

namespace quickselection::cli {
namespace {

constexpr int kDefaultRuns = 10;  // with --bootstrap

struct SelectCommand {
  CommonOptions common;
  DataOptions data;
  SelectOptions select;
  CheckOptions check;
  RepeatOptions repeat{.runs = 1};
  std::string ranking, run_rankings, selected, report, image;
  std::size_t memory = 0;
};

/// Processes on different machines may find different files under one name.
void check_same_data(const Dataset& data) {
  if (comm::size() == 1) return;
  std::string own = fmt::format("{} rows x {} features of type {}", data.rows(), data.features(),
                                name_of(data.type()));
  const std::string first = comm::broadcast(own);
  std::string values;  // some of them
  constexpr std::size_t kLooks = 16;
  for (std::size_t i = 0; data.rows() > 0 && data.features() > 0 && i <= kLooks; ++i)
    values += fmt::format(
        "{} ", data.at(i * (data.rows() - 1) / kLooks, i * (data.features() - 1) / kLooks));
  if (comm::broadcast(values) != values && own == first) own = "other values";
  comm::together([&] {
    if (own != first)
      throw Error(fmt::format("{} has {} for process 0, but {} for process {}", data.source, first,
                              own, comm::rank()),
                  "all processes must find the same file");
  });
}

void run(const Parser& sub, SelectCommand& command) {
  const Stopwatch total;
  EnergyMeter energy;
  const bool quiet = command.common.quiet;
  const SelectOptions& options = command.select;
  RepeatOptions& repeat = command.repeat;
  if (repeat.bootstrap && sub.count("--runs") == 0) repeat.runs = kDefaultRuns;
  const bool repeats = repeat.bootstrap || repeat.runs != 1;
  // Several runs are handed out whole.
  std::optional<comm::Alone> alone;
  if (repeats) alone.emplace();
  // Everything that can be refused is refused before the long work begins.
  if (repeats)
    check_options(options, repeat);
  else
    check_options(options);
  if (!command.run_rankings.empty() && !repeats)
    throw InvalidArgument("--run-rankings needs several runs", "add --runs 10");
  check_image_shape(command.image);
  std::vector<std::string> inputs = inputs_of(command.data);
  if (options.resume != options.checkpoint) inputs.push_back(options.resume);
  comm::together([&] {
    if (!comm::speaks()) return;
    check_outputs({{command.common.json, command.ranking, command.run_rankings, options.checkpoint},
                   command.selected,
                   command.report},
                  inputs);
  });

  const Stopwatch reading;
  Dataset data;
  comm::together([&] {
    std::optional<MemoryBound> bound;
    if (command.memory > 0) bound.emplace(command.memory);
    data = read_data(command.data, quiet);
  });
  check_same_data(data);
  if (comm::size() > 1 && data.backing() != Backing::file)
    say_notes({fmt::format("every process has read all of {}: of a .npy file, which "
                           "`quickselection convert` makes, each reads its own rows",
                           data.source)},
              quiet);
  Measured measured;
  measured.read_seconds = reading.seconds();
  if (command.check.k) resolve_k(*command.check.k, data.ranked_count());
  const auto image = image_shape(command.image, data);

  CheckedSelection checked;
  StrengthHistory history;
  {
    ProgressPrinter printer(quiet);
    RunContext context{command.common.threads, std::ref(printer), &stop_flag(), command.memory};
    if (!command.report.empty() && !repeats)
      context.after_epoch = [&](const EpochEnd& end) { history.add(end); };
    checked = select_checked(data, options, repeat, command.check, context);
  }
  if (!comm::speaks()) return;  // process 0 has everything, and writes it
  const Selection& selection = checked.selection;
  const std::size_t k = selection.k;
  const std::optional<Stability>& stability = checked.stability;
  OutputBatch outputs;
  if (!command.ranking.empty())
    write_file(command.ranking, ranking_csv(data, selection,
                                            stability ? std::span(stability->frequency)
                                                      : std::span<const double>()));
  if (!command.run_rankings.empty())
    write_file(command.run_rankings, run_rankings_csv(checked.rankings));
  if (!command.selected.empty())
    write_dataset(command.selected, data, data.columns_of(std::span(selection.ranking).first(k)));
  measured.energy = energy.read();
  measured.total_seconds = total.seconds();
  if (!command.report.empty())
    write_file(
        command.report,
        selection_report(
            {data, selection, k, measured, &history, image, {}, stability, checked.explained}));
  if (!command.common.json.empty()) {
    Json json = json_of(data, selection, k, measured);
    if (comm::size() > 1) {
      json["processes"] = comm::size();
      json["bytes_sent"] = comm::bytes_sent();
      json["bytes_for_a_step"] = comm::bytes_of_last_step();
    }
    if (repeats) {
      json["runs"] = repeat.runs;
      json["runs_at_once"] = checked.at_once;
      json["bootstrap"] = repeat.bootstrap;
    }
    if (stability) json["stability"] = quickselection::json_of(*stability);
    if (checked.explained) json["explained"] = quickselection::json_of(*checked.explained);
    write_json(command.common.json, json);
  }
  outputs.commit();
  say_notes(selection.notes, quiet);
  for (const Warning& warning : selection.warnings) warn(warning.text);
  say(quiet, readable(data, selection, k, measured, stability));
  if (checked.explained) say(quiet, describe(*checked.explained));
  if (stability) say(quiet, readable(*stability));
}

}  // namespace

void add_select(Parser& app) {
  auto command = std::make_shared<SelectCommand>();
  Parser& sub = *app.add_subcommand("select", "Rank all features of DATA and show the best K");
  add_data(sub, command->data);
  add_fields(sub, command->select, {"k"});
  add_fields(sub, command->check);
  sub.get_option("-k")->type_name("N|auto")->default_str("50, or all if there are fewer");
  sub.add_option(
         "--ranking", command->ranking,
         "Write rank,feature,name,score of all features; with --runs also the share of runs that "
         "chose each")
      ->type_name("FILE.csv");
  add_path(sub, "--selected", command->selected,
           "Write the chosen columns in their original order, in the format of the ending");
  add_path(sub, "--report", command->report, "Write a page to look at", "FILE.html");
  sub.add_option("--image", command->image,
                 "The report shows features as an image of this height and width; IDX images and "
                 "arrays of three dimensions are recognised")
      ->type_name("HxW");
  add_field(
      sub, "memory", command->memory, AnyBytes{},
      "Bound on memory, such as 512M or 4G: a .npy or IDX file larger than half of it is read "
      "in windows of shuffled blocks");
  add_fields(sub, command->repeat);
  sub.add_option("--run-rankings", command->run_rankings,
                 "Write the ranking of every run; `evaluate --stability` reads it")
      ->type_name("FILE.csv");
  add_common(sub, command->common);
  for (const MethodInfo& method : methods())
    add_given(sub, method.options, command->select.method_options);
  sub.footer(
      "Options of the method quickselection (`quickselection methods NAME` shows others):\n" +
      option_lines(method_info("quickselection").options) +
      "\nExamples:\n  quickselection select genes.csv -k 100 --epochs 50 --ranking ranking.csv\n"
      "  quickselection select genes.csv -k 100 --runs 10 --ranking ranking.csv --report "
      "page.html");
  on_call(
      sub,
      [command, &sub] {
        if (sub.count("--memory") > 0 && command->memory == 0)
          throw InvalidArgument("‹memory› is '0', which is not an amount of memory",
                                "for example 512M or 4G");
        run(sub, *command);
      },
      Processes::together);
}

}  // namespace quickselection::cli
