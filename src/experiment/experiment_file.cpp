// src/experiment/experiment_file.cpp: see experiment_file.h.
#include "experiment/experiment_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/files/atomic_file.h"
#include "core/processes/child.h"
#include "data/formats/write.h"
#include "experiment/experiment_fields.h"
#include "quickselection/error.h"
#include "quickselection/generators.h"
#include "quickselection/selection.h"

namespace quickselection {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCatalogue = "data.json";

Json parse_file(const fs::path& path) {
  const auto text = read_file(path);
  if (!text)
    throw Error(fmt::format("cannot read {}", path.string()), "check the name and the folder");
  try {
    return parse_json(*text, true);
  } catch (const std::exception& error) {
    throw Error(fmt::format("{} is not JSON: {}", path.string(), reason_of(error)));
  }
}

void read_part(const Json& json, auto& value, const std::string& where) {
  try {
    read_json(json, value, false);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(fmt::format("{}: {}", where, error.what()), error.hint());
  }
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
    ExperimentData data;
    std::vector<std::string> known = field_names(data);
    std::replace(known.begin(), known.end(), std::string("path"), std::string("file"));
    known.insert(known.end(), {"generate", "generator-options", "seed", "get"});
    refuse_unknown(json, known, where);
    if (!json.contains("file") && !json.contains("generate"))
      throw InvalidArgument(fmt::format("{}: neither 'file' nor 'generate' is given", where),
                            fmt::format("or name a data set of {}", kCatalogue));
    bool whole = true;
    for (const char* key : {"file", "test", "test-label", "label"}) {
      // Files by a list of names, a column by its name alone.
      if (!json.contains(key) || (key == std::string_view("label") && !json[key].is_array()))
        continue;
      const std::string path = find_data(json[key], folders_);
      whole = whole && !path.empty();
      if (!path.empty()) json[key == std::string_view("file") ? "path" : key] = path;
    }
    read_part(json, data, where);
    if (json.contains("generate")) {
      add_generated(json, std::move(data));
    } else if (whole) {
      experiment_.plan.data.push_back(std::move(data));
    } else {
      const Json& names = json["file"];
      experiment_.skipped.push_back(fmt::format(
          "{} is skipped: {} is not in the folder QUICKSELECTION_DATA{}", name,
          names.is_array() ? names.at(0).get<std::string>() : names.get<std::string>(),
          json.contains("get") ? "; get it from " + json["get"].get<std::string>() : ""));
    }
  }

 private:
  void add_generated(const Json& json, ExperimentData data) {
    const Generator& generator = find_generator(json.at("generate"));
    std::string stem = data.name;
    for (char& c : stem)
      if (c == ' ' || c == '/') c = '_';
    const fs::path base = fs::absolute(out_ / "data" / stem).lexically_normal();
    data.path = base.string() + ".npy";
    for (const ExperimentData& other : experiment_.plan.data)
      if (other.path == data.path)
        throw InvalidArgument(fmt::format("{}: '{}' and '{}' would both be kept in {}",
                                          file_.string(), other.name, data.name, data.path),
                              "give them other names");
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
  ExperimentPlan& plan = experiment.plan;
  std::vector<std::string> known = field_names(plan);
  std::erase(known, "DATA");
  known.insert(known.end(), {"title", "paper", "kind", "data", "method", "options", "grid",
                             "epochs", "criterion"});
  refuse_unknown(json, known, path.string());
  Json rest = json;
  rest.erase("methods");  // as text, not as a plan keeps them
  read_part(rest, plan, path.string());
  experiment.title = json.value("title", path.stem().string());
  experiment.paper = json.value("paper", "");
  experiment.kind = kind_of(json.value("kind", "compare"));
  if (json.contains("epochs")) experiment.epochs = json["epochs"].get<std::vector<std::size_t>>();
  if (json.value("criterion", "") == "clustering") experiment.criterion = Measure::clustering;
  add_methods(json, experiment);
  DataReader data(path, data_folder, out, experiment);
  for (const Json& one : json.at("data")) data.add(one);
  if (experiment.kind == ExperimentKind::history && plan.methods.size() != 1)
    throw InvalidArgument(
        fmt::format("a history follows one method, but there are {}", plan.methods.size()));
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

void keep_only(ExperimentFile& experiment, const std::vector<std::string>& names) {
  if (names.empty()) return;
  std::vector<ExperimentData>& data = experiment.plan.data;
  for (const std::string& name : names) {
    const bool there = std::any_of(data.begin(), data.end(),
                                   [&](const ExperimentData& one) { return one.name == name; });
    if (!there)
      throw InvalidArgument(
          fmt::format("‹only› names '{}', which the experiment does not have, or "
                      "which is not on this machine",
                      name));
  }
  std::vector<ExperimentData> kept;
  std::vector<GeneratedData> generated;
  for (std::size_t d = 0; d < data.size(); ++d) {
    if (std::find(names.begin(), names.end(), data[d].name) == names.end()) continue;
    for (GeneratedData one : experiment.generated)
      if (one.data == d) {
        one.data = kept.size();
        generated.push_back(std::move(one));
      }
    kept.push_back(data[d]);
  }
  data = std::move(kept);
  experiment.generated = std::move(generated);
}

void generate_data(const ExperimentFile& experiment, const RunContext& context) {
  for (const GeneratedData& generated : experiment.generated) {
    const ExperimentData& data = experiment.plan.data[generated.data];
    if (fs::exists(data.path)) continue;
    const fs::path folder = fs::path(data.path).parent_path();
    fs::create_directories(folder);
    const auto body = [&](const ParentLine&) -> std::string {
      const Generated made =
          find_generator(generated.generator).make(generated.options, generated.seed);
      // The labels come first: where the values are, everything is.
      if (made.data.labels) write_labels(data.read.label, *made.data.labels);
      write_dataset(data.path, made.data);
      return "";
    };
    const ChildOutcome outcome = run_child(body, {}, context);
    if (outcome.end != ChildEnd::answered)
      throw Error(fmt::format("cannot generate {}: {}", data.name, outcome.text), outcome.hint);
  }
}

}  // namespace quickselection
