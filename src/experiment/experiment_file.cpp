// src/experiment/experiment_file.cpp: see experiment_file.h.
#include "experiment/experiment_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "core/atomic_file.h"
#include "core/child.h"
#include "data/formats/write.h"
#include "experiment/plan_json.h"
#include "quickselection/error.h"
#include "quickselection/generators.h"
#include "quickselection/selection.h"

namespace quickselection {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCatalogue = "data.json";

Json parse_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(fmt::format("cannot read {}", path.string()));
  std::ostringstream text;
  text << file.rdbuf();
  try {
    return Json::parse(text.str(), nullptr, true, true);
  } catch (const nlohmann::json::exception& error) {
    throw Error(fmt::format("{} is not JSON: {}", path.string(), reason_of(error)));
  }
}

void refuse_unknown(const Json& json, std::initializer_list<std::string_view> known,
                    const std::string& where) {
  for (const auto& [key, value] : json.items())
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw InvalidArgument(fmt::format("{} has no key '{}'", where, key),
                            fmt::format("its keys are {}", fmt::join(known, ", ")));
}

RowRange range_of(const Json& json) {
  return {json.at(0).get<std::size_t>(), json.at(1).get<std::size_t>()};
}

/// The first of the names that is there, or "".
std::string find_data(const Json& names, const std::vector<fs::path>& folders) {
  const Json list = names.is_array() ? names : Json::array({names});
  for (const Json& name : list)
    for (const fs::path& folder : folders) {
      const fs::path path = folder / name.get<std::string>();
      if (fs::exists(path)) return fs::absolute(path).lexically_normal().string();
    }
  return "";
}

/// Reads the data sets of an experiment; what is said there replaces what the catalogue says.
class DataReader {
 public:
  DataReader(const fs::path& file, const fs::path& data_folder, const fs::path& out,
             ExperimentFile& experiment)
      : file_(file), out_(out), experiment_(experiment) {
    folders_.push_back(file.parent_path());
    if (!data_folder.empty()) folders_.push_back(data_folder);
    const fs::path catalogue = file.parent_path() / kCatalogue;
    if (fs::exists(catalogue)) catalogue_ = parse_file(catalogue);
  }

  void add(const Json& said) {
    const std::string name =
        said.is_string() ? said.get<std::string>() : said.at("name").get<std::string>();
    Json json = catalogue_.value(name, Json::object());
    if (said.is_object()) json.update(said);
    json["name"] = name;
    const std::string where = fmt::format("{}, data '{}'", file_.string(), name);
    refuse_unknown(json,
                   {"name", "file",  "format",      "label",     "header",   "array",
                    "rows", "test",  "test-label",  "test-rows", "split",    "split-seed",
                    "k",    "group", "judge-scale", "options",   "generate", "generator-options",
                    "seed", "get"},
                   where);
    ExperimentData data;
    data.name = name;
    data.group = json.value("group", "");
    if (json.contains("k")) data.k = json["k"].get<std::vector<std::size_t>>();
    if (json.contains("rows")) data.train_rows = range_of(json["rows"]);
    if (json.contains("test-rows")) data.test_rows = range_of(json["test-rows"]);
    if (json.contains("judge-scale")) data.judge_scale = scale_mode(json["judge-scale"]);
    data.split = json.value("split", data.split);
    data.split_seed = json.value("split-seed", data.split_seed);
    if (json.contains("options"))
      for (const auto& [method, options] : json["options"].items())
        data.options.push_back({method, options_from_json(options)});
    if (json.contains("generate")) {
      add_generated(json, std::move(data));
      return;
    }
    if (!json.contains("file"))
      throw InvalidArgument(fmt::format("{}: neither 'file' nor 'generate' is given", where),
                            fmt::format("or name a data set of {}", kCatalogue));
    data.path = find_data(json["file"], folders_);
    data.read.format = json.value("format", "");
    data.read.header = json.value("header", data.read.header);
    data.read.array = json.value("array", "");
    bool whole = !data.path.empty();
    const auto find_too = [&](const char* key, std::string& place) {
      if (!json.contains(key)) return;
      place = find_data(json[key], folders_);
      whole = whole && !place.empty();
    };
    find_too("test", data.test);
    if (json.contains("label")) {
      // Files by a list of names, a column by its name alone.
      if (json["label"].is_array())
        find_too("label", data.read.label);
      else
        data.read.label = json["label"];
    }
    find_too("test-label", data.test_label);
    if (whole) {
      experiment_.plan.data.push_back(std::move(data));
      return;
    }
    const Json& names = json["file"];
    experiment_.skipped.push_back(
        fmt::format("{} is skipped: {} is not in the folder QUICKSELECTION_DATA{}", name,
                    names.is_array() ? names.at(0).get<std::string>() : names.get<std::string>(),
                    json.contains("get") ? "; get it from " + json["get"].get<std::string>() : ""));
  }

 private:
  void add_generated(const Json& json, ExperimentData data) {
    const Generator& generator = find_generator(json.at("generate"));
    std::string stem = data.name;
    for (char& c : stem)
      if (c == ' ' || c == '/') c = '_';
    const fs::path base = fs::absolute(out_ / "data" / stem).lexically_normal();
    data.path = base.string() + ".npy";
    data.read.label = generator.labels ? base.string() + ".labels.txt" : "none";
    experiment_.generated.push_back(
        {experiment_.plan.data.size(), generator.name,
         options_from_json(json.value("generator-options", Json::object())),
         json.value("seed", std::uint64_t{0})});
    experiment_.plan.data.push_back(std::move(data));
  }

