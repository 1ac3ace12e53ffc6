// cli/evaluate.cpp: the command `evaluate`: how good are the first K features of a ranking?
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <memory>

#include "commands.h"
#include "common.h"
#include "core/atomic_file.h"
#include "core/meters.h"
#include "quickselection/error.h"
#include "quickselection/evaluation.h"
#include "quickselection/split.h"
#include "report/evaluation_report.h"
#include "report/page.h"
#include "terminal.h"

namespace quickselection::cli {
namespace {

constexpr double kDefaultSplit = 0.2;

struct EvaluateCommand {
  CommonOptions common;
  DataOptions data;
  std::string ranking, test, test_rows, report;
  std::optional<double> split;
  std::optional<int> folds;
  std::uint64_t split_seed = kSplitSeed;
  std::vector<GivenOption> given;
};

/// The column `feature` of a file written by `select --ranking`: every feature once, best first.
std::vector<std::uint32_t> read_ranking(const std::string& path, std::size_t features) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line))
    throw Error(fmt::format("cannot read the ranking {}", path),
                "select --ranking FILE writes one");
  if (!line.starts_with("rank,feature,"))
    throw Error(fmt::format("{} does not begin with rank,feature,name,score", path),
                "select --ranking FILE writes such a file");
  std::vector<std::uint32_t> ranking;
  std::vector<bool> seen(features);
  for (std::size_t number = 2; std::getline(file, line); ++number) {
    // A quoted name may hold a line break; only lines that begin with the next rank count.
    if (!line.starts_with(fmt::format("{},", ranking.size() + 1))) continue;
    const std::size_t begin = line.find(',') + 1;
    std::uint32_t feature = 0;
    const auto [end, error] =
        std::from_chars(line.data() + begin, line.data() + line.size(), feature);
    if (error != std::errc() || end == line.data() + line.size() || *end != ',')
      throw Error(fmt::format("{}, line {}: the feature is not a whole number", path, number));
    if (feature >= features || seen[feature])
      throw Error(fmt::format("{}, line {}: feature {} {}", path, number, feature,
                              feature < features
                                  ? "was ranked before"
                                  : fmt::format("is beyond the {} features of the data", features)),
                  "is it the ranking of other data?");
    seen[feature] = true;
    ranking.push_back(feature);
  }
  if (ranking.empty()) throw Error(fmt::format("{} ranks no feature", path));
  return ranking;
}

Holdout holdout_of(const Dataset& data, Split split) {
  return {&data, std::move(split.train), &data, std::move(split.test)};
}

std::vector<Holdout> holdouts_of(const EvaluateCommand& command, const Dataset& data,
                                 const std::optional<Dataset>& test) {
  const int ways = !command.test.empty() + !command.test_rows.empty() + command.split.has_value() +
                   command.folds.has_value();
  if (ways > 1)
    throw InvalidArgument("only one of --test, --test-rows, --split and --folds can be used");
  if (test) return {make_holdout(data, *test)};
  if (!command.test_rows.empty())
    return {
        holdout_of(data, split_ranges(data.rows(), std::nullopt, parse_rows(command.test_rows)))};
  std::vector<Holdout> holdouts;
  if (command.folds) {
    for (Split& split : split_folds(data, *command.folds, command.split_seed))
      holdouts.push_back(holdout_of(data, std::move(split)));
    return holdouts;
  }
  return {holdout_of(data,
                     split_rows(data, command.split.value_or(kDefaultSplit), command.split_seed))};
}

std::string cell(double mean, double std) { return fmt::format("{:5.1f} ± {:4.1f}", mean, std); }

/// One line of the table: what was judged, or dashes.
std::string line_of(const std::string& title, const Judgement& judgement) {
  std::string line = fmt::format("{:<22}", title);
  const auto add = [&](const std::string& text) { line += fmt::format("  {:>13}", text); };
  const auto& classes = judgement.classification;
  add(classes ? cell(100 * classes->mean, 100 * classes->std) : "-");
  const auto& clusters = judgement.clustering;
  add(clusters ? cell(100 * clusters->accuracy, 100 * clusters->std) : "-");
  add(clusters ? fmt::format("{:.3f}", clusters->nmi) : "-");
  add(clusters ? fmt::format("{:.3f}", clusters->ari) : "-");
  const auto& rebuilt = judgement.reconstruction;
  add(rebuilt ? fmt::format("{:.3f}", rebuilt->r2) : "-");
  return line;
}

std::string readable(const Evaluation& evaluation) {
  std::string text = fmt::format("{:<22}  {:>13}  {:>13}  {:>13}  {:>13}  {:>13}\n", "features",
                                 "classified %", "clustered %", "NMI", "ARI", "R² of all");
  for (const EvaluationOfK& entry : evaluation.entries) {
    text += line_of(fmt::format("best {}", entry.k), entry.chosen) + "\n";
    if (entry.random) text += line_of(fmt::format("random {}", entry.k), *entry.random) + "\n";
  }
  if (!evaluation.entries.empty() && evaluation.entries[0].all)
    text += line_of("all", *evaluation.entries[0].all) + "\n";
  if (evaluation.removal) {
    text += "\nremoved   accuracy without the least / the most important\n";
    const auto& [least, most] = *evaluation.removal;
    for (std::size_t i = 0; i < std::min(least.size(), most.size()); ++i)
      text += fmt::format("{:>7}   {} / {}\n", least[i].removed,
                          cell(100 * least[i].mean, 100 * least[i].std),
                          cell(100 * most[i].mean, 100 * most[i].std));
  }
  return text + duration(evaluation.seconds);
}

