// cli/experiment_options.cpp: see experiment_options.h.
#include "cli/experiment_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "cli/terminal.h"
#include "core/atomic_file.h"
#include "quickselection/error.h"
#include "quickselection/selection.h"
#include "report/experiment_report.h"
#include "report/page.h"

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

std::string absolute(const std::string& path) {
  return path.empty() ? "" : std::filesystem::absolute(path).lexically_normal().string();
}

/// A label may be a column or a file; files are remembered so that they are found from anywhere.
std::string absolute_label(const std::string& label) {
  return std::filesystem::is_regular_file(label) ? absolute(label) : label;
}

}  // namespace

void add_folder(Parser& command, FolderOptions& options, bool required) {
  command
      .add_option("--out,-o", options.out,
                  "Folder for results.jsonl (a line for each run and K, as they come), "
                  "settings.json and the summary as .md, .tex, .csv and .json")
      ->type_name("DIR")
      ->required(required);
  command.add_flag("--continue", options.go_on,
                   "Go on with what was begun in --out; without DATA, as it was begun");
  command.add_option("--report", options.report, "Write a page to look at")->type_name("FILE.html");
}

void add_experiment_options(Parser& command, ExperimentOptions& options) {
  command.add_option("DATA", options.data, "Files or folders to read, each a data set of its own");
  add_reading(command, options.reading);
  command.add_option("-k,--k", options.k, "How many of the best features; several as 5,10,25")
      ->type_name("K")
      ->default_str("50");
  command.add_option("--runs", options.runs, "Runs of every method, each with its own seed")
      ->capture_default_str()
      ->type_name("R");
  command
      .add_option("--scale", options.scale,
                  "How features are scaled, for all methods; unset = what each method wants")
      ->type_name("MODE");
  command.add_option("--clip", options.clip, "Bound scaled values by +-Z, for all methods")
      ->type_name("Z");
  command.add_option("--test", options.test, "Test on the rows of this file, train on DATA")
      ->type_name("FILE");
  command
      .add_option("--test-label", options.test_label, "Labels of --test, when --label is a file")
      ->type_name("COLUMN|FILE");
  command
      .add_option("--test-rows", options.test_rows,
                  "Test on rows A to B-1; train on --rows, or on all others")
      ->type_name("A:B");
  command
      .add_option("--split", options.split,
                  "Test on this share of the rows, drawn at random from each class")
      ->type_name("SHARE")
      ->default_str("0.2");
  command.add_option("--split-seed", options.split_seed, "Seed of --split")
      ->capture_default_str()
      ->type_name("N");
  command.add_flag("--random-forest", options.random_forest,
                   "Judge by a random forest too, beside extra trees");
  command
      .add_option("--reconstruction", options.reconstruction,
                  "Judge by reconstruction: auto is for data without labels")
      ->among({"auto", "yes", "no"})
      ->default_str("auto");
  command.add_flag("--all-features", options.all_features, "Judge all features too");
  command.add_option("--forests", options.forests, "Classifiers trained for each run")
      ->capture_default_str()
      ->between(1, 1000000)
      ->type_name("N");
  command
      .add_option("--judge-scale", options.judge_scale,
                  "Scaling before clustering and reconstruction")
      ->type_name("MODE")
      ->default_str("standard");
  command
      .add_option("--time-limit", options.time_limit,
                  "A selection that takes longer is given up: 90s, 10m, 24h")
      ->type_name("TIME");
  command
      .add_option("--memory-limit", options.memory_limit,
                  "A selection that needs more memory is given up: 512M, 4G")
      ->type_name("SIZE");
  add_folder(command, options.folder, false);
  add_common(command, options.common);
  std::vector<OptionInfo> judges = evaluation_options();
  std::erase_if(judges, [](const OptionInfo& option) {
    constexpr std::string_view kTaken[] = {"trees", "repetitions", "restarts", "classification",
                                           "clustering"};
    return std::find(std::begin(kTaken), std::end(kTaken), option.name) == std::end(kTaken);
  });
  add_given(command, judges, options.judges);
  for (const MethodInfo& method : methods()) add_given(command, method.options, options.given);
  command.allow_extras();
}

