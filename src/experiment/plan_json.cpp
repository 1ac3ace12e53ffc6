// src/experiment/plan_json.cpp: see plan_json.h.
#include "experiment/plan_json.h"

#include <fmt/format.h>

#include <variant>

#include "data/dataset/missing.h"
#include "quickselection/error.h"
#include "quickselection/selection.h"

namespace quickselection {
namespace {

constexpr const char* kStatusNames[] = {"ok", "failed", "crashed", "time-limit", "memory-limit"};

Json range_json(const std::optional<RowRange>& range) {
  if (!range) return nullptr;
  return {range->begin, range->end};
}

std::optional<RowRange> range_from(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return RowRange{json.at(0), json.at(1)};
}

Json to_json(const ExperimentData& data) {
  Json options = Json::object();
  for (const OptionsOnData& own : data.options)
    options[own.method] = quickselection::to_json(own.options);
  return {{"name", data.name},
          {"group", data.group},
          {"path", data.path},
          {"format", data.read.format},
          {"label", data.read.label},
          {"header", data.read.header},
          {"index-column", data.read.index_column},
          {"array", data.read.array},
          {"features", data.read.features},
          {"missing", static_cast<int>(data.read.missing)},
          {"test", data.test},
          {"test-label", data.test_label},
          {"rows", range_json(data.train_rows)},
          {"test-rows", range_json(data.test_rows)},
          {"split", data.split},
          {"split-seed", data.split_seed},
          {"k", data.k},
          {"judge-scale", data.judge_scale ? to_text(*data.judge_scale) : ""},
          {"options", options}};
}

ExperimentData data_from_json(const Json& json) {
  ExperimentData data;
  data.name = json.at("name");
  data.group = json.at("group");
  data.path = json.at("path");
  data.read.format = json.at("format");
  data.read.label = json.at("label");
  data.read.header = json.at("header");
  data.read.index_column = json.at("index-column");
  data.read.array = json.at("array");
  data.read.features = json.at("features");
  data.read.missing = static_cast<Missing>(json.at("missing").get<int>());
  data.test = json.at("test");
  data.test_label = json.at("test-label");
  data.train_rows = range_from(json.at("rows"));
  data.test_rows = range_from(json.at("test-rows"));
  data.split = json.at("split");
  data.split_seed = json.at("split-seed");
  data.k = json.at("k").get<std::vector<std::size_t>>();
  if (const std::string scale = json.at("judge-scale"); !scale.empty())
    data.judge_scale = scale_mode(scale);
  for (const auto& [method, options] : json.at("options").items())
    data.options.push_back({method, options_from_json(options)});
  return data;
}

template <class T>
void put(Json& json, const char* name, const std::optional<T>& value) {
  if (value) json[name] = *value;
}

template <class T>
void get(const Json& json, const char* name, std::optional<T>& value) {
  if (json.contains(name)) value = json.at(name).get<T>();
}

}  // namespace

std::string to_text(RunStatus status) { return kStatusNames[static_cast<std::size_t>(status)]; }

Json to_json(std::span<const GivenOption> options) {
  Json json = Json::object();
  for (const GivenOption& option : options) json[option.name] = option.text;
  return json;
}

std::vector<GivenOption> options_from_json(const Json& json) {
  std::vector<GivenOption> options;
  for (const auto& [name, value] : json.items())
    options.push_back({name, value.is_string() ? value.get<std::string>() : value.dump()});
  return options;
}

Json to_json(const ExperimentPlan& plan) {
  Json json;
  json["DATA"] = Json::array();
  for (const ExperimentData& data : plan.data) json["DATA"].push_back(to_json(data));
  json["methods"] = Json::array();
  for (const ExperimentMethod& method : plan.methods)
    json["methods"].push_back(
        {{"label", method.label}, {"method", method.method}, {"options", to_json(method.options)}});
  json["k"] = plan.k;
  json["runs"] = plan.runs;
  json["seed"] = plan.seed;
  json["threads"] = plan.threads;
  json["random-forest"] = plan.random_forest;
  json["reconstruction"] = plan.reconstruction ? Json(*plan.reconstruction) : Json("auto");
  json["all-features"] = plan.all_features;
  json["share-epochs"] = plan.share_epochs;
  json["time-limit"] = plan.time_limit;
  json["memory-limit"] = plan.memory_limit;
  Json& judges = json["judges"] = Json::object();
  for (const auto& [name, value] : settings_of_evaluation(plan.judges))
    judges[name] = to_text(value);
  return json;
}

ExperimentPlan plan_from_json(const Json& json) {
  ExperimentPlan plan;
  for (const Json& data : json.at("DATA")) plan.data.push_back(data_from_json(data));
  for (const Json& method : json.at("methods"))
    plan.methods.push_back(
        {method.at("label"), method.at("method"), options_from_json(method.at("options"))});
  plan.k = json.at("k").get<std::vector<std::size_t>>();
  plan.runs = json.at("runs");
  plan.seed = json.at("seed");
  plan.threads = json.at("threads");
  plan.random_forest = json.at("random-forest");
  if (json.at("reconstruction").is_boolean()) plan.reconstruction = json.at("reconstruction");
  plan.all_features = json.at("all-features");
  plan.share_epochs = json.at("share-epochs");
  plan.time_limit = json.at("time-limit");
  plan.memory_limit = json.at("memory-limit");
  plan.judges = parse_evaluation_options(options_from_json(json.at("judges")));
  return plan;
}

Json to_json(const ResultRow& row) {
  Json json{{"data", row.data}, {"method", row.method}, {"k", row.k},
            {"run", row.run},   {"seed", row.seed},     {"status", to_text(row.status)}};
  if (!row.message.empty()) json["message"] = row.message;
  put(json, "classification", row.classification);
  put(json, "random_forest", row.random_forest);
  put(json, "clustering", row.clustering);
  put(json, "nmi", row.nmi);
  put(json, "ari", row.ari);
  put(json, "reconstruction", row.reconstruction);
  json["seconds"] = row.seconds;
  json["peak_rss_bytes"] = row.peak_rss_bytes;
  json["joules"] = row.joules;
  json["energy_source"] = row.energy_source;
  json["parameters"] = row.parameters;
  json["rows"] = row.rows;
  json["features"] = row.features;
  json["run_seconds"] = row.run_seconds;
  json["selected"] = row.selected;
  json["warnings"] = row.warnings;
  return json;
}

ResultRow row_from_json(const Json& json) {
  ResultRow row;
  row.data = json.at("data");
  row.method = json.at("method");
  row.k = json.at("k");
  row.run = json.at("run");
  row.seed = json.at("seed");
  const std::string status = json.at("status");
  bool known = false;
  for (std::size_t i = 0; i < std::size(kStatusNames); ++i)
    if (status == kStatusNames[i]) {
      row.status = static_cast<RunStatus>(i);
      known = true;
    }
  if (!known) throw InvalidArgument(fmt::format("'{}' is no status of a run", status));
  row.message = json.value("message", "");
  get(json, "classification", row.classification);
  get(json, "random_forest", row.random_forest);
  get(json, "clustering", row.clustering);
  get(json, "nmi", row.nmi);
  get(json, "ari", row.ari);
  get(json, "reconstruction", row.reconstruction);
  row.seconds = json.at("seconds");
  row.peak_rss_bytes = json.at("peak_rss_bytes");
  row.joules = json.at("joules");
  row.energy_source = json.at("energy_source");
  row.parameters = json.at("parameters");
  row.rows = json.at("rows");
  row.features = json.at("features");
  row.run_seconds = json.at("run_seconds");
  row.selected = json.at("selected").get<std::vector<std::uint32_t>>();
  row.warnings = json.at("warnings").get<std::vector<std::string>>();
  return row;
}

std::string reason_of(const std::exception& error) {
  std::string text = error.what();
  if (!text.starts_with("[json.exception")) return text;
  const std::size_t number = text.find("] ");
  return number == std::string::npos ? text : text.substr(number + 2);
}

std::string dump_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string dump_pretty(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string first_difference(const Json& before, const Json& now) {
  for (const auto& [name, value] : now.items()) {
    const Json old = before.contains(name) ? before.at(name) : Json();
    if (old == value) continue;
    if (name == "judges") return first_difference(old, value);
    if (name == "DATA" || name == "methods") {
      const std::string what = name == "DATA" ? "DATA" : "‹methods›";
      const char* const key = name == "DATA" ? "name" : "label";
      if (!old.is_array() || old.size() != value.size())
        return fmt::format("{} are {}, but were {}", what, value.size(), old.size());
      for (std::size_t i = 0; i < value.size(); ++i)
        for (const auto& [part, now_value] : value[i].items()) {
          const Json was = old[i].contains(part) ? old[i].at(part) : Json();
          if (was != now_value)
            return fmt::format("{} {}: {} is {}, but was {}", what,
                               value[i].at(key).get<std::string>(), part, now_value.dump(),
                               was.dump());
        }
    }
    return fmt::format("‹{}› is {}, but was {}", name, value.dump(), old.dump());
  }
  return "";
}

}  // namespace quickselection