  fs::path file_, out_;
  std::vector<fs::path> folders_;
  Json catalogue_ = Json::object();
  ExperimentFile& experiment_;
};

ExperimentKind kind_of(const std::string& name) {
  if (name == "compare") return ExperimentKind::compare;
  if (name == "tune") return ExperimentKind::tune;
  if (name == "history") return ExperimentKind::history;
  throw InvalidArgument(fmt::format("there is no kind of experiment '{}'", name),
                        "the kinds are compare, tune, history");
}

void add_methods(const Json& json, ExperimentFile& experiment) {
  ExperimentPlan& plan = experiment.plan;
  if (experiment.kind != ExperimentKind::tune) {
    for (const Json& method : json.at("methods"))
      plan.methods.push_back(parse_experiment_method(method));
    return;
  }
  Grid grid;
  grid.method = json.value("method", "quickselection");
  if (json.contains("options")) grid.fixed = options_from_json(json["options"]);
  for (const auto& [option, values] : json.at("grid").items()) {
    GridAxis& axis = grid.axes.emplace_back(GridAxis{option, {}});
    for (const Json& value : values)
      axis.values.push_back(value.is_string() ? value.get<std::string>() : value.dump());
  }
  plan.methods = grid_methods(grid);
  plan.share_epochs = true;
}

void parse_experiment(const Json& json, const fs::path& path, const fs::path& data_folder,
                      const fs::path& out, ExperimentFile& experiment) {
  refuse_unknown(json,
                 {"title",
                  "paper",
                  "kind",
                  "data",
                  "methods",
                  "method",
                  "options",
                  "grid",
                  "k",
                  "runs",
                  "seed",
                  "threads",
                  "random-forest",
                  "reconstruction",
                  "all-features",
                  "judges",
                  "forests",
                  "time-limit-seconds",
                  "memory-limit-bytes",
                  "epochs",
                  "criterion"},
                 path.string());
  ExperimentPlan& plan = experiment.plan;
  experiment.title = json.value("title", path.stem().string());
  experiment.paper = json.value("paper", "");
  experiment.kind = kind_of(json.value("kind", "compare"));
  if (json.contains("judges"))
    plan.judges = parse_evaluation_options(options_from_json(json["judges"]));
  plan.judges.runs = json.value("forests", 1);
  if (json.contains("k")) plan.k = json["k"].get<std::vector<std::size_t>>();
  plan.runs = json.value("runs", plan.runs);
  plan.seed = json.value("seed", plan.seed);
  plan.threads = json.value("threads", plan.threads);
  plan.random_forest = json.value("random-forest", false);
  if (json.contains("reconstruction")) plan.reconstruction = json["reconstruction"].get<bool>();
  plan.all_features = json.value("all-features", false);
  plan.time_limit = json.value("time-limit-seconds", 0.0);
  plan.memory_limit = json.value("memory-limit-bytes", std::size_t{0});
  if (json.contains("epochs")) experiment.epochs = json["epochs"].get<std::vector<std::size_t>>();
  if (json.value("criterion", "") == "clustering") experiment.criterion = Measure::clustering;
  add_methods(json, experiment);
  DataReader data(path, data_folder, out, experiment);
  for (const Json& one : json.at("data")) data.add(one);
  if (experiment.kind == ExperimentKind::history && plan.methods.size() != 1)
    throw InvalidArgument(
        fmt::format("a history follows one method, but there are {}", plan.methods.size()));
}

/// Files of a process that was killed while it wrote them.
void remove_unfinished(const fs::path& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.is_regular_file(ignored) && entry.path().filename().string().starts_with("."))
      fs::remove(entry.path(), ignored);
}

}  // namespace

ExperimentFile read_experiment(const fs::path& path, const fs::path& data_folder,
                               const fs::path& out) {
  const Json json = parse_file(path);
  ExperimentFile experiment;
  try {
    parse_experiment(json, fs::absolute(path), data_folder, out, experiment);
  } catch (const nlohmann::json::exception& error) {
    throw Error(
        fmt::format("{} does not describe an experiment: {}", path.string(), reason_of(error)),
        "docs/experiments.md describes the format");
  }
  return experiment;
}

void generate_data(const ExperimentFile& experiment, const RunContext& context) {
  for (const GeneratedData& generated : experiment.generated) {
    const ExperimentData& data = experiment.plan.data[generated.data];
    if (fs::exists(data.path)) continue;
    const fs::path folder = fs::path(data.path).parent_path();
    fs::create_directories(folder);
    remove_unfinished(folder);
    const auto body = [&](const ParentLine&) -> std::string {
      const Generated made =
          find_generator(generated.generator).make(generated.options, generated.seed);
      // The labels come first: where the values are, everything is.
      if (made.data.labels) write_labels(data.read.label, *made.data.labels);
      write_dataset(data.path, made.data);
      return "";
    };
    ChildOutcome outcome;
    try {
      outcome = run_child(body, {}, context);
    } catch (const Interrupted&) {
      remove_unfinished(folder);
      throw;
    }
    if (outcome.end != ChildEnd::answered)
      throw Error(fmt::format("cannot generate {}: {}", data.name, outcome.text), outcome.hint);
  }
}

}  // namespace quickselection
