// cli/experiment_options.cpp: see experiment_options.h.
#include "cli/experiment_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "cli/terminal.h"
#include "core/files/atomic_file.h"
#include "core/processes/isolated.h"
#include "experiment/experiment_fields.h"
#include "experiment/results_file.h"
#include "quickselection/error.h"
#include "quickselection/selection.h"
#include "report/reports.h"

namespace quickselection::cli {
namespace {

/// The name in tables: the file without folder and endings, or all of it when two are alike.
std::vector<std::string> names_of(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  std::map<std::string, int> count;
  for (const std::string& path : paths) {
    std::string name = std::filesystem::path(path).filename().string();
    if (name.empty()) name = std::filesystem::path(path).parent_path().filename().string();
    name = name.substr(0, name.find('.', 1));
    names.push_back(name);
    ++count[name];
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    if (count[names[i]] > 1) names[i] = paths[i];
  return names;
}

constexpr const char* kFiles[] = {"summary.md",   "summary.tex", "summary.csv",
                                  "summary.json", kResults,      kSettings};

std::string absolute(const std::string& path) {
  return path.empty() ? "" : std::filesystem::absolute(path).lexically_normal().string();
}

/// A label may be a column or a file; files are remembered so that they are found from anywhere.
std::string absolute_label(const std::string& label) {
  return std::filesystem::is_regular_file(label) ? absolute(label) : label;
}

}  // namespace

void add_folder(Parser& command, FolderOptions& options, bool required) {
  add_path(command, "--out,-o", options.out,
           "Folder for results.jsonl (a line for each run and K, as they come), "
           "settings.json and the summary as .md, .tex, .csv and .json",
           "DIR")
      ->required(required);
  command.add_flag("--continue", options.go_on,
                   "Go on with what was begun in --out; without DATA, as it was begun");
  add_path(command, "--report", options.report, "Write a page to look at", "FILE.html");
}

void add_experiment_options(Parser& command, ExperimentOptions& options) {
  command.add_option("DATA", options.data, "Files or folders to read, each a data set of its own");
  add_fields(command, options.shared);
  add_fields(command, options.plan);
  add_folder(command, options.folder, false);
  add_output(command, options.common);
  add_fields(command, options.plan.judges,
             {"k", "classifier", "runs", "scale", "reconstruction", "baselines", "draws", "removal",
              "seed"});
  for (const MethodInfo& method : methods()) add_given(command, method.options, options.given);
  for (const auto& [name, help] :
       {std::pair{"scale", "How features are scaled, for all methods; unset = what each wants"},
        {"clip", "Bound of scaled values on both sides, for all methods"}})
    command.add_option_function<std::string>(
        flags_of(name),
        [&options, own = name](const std::string& text) {
          options.given.push_back({own, text});
        },
        help);
}

ExperimentPlan plan_of(const Parser& command, const ExperimentOptions& options) {
  const ExperimentData& shared = options.shared;
  check_test_rows(command, shared.read.label, shared.test, shared.test_label);
  if (!shared.test.empty() && options.data.size() > 1)
    throw InvalidArgument(
        fmt::format("--test is one file, but there are {} data sets", options.data.size()),
        "compare them one at a time, or write an experiment file (docs/experiments.md)");
  ExperimentPlan plan = options.plan;
  const std::vector<std::string> names = names_of(options.data);
  for (std::size_t i = 0; i < names.size(); ++i) {
    ExperimentData& data = plan.data.emplace_back(shared);
    data.name = names[i];
    data.path = absolute(options.data[i]);
    data.read.label = absolute_label(data.read.label);
    data.test = absolute(data.test);
    data.test_label = absolute_label(data.test_label);
  }
  return plan;
}

bool continues_alone(const Parser& command, const ExperimentOptions& options) {
  if (options.folder.go_on && options.folder.out.empty())
    throw InvalidArgument("--out is missing", "--continue goes on in the folder that --out names");
  if (!options.data.empty()) return false;
  if (!options.folder.go_on)
    throw InvalidArgument("no data is given", fmt::format("for example quickselection {} data.csv",
                                                          command.get_name()));
  constexpr std::string_view kAlways[] = {"out",    "continue",  "quiet",   "json",
                                          "report", "criterion", "unscored"};
  const auto given = [](const CLI::Option* option) { return option->count() > 0; };
  for (const std::string& name : long_names(command.get_options(given)))
    if (std::find(std::begin(kAlways), std::end(kAlways), name) == std::end(kAlways))
      throw InvalidArgument(
          fmt::format("--{} is given, but DATA is not", name),
          "--continue --out DIR alone goes on as it was begun; otherwise give everything again");
  return true;
}

void check_outputs(const ExperimentPlan& plan, const FolderOptions& folder,
                   const CommonOptions& common, const std::string& description) {
  std::vector<std::string> inputs{description};
  for (const ExperimentData& data : plan.data)
    inputs.insert(inputs.end(), {data.path, data.read.label, data.test, data.test_label});
  check_outputs({{common.json}, "", folder.report}, inputs);
  std::vector<std::string> all{common.json, folder.report};
  if (!folder.out.empty()) {
    const std::filesystem::path out = folder.out;
    for (const char* const name : kFiles) {
      // Nobody named this link, and it could lead to any file: the folder may be another's.
      if (std::filesystem::is_symlink(out / name))
        throw Error(fmt::format("{} is a link, which is not followed", (out / name).string()),
                    "remove it, or name another folder with --out");
      all.push_back((out / name).string());
    }
  }
  check_distinct(all, inputs);
}

void check_ks(const ExperimentPlan& plan) {
  check_plan(plan);
  for (const ExperimentData& data : plan.data) {
    std::size_t features = 0;
    try {
      // In a process of its own: what is read here must not count as memory of the runs.
      features = std::stoull(run_isolated({data.path, "cannot read " + data.path, 0}, [&] {
        return std::to_string(quickselection::read(data.path, data.read).ranked_count());
      }));
    } catch (const Error&) {
      continue;
    }
    for (const std::size_t k : data.k.empty() ? plan.k : data.k) resolve_k(k, features);
  }
}

std::vector<ResultRow> run_with_progress(const ExperimentPlan& plan, const ExperimentFolder& folder,
                                         bool quiet) {
  ProgressPrinter printer(quiet);
  RunContext context;
  context.progress = std::ref(printer);
  context.stop = &stop_flag();
  return run_experiment(plan, folder, context);
}

void add_unscored(Parser& command, std::vector<std::string>& labels) {
  command
      .add_option("--unscored", labels,
                  "Labels of methods that are left out of the scores, separated by commas")
      ->type_name("LABELS")
      ->delimiter(',')
      ->allow_extra_args(false);
}

void show_summary(const ExperimentPlan& plan, const std::vector<ResultRow>& rows,
                  const FolderOptions& folder, const CommonOptions& common,
                  const std::vector<std::string>& unscored, const Grid* grid,
                  std::optional<Measure> wanted) {
  const ExperimentSummary summary = summarize(plan, rows, unscored);
  const Measure criterion = wanted.value_or(natural_criterion(summary));
  const auto text = [&](TextFormat format) {
    return grid == nullptr ? describe(summary, format)
                           : describe(summary, *grid, criterion, format);
  };
  OutputBatch outputs;
  if (!folder.out.empty()) {
    const std::filesystem::path path = folder.out;
    write_file(path / kFiles[0], text(TextFormat::markdown));
    write_file(path / kFiles[1], text(TextFormat::latex));
    write_file(path / kFiles[2], summary_csv(summary));
    write_file(path / kFiles[3], summary_json(plan, summary));
  }
  if (!common.json.empty()) write_file(common.json, summary_json(plan, summary));
  if (!folder.report.empty())
    write_file(folder.report, grid == nullptr ? comparison_report(plan, summary)
                                              : tuning_report(plan, summary, *grid, criterion));
  outputs.commit();
  say(common.quiet, text(TextFormat::plain));
  if (!folder.out.empty()) say(common.quiet, fmt::format("results and summary: {}", folder.out));
}

}  // namespace quickselection::cli
