// src/experiment/run.cpp: all runs of an experiment, one after the other.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "core/pace.h"
#include "core/processes/child.h"
#include "core/processes/comm.h"
#include "core/text/visible.h"
#include "experiment/experiment_fields.h"
#include "experiment/results_file.h"
#include "experiment/tasks.h"
#include "quickselection/error.h"
#include "quickselection/experiment.h"

namespace quickselection {
namespace {

constexpr double kUnits = 1000;  // of progress, for each task

using Key = std::tuple<std::string, std::string, std::size_t, int>;
Key key_of(const ResultRow& row) { return {row.data, row.method, row.k, row.run}; }

std::string amount(std::size_t bytes) {
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

/// The rows of a task from what its process said.
std::vector<ResultRow> rows_of(const ExperimentPlan& plan, const Task& task,
                               const ChildOutcome& outcome) {
  std::vector<ResultRow> rows;
  if (outcome.end == ChildEnd::answered) {
    read_json(Json::parse(outcome.text), rows, true);
    for (ResultRow& row : rows) {
      // It may have been above the limit between two looks at it.
      if (plan.memory_limit == 0 || row.peak_rss_bytes <= plan.memory_limit) continue;
      ResultRow over;
      std::tie(over.data, over.method, over.k, over.run, over.seed) =
          std::tie(row.data, row.method, row.k, row.run, row.seed);
      over.rows = row.rows;
      over.features = row.features;
      over.status = RunStatus::memory_limit;
      over.message = fmt::format("needed more than {}", amount(plan.memory_limit));
      row = over;
    }
  } else {
    rows = empty_rows(plan, task);
    for (ResultRow& row : rows) {
      row.message = on_command_line(outcome.text);
      if (!outcome.hint.empty()) row.message += "; " + on_command_line(outcome.hint);
      row.status = outcome.end == ChildEnd::crashed        ? RunStatus::crashed
                   : outcome.end == ChildEnd::time_limit   ? RunStatus::time_limit
                   : outcome.end == ChildEnd::memory_limit ? RunStatus::memory_limit
                                                           : RunStatus::failed;
      if (row.status == RunStatus::time_limit)
        row.message = fmt::format("not finished after {:g} s", plan.time_limit);
      if (row.status == RunStatus::memory_limit)
        row.message = fmt::format("needed more than {}", amount(plan.memory_limit));
    }
  }
  for (ResultRow& row : rows) row.run_seconds = outcome.seconds;
  return rows;
}

class Experiment {
 public:
  Experiment(const ExperimentPlan& plan, const ExperimentFolder& folder, const RunContext& context)
      : plan_(plan), folder_(folder), context_(context), tasks_(tasks_of(plan)) {
    if (!comm::speaks()) return;
    file_.emplace(folder, plan);
    for (const ResultRow& row : file_->found()) rows_.emplace(key_of(row), row);
    finished_ = static_cast<std::size_t>(std::count_if(
        tasks_.begin(), tasks_.end(), [&](const Task& task) { return is_made(task); }));
  }

  std::vector<ResultRow> run() {
    const auto units = [](std::size_t tasks) { return kUnits * static_cast<double>(tasks); };
    Pace pace("", units(tasks_.size()), context_, units(finished_));
    std::size_t at = 0;
    const comm::HandOut work{
        .next = [&]() -> std::optional<std::uint64_t> {
          while (at < tasks_.size() && is_made(tasks_[at])) ++at;
          if (at == tasks_.size()) return std::nullopt;
          return at++;
        },
        .make = [&](std::uint64_t number) { return make(tasks_[number], pace); },
        .take = [&](std::uint64_t, const std::string& made) { take(made); },
    };
    try {
      comm::hand_out(work, context_.stop);
    } catch (const Interrupted&) {
      throw Interrupted(fmt::format(
          "stopped after {} of {} runs{}", finished_, tasks_.size(),
          folder_.path.empty() ? ""
                               : fmt::format("; go on with ‹continue› ‹out {}›", folder_.path)));
    }
    return comm::speaks() ? in_order() : std::vector<ResultRow>();
  }

 private:
  bool is_made(const Task& task) const {
    const std::vector<ResultRow> rows = empty_rows(plan_, task);
    return std::all_of(rows.begin(), rows.end(),
                       [&](const ResultRow& row) { return rows_.contains(key_of(row)); });
  }

  /// The rows of a task, in text.
  std::string make(const Task& task, Pace& pace) {
    const auto body = [&](const ParentLine& line) {
      if (file_) file_->leave();
      RunContext own;
      own.threads = plan_.threads;
      own.progress = [&](const Progress& progress) { line.progress(progress); };
      return dump_line(json_of(make_rows(plan_, task, own, [&] { line.lift_limits(); })));
    };
    pace.check_stop();
    RunContext watching;
    watching.stop = comm::started() > 1 ? &comm::stop().agreed : context_.stop;
    watching.progress = [&](Progress now) {
      // Reading, selecting and judging each count their own way; the share is that of the last.
      const double share =
          now.total > 0 ? static_cast<double>(now.done) / static_cast<double>(now.total) : 0;
      now.task = fmt::format("{} · {} · run {} of {}", plan_.data[task.data].name,
                             name_of(plan_, task), task.run, plan_.runs);
      pace.reach(kUnits * (static_cast<double>(finished_) + share), std::move(now));
    };
    watching.progress({});
    const ChildOutcome outcome =
        run_child(body, {.seconds = plan_.time_limit, .resident_bytes = plan_.memory_limit},
                  watching, comm::listen);
    return dump_line(json_of(rows_of(plan_, task, outcome)));
  }

  /// Keeps them.
  void take(const std::string& made) {
    std::vector<ResultRow> rows, fresh;
    read_json(Json::parse(made), rows, true);
    for (ResultRow& row : rows)
      if (!rows_.contains(key_of(row))) fresh.push_back(std::move(row));
    file_->append(fresh);
    for (const ResultRow& row : fresh) rows_.emplace(key_of(row), row);
    ++finished_;
  }

  std::vector<ResultRow> in_order() const {
    std::vector<ResultRow> ordered;
    for (const Task& task : tasks_)
      for (const ResultRow& row : empty_rows(plan_, task)) ordered.push_back(rows_.at(key_of(row)));
    return ordered;
  }

  const ExperimentPlan& plan_;
  const ExperimentFolder& folder_;
  const RunContext& context_;
  std::optional<ResultsFile> file_;  // of process 0
  const std::vector<Task> tasks_;
  std::map<Key, ResultRow> rows_;
  std::size_t finished_ = 0;  // tasks
};

/// Results and settings are JSON, which would keep other bytes as something else.
void check_utf8(const std::string& text) {
  if (!is_utf8(text))
    throw InvalidArgument(fmt::format("'{}' is no UTF-8, so results could not name it", text),
                          "rename it, or use a link with another name");
}

void refuse_doubles(const auto& items, const char* what, auto name) {
  std::set<std::string> seen;
  for (const auto& item : items)
    if (!seen.insert(name(item)).second)
      throw InvalidArgument(fmt::format("two {} are called '{}'", what, name(item)),
                            "each needs a name of its own in the tables");
}

void check_ks(const std::vector<std::size_t>& ks) {
  if (std::set<std::size_t>(ks.begin(), ks.end()).size() != ks.size())
    throw InvalidArgument(fmt::format("‹k› is {}: a number is given twice", fmt::join(ks, ",")));
  if (std::find(ks.begin(), ks.end(), std::size_t{0}) != ks.end())
    throw InvalidArgument("‹k› is 0, but must be at least 1");
}

}  // namespace

std::string to_text(RunStatus status) { return std::string(name_of(status)); }

ExperimentPlan::ExperimentPlan() {
  judges.runs = 1;  // each run is judged once: the spread is that of the runs
}

void check_plan(const ExperimentPlan& plan) {
  if (plan.data.empty()) throw InvalidArgument("no data is given", "name one or more files");
  if (plan.methods.empty() && !plan.all_features)
    throw InvalidArgument("no methods are given", "for example ‹methods quickselection,mcfs›");
  options_detail::validate("runs", plan.runs, at_least(1));
  if (static_cast<std::uint64_t>(plan.runs - 1) > UINT64_MAX - plan.seed)
    throw InvalidArgument(
        fmt::format("‹seed› is {}, which leaves no seeds for {} runs", plan.seed, plan.runs));
  const double all = static_cast<double>(plan.data.size()) * plan.runs *
                     static_cast<double>(plan.methods.size() + 1);
  if (all > kMostRuns)
    throw InvalidArgument(fmt::format("{:g} runs of methods on data sets are too many", all),
                          "lower ‹runs›");
  options_detail::validate("time-limit", plan.time_limit, at_least(0));
  refuse_doubles(plan.data, "data sets", [](const ExperimentData& data) { return data.name; });
  refuse_doubles(plan.methods, "methods",
                 [](const ExperimentMethod& method) { return method.label; });
  for (const ExperimentMethod& method : plan.methods) check_utf8(method.label);
  check_ks(plan.k);
  for (const ExperimentData& data : plan.data) {
    for (const std::string& text : {data.path, data.name, data.test, data.read.label})
      check_utf8(text);
    check_ks(data.k);
    if (plan.k.empty() && data.k.empty())
      throw InvalidArgument(fmt::format("no K is given for {}", data.name),
                            "for example ‹k 10,50›");
    options_detail::validate("split", data.split, from_below(0, 1));
    if (data.path.empty() && data.values == nullptr)
      throw InvalidArgument(fmt::format("{} has no data", data.name));
    for (const std::string& path : {data.path, data.test})
      if (std::error_code ignored; !path.empty() && !std::filesystem::exists(path, ignored))
        throw Error(fmt::format("cannot read {}: there is no such file", path));
    for (const ExperimentMethod& method : plan.methods) check_options(select_options(method, data));
  }
  for (const ExperimentMethod& method : plan.methods)
    if (method.label == kAllFeatures)
      throw InvalidArgument(fmt::format("a method cannot be called '{}'", kAllFeatures));
}

std::vector<ResultRow> run_experiment(const ExperimentPlan& plan, const ExperimentFolder& folder,
                                      const RunContext& context) {
  if (comm::speaks()) check_plan(plan);
  return Experiment(plan, folder, context).run();
}

}  // namespace quickselection