ExperimentPlan plan_of(const ExperimentOptions& options) {
  ExperimentPlan plan;
  std::vector<GivenOption> judges = options.judges;
  if (!options.k.empty()) judges.push_back({"k", options.k});
  if (!options.judge_scale.empty()) judges.push_back({"scale", options.judge_scale});
  plan.judges = parse_evaluation_options(judges);
  plan.k = std::move(plan.judges.k);
  plan.judges.k = EvaluationOptions{}.k;
  plan.judges.runs = options.forests;
  plan.runs = options.runs;
  plan.seed = options.common.seed;
  plan.threads = options.common.threads;
  plan.random_forest = options.random_forest;
  if (!options.reconstruction.empty() && options.reconstruction != "auto")
    plan.reconstruction = options.reconstruction == "yes";
  plan.all_features = options.all_features;
  plan.time_limit = parse_seconds(options.time_limit, "time-limit");
  plan.memory_limit = parse_bytes(options.memory_limit, "memory-limit");
  const int ways = !options.test.empty() + !options.test_rows.empty() + options.split.has_value();
  if (ways > 1)
    throw InvalidArgument("only one of --test, --test-rows and --split can be used",
                          "each of them says which rows are tested on");
  if (!options.test.empty() && options.data.size() > 1)
    throw InvalidArgument(
        fmt::format("--test is one file, but there are {} data sets", options.data.size()),
        "compare them one at a time, or write an experiment file (docs/experiments.md)");
  if (!options.test_label.empty() && options.test.empty())
    throw InvalidArgument("--test-label is given, but --test is not");
  const std::vector<std::string> names = names_of(options.data);
  for (std::size_t i = 0; i < names.size(); ++i) {
    ExperimentData& data = plan.data.emplace_back();
    data.name = names[i];
    data.path = absolute(options.data[i]);
    data.read = read_options(options.reading);
    data.train_rows = std::exchange(data.read.rows, std::nullopt);
    data.read.label = absolute_label(data.read.label);
    data.test = absolute(options.test);
    data.test_label = absolute_label(options.test_label);
    if (!options.test_rows.empty()) data.test_rows = parse_rows(options.test_rows, "--test-rows");
    data.split = options.split.value_or(data.split);
    data.split_seed = options.split_seed;
  }
  return plan;
}

std::vector<GivenOption> shared_options(const ExperimentOptions& options) {
  std::vector<GivenOption> shared = options.given;
  if (!options.scale.empty()) shared.push_back({"scale", options.scale});
  if (!options.clip.empty()) shared.push_back({"clip", options.clip});
  return shared;
}

bool continues_alone(const Parser& command, const ExperimentOptions& options) {
  if (options.folder.go_on && options.folder.out.empty())
    throw InvalidArgument("--out is missing", "--continue goes on in the folder that --out names");
  if (!options.data.empty()) return false;
  if (!options.folder.go_on)
    throw InvalidArgument("no data is given",
                          fmt::format("for example quickselection {} data.csv", command.name()));
  constexpr std::string_view kAlways[] = {"out",    "continue",  "quiet",   "json",
                                          "report", "criterion", "unscored"};
  for (const std::string& name : command.given_names())
    if (std::find(std::begin(kAlways), std::end(kAlways), name) == std::end(kAlways))
      throw InvalidArgument(
          fmt::format("--{} is given, but DATA is not", name),
          "--continue --out DIR alone goes on as it was begun; otherwise give everything again");
  return true;
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
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("LABELS");
}

void check_outputs(const FolderOptions& folder, const CommonOptions& common) {
  if (!common.json.empty()) check_writable(common.json);
  if (folder.report.empty()) return;
  check_reports();
  check_writable(folder.report);
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
  if (!folder.out.empty()) {
    const std::filesystem::path path = folder.out;
    write_file(path / "summary.md", text(TextFormat::markdown));
    write_file(path / "summary.tex", text(TextFormat::latex));
    write_file(path / "summary.csv", summary_csv(summary));
    write_file(path / "summary.json", summary_json(plan, summary));
  }
  if (!common.json.empty()) write_file(common.json, summary_json(plan, summary));
  if (!folder.report.empty())
    write_file(folder.report, grid == nullptr
                                  ? comparison_report(plan, rows, summary)
                                  : tuning_report(plan, rows, summary, *grid, criterion));
  say(common.quiet, text(TextFormat::plain));
  if (!folder.out.empty()) say(common.quiet, fmt::format("results and summary: {}", folder.out));
}

}  // namespace quickselection::cli
