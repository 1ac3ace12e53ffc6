// src/experiment/results_file.cpp: see results_file.h.
#include "experiment/results_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>

#include "core/files/atomic_file.h"
#include "core/files/descriptor.h"
#include "quickselection/error.h"

namespace quickselection {
namespace {

Json read_settings(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / kSettings;
  if (!std::filesystem::exists(path))
    throw Error(fmt::format("there is nothing to continue: {} does not exist", path.string()),
                "leave out ‹continue› to begin");
  try {
    Json settings = parse_json(read_file(path).value_or(""));
    settings.at("command").get<std::string>();
    settings.at("plan").at("DATA");
    return settings;
  } catch (const std::exception& error) {
    throw Error(fmt::format("{} is damaged: {}", path.string(), reason_of(error)),
                "begin again in another folder");
  }
}

/// Refuses figures that nothing can measure.
void check_row(const ResultRow& row) {
  const auto check = [](const char* what, const std::optional<double>& value, double least,
                        double most) {
    if (value && !(*value >= least && *value <= most))
      throw Error(fmt::format("{} is {}, which is not from {} to {}", what, *value, least, most));
  };
  constexpr double kAny = std::numeric_limits<double>::max();
  check("run", row.run, 1, kAny);
  check("classification", row.classification, 0, 1);
  check("random_forest", row.random_forest, 0, 1);
  check("regression", row.regression, -kAny, 1);
  check("clustering", row.clustering, 0, 1);
  check("nmi", row.nmi, 0, 1);
  check("ari", row.ari, -1, 1);
  check("reconstruction", row.reconstruction, -kAny, 1);
  check("seconds", row.seconds, 0, kAny);
  check("run_seconds", row.run_seconds, 0, kAny);
  check("joules", row.joules, 0, kAny);
  for (const std::uint32_t feature : row.selected)
    if (feature >= row.features)
      throw Error(fmt::format("feature {} is selected of {}", feature, row.features));
}

ExperimentPlan plan_of(const Json& settings, const std::filesystem::path& folder) {
  try {
    ExperimentPlan plan;
    read_json(settings.at("plan"), plan, true);
    return plan;
  } catch (const std::exception& error) {
    throw Error(fmt::format("{} is damaged: {}", (folder / kSettings).string(), reason_of(error)),
                "begin again in another folder");
  }
}

/// "‹runs› is 3, but was 5" for the first difference between two plans, or "".
std::string first_difference(const Json& before, const Json& now) {
  const auto text = [](const Json& json, const std::string& name) {
    return json.contains(name) ? json.at(name).dump() : "unset";
  };
  std::vector<std::string> names;
  for (const Json* json : {&now, &before})
    for (const auto& [name, value] : json->items()) names.push_back(name);
  for (const std::string& name : names) {
    const std::string is = text(now, name), was = text(before, name);
    if (is == was) continue;
    if (name == "judges") return first_difference(before.at(name), now.at(name));
    if (name != "DATA" && name != "methods")
      return fmt::format("‹{}› is {}, but was {}", name, is, was);
    const std::string what = name == "DATA" ? "DATA" : "‹methods›";
    const Json &old = before.at(name), &value = now.at(name);
    if (old.size() != value.size())
      return fmt::format("{} are {}, but were {}", what, value.size(), old.size());
    for (std::size_t i = 0; i < value.size(); ++i)
      if (const std::string found = first_difference(old[i], value[i]); !found.empty())
        return fmt::format("{} {}: {}", what, text_of(value[i].front()), found);
  }
  return "";
}

}  // namespace

ExperimentPlan read_plan(const ExperimentFolder& folder) {
  const Json settings = read_settings(folder.path);
  const std::string command = settings.at("command");
  if (command != folder.command)
    throw InvalidArgument(
        fmt::format("{} was begun by `{}`, not by `{}`", folder.path, command, folder.command),
        fmt::format("continue it with `quickselection {} ‹continue› ‹out {}›`", command,
                    folder.path));
  return plan_of(settings, folder.path);
}

void check_folder(const ExperimentFolder& folder) {
  if (folder.path.empty()) return;
  const std::filesystem::path path = folder.path;
  if (folder.go_on)
    read_settings(path);
  else if (std::filesystem::exists(path / kResults) || std::filesystem::exists(path / kSettings))
    throw Error(fmt::format("{} already holds results", folder.path),
                "add ‹continue› to go on with them, or name another folder with ‹out›");
}

ResultsFile::ResultsFile(const ExperimentFolder& folder, const ExperimentPlan& plan)
    : folder_(folder.path) {
  if (folder.path.empty()) return;
  check_folder(folder);
  results_ = folder_ / kResults;
  const Json settings{{"command", folder.command}, {"plan", json_of(plan)}};
  try {
    if (folder.go_on)
      go_on(settings);
    else
      begin(settings);
  } catch (...) {
    leave();  // no destructor runs: file and lock would stay
    throw;
  }
}

ResultsFile::~ResultsFile() { leave(); }

void ResultsFile::leave() {
  if (file_ >= 0) close(file_);
  file_ = -1;
}

void ResultsFile::begin(const Json& settings) {
  std::error_code failed;
  std::filesystem::create_directories(folder_, failed);
  if (failed)
    throw Error(fmt::format("cannot make the folder {}: {}", folder_.string(), failed.message()));
  write_file(folder_ / kSettings, dump_pretty(settings));
  read_rows();
}

void ResultsFile::go_on(const Json& settings) {
  const Json before = read_settings(folder_);
  if (before.at("command") != settings.at("command"))
    throw InvalidArgument(fmt::format("{} was begun by `{}`", folder_.string(),
                                      before.at("command").get<std::string>()),
                          "continue it with the same command");
  const std::string difference =
      first_difference(json_of(plan_of(before, folder_)), settings.at("plan"));
  if (!difference.empty())
    throw InvalidArgument(
        fmt::format("{}: {} when it was begun", folder_.string(), difference),
        fmt::format("‹continue› ‹out {}› alone goes on as it was begun; other options need another "
                    "folder",
                    folder_.string()));
  read_rows();
}

void ResultsFile::read_rows() {
  // A folder may come from somebody else: a link in it could lead to any file of yours.
  file_ = open(results_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (file_ < 0)
    throw Error(fmt::format("cannot write {}: {}", results_.string(),
                            errno == ELOOP ? "it is a link" : std::strerror(errno)));
  flush_folder(folder_);
  if (flock(file_, LOCK_EX | LOCK_NB) != 0)
    throw Error(fmt::format("another program is writing {}", results_.string()),
                "wait for its end, or name another folder with ‹out›");
  const std::string text = read_file(results_).value_or("");
  std::size_t at = 0;
  for (std::size_t line = 1; at < text.size(); ++line) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string::npos) break;  // torn
    try {
      read_json(parse_json(text.substr(at, end - at)), found_.emplace_back(), true);
      check_row(found_.back());
    } catch (const std::exception& error) {
      throw Error(
          fmt::format("{}, line {}, is damaged: {}", results_.string(), line, reason_of(error)),
          "delete the line: it will be made again");
    }
    at = end + 1;
  }
  if (at < text.size() && ftruncate(file_, static_cast<off_t>(at)) != 0)
    throw Error(fmt::format("cannot drop the torn last line of {}: {}", results_.string(),
                            std::strerror(errno)));
}

void ResultsFile::append(std::span<const ResultRow> rows) {
  if (folder_.empty()) return;
  std::string lines;
  for (const ResultRow& row : rows) lines += dump_line(json_of(row));
  const off_t before = lseek(file_, 0, SEEK_END);
  if (before >= 0 && write_all(file_, lines) && fdatasync(file_) == 0) return;
  const int code = errno;
  // What is not whole goes; where this fails too, it is dropped when the folder is opened again.
  [[maybe_unused]] const bool dropped = before >= 0 && ftruncate(file_, before) == 0;
  throw Error(fmt::format("cannot write {}: {}", results_.string(), std::strerror(code)),
              "make room, then go on with ‹continue›");
}

}  // namespace quickselection