nlohmann::ordered_json to_json(const Judgement& judgement, Classifier classifier) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  if (const auto& c = judgement.classification)
    json["classification"] = {
        {"classifier", classifier == Classifier::extra_trees ? "extra-trees" : "random-forest"},
        {"mean", c->mean},
        {"std", c->std},
        {"runs", c->runs}};
  if (const auto& c = judgement.clustering)
    json["clustering"] = {{"accuracy", c->accuracy},
                          {"nmi", c->nmi},
                          {"ari", c->ari},
                          {"std", c->std},
                          {"repetitions", c->repetitions}};
  if (const auto& r = judgement.reconstruction) json["reconstruction"] = {{"r2", r->r2}};
  return json;
}

nlohmann::ordered_json to_json(const std::vector<RemovalPoint>& points) {
  auto json = nlohmann::ordered_json::array();
  for (const RemovalPoint& point : points)
    json.push_back({{"removed", point.removed},
                    {"left", point.left},
                    {"mean", point.mean},
                    {"std", point.std}});
  return json;
}

nlohmann::ordered_json to_json(const Evaluation& evaluation, Classifier classifier) {
  auto json = nlohmann::ordered_json::array();
  for (const EvaluationOfK& entry : evaluation.entries) {
    nlohmann::ordered_json one = {{"k", entry.k}};
    one.update(to_json(entry.chosen, classifier));
    if (entry.random) one["random"] = to_json(*entry.random, classifier);
    if (entry.all) one["all"] = to_json(*entry.all, classifier);
    json.push_back(std::move(one));
  }
  if (evaluation.removal)
    json.push_back(
        {{"removal",
          {{"least_important_first", to_json(evaluation.removal->least_important_first)},
           {"most_important_first", to_json(evaluation.removal->most_important_first)}}}});
  return json;
}

void run(EvaluateCommand& command) {
  const Stopwatch total;
  EnergyMeter energy;
  const bool quiet = command.common.quiet;
  command.given.push_back({"seed", std::to_string(command.common.seed)});
  const EvaluationOptions options = parse_evaluation_options(command.given);
  if (!command.common.json.empty()) check_writable(command.common.json);
  if (!command.report.empty()) {
    check_reports();
    check_writable(command.report);
  }
  Measured measured;
  const Dataset data = read_data(command.data, quiet);
  std::optional<Dataset> test;
  if (!command.test.empty()) {
    DataOptions test_options = command.data;
    test_options.path = command.test;
    test_options.rows.clear();
    test = read_data(test_options, quiet);
  }
  measured.read_seconds = total.seconds();
  const auto ranking = read_ranking(command.ranking, data.features());
  const auto holdouts = holdouts_of(command, data, test);
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
    write_json(command.common.json, to_json(evaluation, options.classifier));
  for (const std::string& note : evaluation.notes) say(quiet, "note: " + note);
  say(quiet, readable(evaluation));
}

}  // namespace

void add_evaluate(CLI::App& app) {
  auto command = std::make_shared<EvaluateCommand>();
  CLI::App& sub = *app.add_subcommand(
      "evaluate", "Judge the first K features of a ranking: accuracy, clusters, reconstruction");
  add_data(sub, command->data);
  sub.add_option("--ranking", command->ranking, "Ranking written by select --ranking")
      ->required()
      ->type_name("FILE.csv");
  sub.add_option("--test", command->test, "Test on the rows of this file")->type_name("FILE");
  sub.add_option("--test-rows", command->test_rows, "Test on rows A to B-1, train on the others")
      ->type_name("A:B");
  sub.add_option("--split", command->split, "Test on this share of the rows, drawn by class")
      ->type_name("SHARE")
      ->default_str("0.2");
  sub.add_option("--split-seed", command->split_seed, "Seed of --split and --folds")
      ->capture_default_str();
  sub.add_option("--folds", command->folds, "Test every row once, in so many folds")
      ->type_name("N");
  sub.add_option("--report", command->report, "Write a page to look at")->type_name("FILE.html");
  add_common(sub, command->common);
  std::vector<OptionInfo> options = evaluation_options();
  std::erase_if(options, [](const OptionInfo& option) { return option.name == "seed"; });
  add_given(sub, options, command->given);
  // -k as in select; --k is the same.
  sub.add_option_function<std::string>(
         "-k",
         [command](const std::string& text) {
           command->given.push_back({"k", text});
         },
         "How many of the best features, separated by commas")
      ->type_name("K,…");
  sub.allow_extras();
  sub.footer("Options of the evaluation:\n" + option_lines(options) +
             "\nExample:\n  quickselection evaluate data.csv --ranking ranking.csv -k 10,25,50");
  sub.callback([command, &sub] {
    refuse_extras(sub);
    run(*command);
  });
}

}  // namespace quickselection::cli
