// tests/fuzz/states.cpp: see states.h.
#include "states.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "experiment/experiment_file.h"
#include "experiment/results_file.h"
#include "quickselection/error.h"
#include "quickselection/experiment.h"
#include "quickselection/extraction.h"
#include "quickselection/incremental.h"
#include "quickselection/ranking_file.h"
#include "quickselection/selection.h"

namespace quickselection {

const std::map<std::string, std::vector<const char*>> kStateFiles{
    {"checkpoint",
     {"checkpoint.quickselection", "checkpoint.wast", "checkpoint.lottery_ticket",
      "checkpoint.aefs", "checkpoint.concrete_autoencoder"}},
    {"training",
     {"training.quickselection", "training.wast", "training.lottery_ticket", "training.aefs",
      "training.concrete_autoencoder"}},
    {"model", {"model.sparse", "model.dense", "model.pca"}},
    {"ranking", {"ranking.csv", "runs.csv"}},
    {"results", {"results/results.jsonl"}},
    {"settings", {"results/settings.json"}},
    {"plan", {"compare.json", "tune.json"}},
};

namespace {

namespace fs = std::filesystem;

/// 24 rows of 10 features, with names.
const Dataset& data() {
  static const Dataset made = [] {
    constexpr std::size_t kRows = 24, kFeatures = 10;
    std::vector<float> values(kRows * kFeatures);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>((i * 7919) % 101) - static_cast<float>(i % kFeatures);
    Dataset all = Dataset::from_vector(std::move(values), kRows, kFeatures);
    for (std::size_t f = 0; f < kFeatures; ++f) all.names.push_back("f" + std::to_string(f));
    return all;
  }();
  return made;
}

RunContext one_thread() {
  RunContext context;
  context.threads = 1;
  return context;
}

SelectOptions options_of(const std::string& method) {
  SelectOptions options;
  options.method = method;
  options.k = 3;
  options.method_options = {{"hidden", "6"}, {"epochs", "2"}, {"batch-size", "8"}};
  if (method == "quickselection" || method == "lottery_ticket")
    options.method_options.push_back({"epsilon", "2"});
  if (method == "wast") options.method_options.push_back({"density", "0.5"});
  return options;
}

std::string bytes_at(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// Of a training that was stopped before its last epoch.
void write_checkpoint(const std::string& path, const std::string& method) {
  SelectOptions options = options_of(method);
  options.checkpoint = path;
  std::atomic<bool> stop = false;
  std::size_t epochs = 0;
  const std::size_t last = method == "lottery_ticket" ? 3 : 1;
  RunContext context = one_thread();
  context.stop = &stop;
  context.after_epoch = [&](const EpochEnd&) { stop = ++epochs == last; };
  try {
    select_features(data(), options, context);
  } catch (const Interrupted&) {
  }
}

ExperimentFolder results_in(const std::string& folder, bool go_on) {
  return {folder, "compare", go_on};
}

void write_results(const fs::path& folder) {
  const fs::path values = folder / "values.csv";
  std::string text = "label";
  for (const std::string& name : data().names) text += ',' + name;
  for (std::size_t r = 0; r < data().rows(); ++r) {
    text += '\n' + std::to_string(r % 2);
    for (std::size_t f = 0; f < data().features(); ++f)
      text += ',' + std::to_string(static_cast<int>(data().at(r, f)));
  }
  write(values, text + '\n');
  ExperimentPlan plan;
  ExperimentData& one = plan.data.emplace_back();
  one.name = "values";
  one.path = values.string();
  plan.methods = parse_experiment_methods("variance,random");
  plan.k = {3};
  plan.runs = 2;
  run_experiment(plan, results_in((folder / "results").string(), false));
}

void use_results(const std::string& folder) {
  const ExperimentFolder place = results_in(folder, true);
  const ExperimentPlan plan = read_plan(place);
  check_plan(plan);
  const ResultsFile results(place, plan);
  const ExperimentSummary summary = summarize(plan, results.found());
  describe(summary, TextFormat::plain);
  describe(summary, TextFormat::markdown);
  summary_csv(summary);
  summary_json(plan, summary);
}

}  // namespace

void write_states(const std::string& folder) {
  const fs::path in = folder;
  for (const char* const name : kStateFiles.at("checkpoint"))
    write_checkpoint(in / name, fs::path(name).extension().string().substr(1));
  for (const char* const name : kStateFiles.at("training")) {
    IncrementalSelection training(options_of(fs::path(name).extension().string().substr(1)));
    training.learn(data(), one_thread());
    write(in / name, training.pack());
  }
  for (const char* const name : kStateFiles.at("model")) {
    ExtractOptions options;
    options.network = fs::path(name).extension().string().substr(1);
    options.layers = {6, 2, 6};
    if (options.network != "pca") options.network_options = {{"epochs", "1"}};
    if (options.network == "sparse") options.network_options.push_back({"epsilon", "2"});
    save_extractor(in / name, fit_extractor(data(), options, one_thread()));
  }
  SelectOptions variance;
  variance.method = "variance";
  const Selection selection = select_features(data(), variance, one_thread());
  write(in / "ranking.csv", ranking_csv(data(), selection));
  write(in / "runs.csv", run_rankings_csv(std::vector{selection.ranking, selection.ranking}));
  write_results(in);
  write(in / "compare.json",
        R"({"kind": "compare", "title": "T", "data": [{"name": "made", "generate": "madelon",
"generator-options": {"rows": 20}, "seed": 1, "k": [3]}], "methods": ["variance",
"QS=quickselection:epochs=2"], "k": [2, 3], "runs": 2, "seed": 7, "time-limit": "90s"})");
  write(in / "tune.json",
        R"({"kind": "tune", "data": [{"name": "made", "generate": "madelon"}], "k": 3, "grid":
{"epsilon": [1, 2], "zeta": [0.1, "0.2"]}, "options": {"epochs": 2}, "criterion": "clustering"})");
}

void use_state(const std::string& name, const std::string& path) {
  const fs::path file = name;
  const std::string kind = file.stem().string();
  const std::string variant = file.has_extension() ? file.extension().string().substr(1) : "";
  if (kind == "checkpoint") {
    SelectOptions options = options_of(variant);
    options.resume = path;
    select_features(data(), options, one_thread());
  } else if (kind == "training") {
    IncrementalSelection training(options_of(variant), bytes_at(path));
    training.learn(data(), one_thread());
  } else if (kind == "model") {
    const Extractor model = load_extractor(path);
    decode(model, extract(model, data(), one_thread()), one_thread());
  } else if (kind == "ranking" || kind == "runs") {
    read_rankings(path, data());
  } else if (file.has_parent_path()) {
    use_results(path);
  } else {
    const ExperimentFile plan = read_experiment(path, "", fs::path(path).parent_path());
    if (plan.generated.empty()) check_plan(plan.plan);
  }
}

}  // namespace quickselection
